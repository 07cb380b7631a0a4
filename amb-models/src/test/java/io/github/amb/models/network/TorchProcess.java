package io.github.amb.models.network;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A Python that computes gradients with PyTorch, as {@code gradients.py} says. */
final class TorchProcess implements AutoCloseable {
  private static final List<String> PYTHONS = List.of("python3", "/usr/bin/python3");
  private static final int LIMIT_SECONDS = 180;

  private final Process process;
  private final BufferedReader answers;
  private final Writer directories;

  private TorchProcess(String python) throws IOException {
    process =
        new ProcessBuilder(python, "src/test/python/gradients.py")
            .redirectErrorStream(true)
            .start();
    answers = process.inputReader();
    directories = process.outputWriter();
  }

  /** A Python that has PyTorch; null if there is none. */
  static String python() throws InterruptedException {
    for (String python : PYTHONS) {
      try {
        if (new ProcessBuilder(python, "-c", "import numpy, torch").start().waitFor() == 0) {
          return python;
        }
      } catch (IOException e) {
        // There is no such program.
      }
    }
    System.err.println("SKIPPED: a test with PyTorch, which neither of " + PYTHONS + " has");
    return null;
  }

  /** One that runs; null if there is no PyTorch. */
  static TorchProcess start() throws IOException, InterruptedException {
    String python = python();
    if (python == null) {
      return null;
    }
    TorchProcess torch = new TorchProcess(python);
    String first = torch.answer();
    if ("ready".equals(first)) {
      return torch;
    }
    String error = first + torch.answers.lines().toList();
    torch.close();
    throw new IOException(error);
  }

  /**
   * What PyTorch finds in a directory.
   *
   * @param loss sum of the examples' losses
   * @param sensitivity how far rounding in single precision may move the gradient, relative to its
   *     length
   */
  record Answer(double loss, double sensitivity) {}

  /** Lets it write the gradient of what lies in a directory. */
  Answer gradient(Path directory) throws IOException {
    directories.write(directory + "\n");
    directories.flush();
    String line = answer();
    try {
      String[] numbers = String.valueOf(line).split(" ");
      return new Answer(Double.parseDouble(numbers[0]), Double.parseDouble(numbers[1]));
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      close();
      throw new IOException(line + answers.lines().toList(), e);
    }
  }

  private String answer() throws IOException {
    var limit =
        CompletableFuture.runAsync(
            process::destroyForcibly,
            CompletableFuture.delayedExecutor(LIMIT_SECONDS, TimeUnit.SECONDS));
    try {
      return answers.readLine();
    } finally {
      limit.cancel(true);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
