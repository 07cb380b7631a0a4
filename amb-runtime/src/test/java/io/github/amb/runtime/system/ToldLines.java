package io.github.amb.runtime.system;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Lines that the programs in a directory write, as they come: output and the master's log. */
final class ToldLines implements AutoCloseable {
  private static final long POLL_MILLIS = 10;
  private static final int DEPTH = 4;

  /**
   * A line.
   *
   * @param nanos when it was seen, as {@link System#nanoTime} says
   * @param log whether it is of the master's log
   */
  record Line(long nanos, String text, boolean log) {}

  private final Path directory;
  private final List<Line> lines = new ArrayList<>();
  private final Map<Path, Integer> read = new HashMap<>();
  private final Thread reader = new Thread(this::keepReading, "told-lines");

  ToldLines(Path directory) {
    this.directory = directory;
    reader.setDaemon(true);
    reader.start();
  }

  private void keepReading() {
    try {
      while (true) {
        read();
        Thread.sleep(POLL_MILLIS);
      }
    } catch (InterruptedException e) {
      // It is closed.
    }
  }

  private synchronized void read() {
    try (Stream<Path> files = Files.walk(directory, DEPTH)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (name.matches("stdout|stderr|rank-0\\.log")) {
          read(file, name.endsWith(".log"));
        }
      }
    } catch (IOException | RuntimeException e) {
      // A file has vanished meanwhile: try again.
    }
  }

  private void read(Path file, boolean log) throws IOException {
    int from = read.getOrDefault(file, 0);
    byte[] bytes = Files.size(file) == from ? new byte[0] : Files.readAllBytes(file);
    for (int i = from; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        String text = new String(bytes, from, i - from, StandardCharsets.UTF_8);
        lines.add(new Line(System.nanoTime(), text, log));
        from = i + 1;
      }
    }
    read.put(file, from);
  }

  /** The lines so far. */
  synchronized List<Line> lines() {
    read();
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    reader.interrupt();
  }
}
