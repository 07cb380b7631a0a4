package io.github.amb.runtime.train;

import io.github.amb.core.option.UsageException;
import io.github.amb.models.device.ComputeCapability;
import io.github.amb.models.device.GpuBackend;

/** Supports the cards that ND4J supports, and computes nothing. */
public final class StandInBackend implements GpuBackend {
  private boolean loaded;
  private boolean started;
  private String missing;

  /** Makes {@code library} missing from now on. */
  public void lacks(String library) {
    missing = library;
  }

  /** Whether the native code was loaded. */
  public boolean isLoaded() {
    return loaded;
  }

  /** Whether this process computes on its GPU. */
  public boolean isStarted() {
    return started;
  }

  @Override
  public ComputeCapability oldest() {
    return new ComputeCapability(3, 7);
  }

  @Override
  public ComputeCapability newest() {
    return new ComputeCapability(8, 9);
  }

  @Override
  public void load() {
    if (missing != null) {
      throw new UsageException("expected " + missing + ", found none");
    }
    loaded = true;
  }

  @Override
  public void start() {
    load();
    started = true;
  }
}
