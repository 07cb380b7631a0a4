package io.github.amb.bench.harness;

import io.github.amb.core.file.SharedPlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

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
    List<Path> deepestFirst;
    try (Stream<Path> files = Files.walk(path)) {
      deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : deepestFirst) {
      Files.delete(file);
    }
  }
}
