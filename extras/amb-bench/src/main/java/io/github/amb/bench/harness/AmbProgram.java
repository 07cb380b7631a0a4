package io.github.amb.bench.harness;

import io.github.amb.runtime.Amb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The {@code amb} program in a separate process, as a user runs it. */
public final class AmbProgram {
  private static final long INTERVAL_MILLIS = 50;

  private AmbProgram() {}

  /**
   * Runs {@code amb} to its end.
   *
   * @param output file that receives its output
   * @param given shows its last line from time to time
   * @param watcher is called with the process while it runs
   * @throws IOException if it fails; the message has its output
   */
  public static void run(
      List<String> arguments, Path output, BenchmarkRun given, Consumer<Process> watcher)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(java(List.of("-Xmx256m"), Amb.class, arguments))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      while (!process.waitFor(INTERVAL_MILLIS, TimeUnit.MILLISECONDS)) {
        watcher.accept(process);
        given.say(lastLine(output));
      }
    } finally {
      process.destroy();
      process.waitFor();
    }
    if (process.exitValue() != 0) {
      throw new IOException(
          "amb exited with code %d: %s"
              .formatted(process.exitValue(), Files.readString(output).strip()));
    }
  }

  /** The command line of a class of this program, in this Java. */
  public static List<String> java(List<String> flags, Class<?> main, List<String> arguments) {
    return java(flags, System.getProperty("java.class.path"), main.getName(), arguments);
  }

  /** The same with another class path. */
  public static List<String> java(
      List<String> flags, String classes, String main, List<String> arguments) {
    List<String> command = new ArrayList<>(flags);
    command.add(0, Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", classes, main));
    command.addAll(arguments);
    return command;
  }

  private static String lastLine(Path output) throws IOException {
    List<String> lines = Files.readAllLines(output);
    return lines.isEmpty() ? "starting" : lines.get(lines.size() - 1);
  }
}
