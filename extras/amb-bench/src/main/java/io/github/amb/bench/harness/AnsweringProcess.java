package io.github.amb.bench.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A process with one thread of native libraries that answers requests, each in a line. */
public final class AnsweringProcess implements AutoCloseable {
  /** Maximum seconds of an answer, to detect a process that hangs. */
  private static final int LIMIT_SECONDS = 300;

  private final String name;
  private final TemporaryDirectory directory = new TemporaryDirectory();
  private final Path errors = directory.path().resolve("errors");
  private final Process process;
  private final BufferedReader answers;
  private final Writer questions;

  /**
   * Starts the process.
   *
   * @param name its name in messages
   */
  public AnsweringProcess(String name, List<String> command) throws IOException {
    this.name = name;
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
    builder.environment().put("OMP_NUM_THREADS", "1");
    builder.environment().put("TF_CPP_MIN_LOG_LEVEL", "2");
    process = builder.start();
    answers = process.inputReader();
    questions = process.outputWriter();
  }

  /** Its resident memory now. */
  public ResidentMemory memory() throws IOException {
    return ResidentMemory.of(process.pid());
  }

  /** Sends a line. */
  public void ask(String line) throws IOException {
    questions.write(line + "\n");
    questions.flush();
  }

  /**
   * The number after {@code start} in the next line that starts so; others are ignored.
   *
   * @throws IOException if the process ends first; the message has its standard error
   */
  public double answer(String start) throws IOException {
    var watchdog =
        CompletableFuture.runAsync(
            process::destroyForcibly,
            CompletableFuture.delayedExecutor(LIMIT_SECONDS, TimeUnit.SECONDS));
    try {
      String line = answers.readLine();
      while (line != null && !line.startsWith(start)) {
        line = answers.readLine();
      }
      if (line == null) {
        throw new IOException(name + " ended: " + Files.readString(errors).strip());
      }
      return Double.parseDouble(line.substring(start.length()));
    } finally {
      watchdog.cancel(true);
    }
  }

  /** Ends the process. */
  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    process.onExit().join();
    directory.close();
  }
}
