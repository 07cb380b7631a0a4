package io.github.amb.bench.transport;

import io.github.amb.bench.harness.AmbProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Runs programs by the site's {@code mpirun} on this host. */
final class Mpirun {
  private Mpirun() {}

  /**
   * The command line of a rank in Java.
   *
   * @param main the class
   * @param arguments arguments of the class
   */
  static List<String> java(Class<?> main, String... arguments) {
    List<String> flags = List.of("-Xmx2g", "-XX:MaxDirectMemorySize=6g", "-XX:+UseSerialGC");
    return AmbProgram.java(flags, main, List.of(arguments));
  }

  /**
   * Runs a program to its end.
   *
   * @param lines receives the lines that its ranks print
   * @throws IOException if it cannot be started, or ends with another code than 0
   */
  static void run(
      int ranks, List<String> program, Map<String, String> environment, Consumer<String> lines)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("mpirun", "-n", Integer.toString(ranks)));
    command.addAll(program);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    // More ranks than cores, as on the other engines.
    builder.environment().put("OMPI_MCA_rmaps_base_oversubscribe", "1");
    // Open MPI rejects root by default, who is often the only user of a container.
    builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT", "1");
    builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    builder.environment().putAll(environment);
    Process process = builder.start();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      out.lines().forEach(lines);
    }
    int code = process.waitFor();
    if (code != 0) {
      throw new IOException(String.join(" ", command) + " ended with " + code);
    }
  }
}
