package io.github.amb.bench.run;

import io.github.amb.bench.harness.ResidentMemory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A running {@link LoadProbe}; its memory is measured while it waits. */
final class LoadProcess implements AutoCloseable {
  /** Maximum seconds of a part, to detect a probe that hangs. */
  private static final int LIMIT_SECONDS = 120;

  private final Process process;
  private final BufferedReader said;
  private final Writer go;

  /**
   * Starts the process.
   *
   * @param directory of the data set's files; null if it has none
   */
  LoadProcess(String dataSet, String directory) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // A small initial heap, as Java's default depends on the machine's memory.
    command.addAll(List.of("-XX:+UseSerialGC", "-Xms8m", "-Xmx256m"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(LoadProbe.class.getName(), dataSet));
    if (directory != null) {
      command.add(directory);
    }
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
    said = process.inputReader();
    go = process.outputWriter();
  }

  /** The seconds of a part of its work, and the resident memory at its end. */
  record Part(double seconds, ResidentMemory memory) {}

  /**
   * Waits for the end of a part, and starts the next one.
   *
   * @throws IOException if the process fails; the message has its output
   */
  Part next() throws IOException {
    var watchdog =
        CompletableFuture.runAsync(
            process::destroyForcibly,
            CompletableFuture.delayedExecutor(LIMIT_SECONDS, TimeUnit.SECONDS));
    try {
      Part part = new Part(seconds(), ResidentMemory.of(process.pid()));
      go.write('\n');
      go.flush();
      return part;
    } finally {
      watchdog.cancel(true);
    }
  }

  private double seconds() throws IOException {
    String line = said.readLine();
    try {
      return Long.parseLong(line == null ? "" : line) / 1e9;
    } catch (NumberFormatException e) {
      StringBuilder text = new StringBuilder("the loading process ended");
      for (; line != null; line = said.readLine()) {
        text.append(": ").append(line.strip());
      }
      throw new IOException(text.toString(), e);
    }
  }

  /** Ends the process. */
  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
