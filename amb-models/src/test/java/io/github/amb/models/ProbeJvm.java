package io.github.amb.models;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Runs a program of the tests in a JVM of its own, started with no property of this one. */
public final class ProbeJvm {
  private ProbeJvm() {}

  /** How a program ended, and what it wrote. */
  public record Outcome(int status, String output) {}

  /**
   * What the program writes to its standard output; it fails the test if it does not end in time.
   *
   * @param folder for the output while it runs
   * @param heap as {@code 512m}
   */
  public static String output(
      Path folder, long limitSeconds, String heap, Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    ProcessBuilder builder = jvm(heap, program, arguments);
    return run(builder.redirectError(ProcessBuilder.Redirect.INHERIT), folder, limitSeconds)
        .output();
  }

  /**
   * Runs a program with more in its environment; both its streams are its output.
   *
   * @param folder for the output while it runs
   * @param heap as {@code 512m}
   */
  public static Outcome run(
      Path folder, long limitSeconds, String heap, Map<String, String> more, Class<?> program)
      throws IOException, InterruptedException {
    ProcessBuilder builder = jvm(heap, program).redirectErrorStream(true);
    builder.environment().putAll(more);
    return run(builder, folder, limitSeconds);
  }

  /**
   * Runs a program without the native libraries of ND4J, which the archive does not contain; both
   * its streams are its output.
   *
   * @param folder for the output while it runs
   */
  public static Outcome runWithoutNd4j(
      Path folder, long limitSeconds, Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    ProcessBuilder builder = jvm("512m", program, arguments).redirectErrorStream(true);
    builder.command().replaceAll(ProbeJvm::withoutNd4j);
    return run(builder, folder, limitSeconds);
  }

  private static String withoutNd4j(String argument) {
    return Arrays.stream(argument.split(File.pathSeparator))
        .filter(part -> !part.matches(".*(nd4j-native|openblas)-[^/]*-(linux|macosx)-[^/]*jar"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static ProcessBuilder jvm(String heap, Class<?> program, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx" + heap,
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command);
  }

  private static Outcome run(ProcessBuilder builder, Path folder, long limitSeconds)
      throws IOException, InterruptedException {
    Path output = folder.resolve("out");
    Process process = builder.redirectOutput(output.toFile()).start();
    try {
      assertTrue(process.waitFor(limitSeconds, TimeUnit.SECONDS), "the probe takes too long");
    } finally {
      process.destroyForcibly();
    }
    return new Outcome(process.exitValue(), Files.readString(output));
  }
}
