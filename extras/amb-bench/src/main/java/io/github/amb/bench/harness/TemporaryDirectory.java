package io.github.amb.bench.harness;

import io.github.amb.core.file.Disk;
import io.github.amb.core.file.SharedPlace;
import java.io.IOException;
import java.nio.file.Path;

/** A directory that is deleted on close. */
public final class TemporaryDirectory implements AutoCloseable {
  private final Path path;

  public TemporaryDirectory() throws IOException {
    path = SharedPlace.fresh("amb-bench-");
  }

  public Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    Disk.REAL.delete(path);
  }
}
