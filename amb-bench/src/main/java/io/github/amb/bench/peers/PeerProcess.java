package io.github.amb.bench.peers;

import io.github.amb.bench.harness.ResidentMemory;
import io.github.amb.models.network.NetworkSummary;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A running {@link PeerProgram} with one thread. */
final class PeerProcess implements AutoCloseable {
  /** Maximum seconds of an answer, to detect a peer that hangs. */
  private static final int LIMIT_SECONDS = 300;

  private final String name;
  private final Path errors;
  private final Process process;
  private final BufferedReader answers;
  private final Writer questions;
  private final double startSeconds;
  private final long parameters;

  /**
   * Starts the process and waits for its first gradient.
   *
   * @param directory of the network; receives standard error
   * @throws IOException if the process fails; the message has its output
   */
  PeerProcess(PeerProgram peer, NetworkSummary network, Path directory) throws IOException {
    name = peer.name();
    errors = Files.createTempFile(directory, name, ".err");
    List<String> command = new ArrayList<>(peer.command());
    command.addAll(List.of(network.name(), directory.toString()));
    var input = network.input();
    for (int size :
        new int[] {input.channels(), input.height(), input.width(), network.classes()}) {
      command.add(Integer.toString(size));
    }
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
    builder.environment().put("OMP_NUM_THREADS", "1");
    builder.environment().put("TF_CPP_MIN_LOG_LEVEL", "2");
    long start = System.nanoTime();
    process = builder.start();
    answers = process.inputReader();
    questions = process.outputWriter();
    try {
      parameters = (long) answer("ready");
    } catch (IOException e) {
      close();
      throw e;
    }
    startSeconds = (System.nanoTime() - start) / 1e9;
  }

  /** Seconds from the start of the process to its first gradient. */
  double startSeconds() {
    return startSeconds;
  }

  /** Number of parameters of its network. */
  long parameters() {
    return parameters;
  }

  /** Resident memory now, MB. */
  double residentMegabytes() throws IOException {
    return ResidentMemory.of(process.pid()).last();
  }

  /** Requests gradients of {@code batch} examples for {@code seconds} seconds. */
  void ask(int batch, double seconds) throws IOException {
    questions.write(String.format(Locale.ROOT, "%d %f%n", batch, seconds));
    questions.flush();
  }

  /** The answer to the last request, in examples per second. */
  double speed() throws IOException {
    return answer("speed");
  }

  private double answer(String word) throws IOException {
    String start = "peer " + word + " ";
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
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
