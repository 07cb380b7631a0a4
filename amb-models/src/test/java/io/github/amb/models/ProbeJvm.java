package io.github.amb.models;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a program of the tests in a JVM of its own, started with no property of this one. */
public final class ProbeJvm {
  private ProbeJvm() {}

  /**
   * What the program writes to its standard output; it fails the test if it does not end in time.
   *
   * @param folder for the output while it runs
   * @param heap as {@code 512m}
   */
  public static String output(
      Path folder, long limitSeconds, String heap, Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    Path output = folder.resolve("out");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + heap,
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(output.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      assertTrue(process.waitFor(limitSeconds, TimeUnit.SECONDS), "the probe takes too long");
    } finally {
      process.destroyForcibly();
    }
    return Files.readString(output);
  }
}
