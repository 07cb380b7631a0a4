package io.github.amb.models.device;

import java.util.Optional;
import java.util.ServiceLoader;

/** The backend on the class path, found when this class is first used. */
final class FoundBackend {
  static final Optional<GpuBackend> BACKEND = ServiceLoader.load(GpuBackend.class).findFirst();

  private FoundBackend() {}
}
