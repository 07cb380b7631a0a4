package io.github.amb.bench.transport;

import io.github.amb.bench.harness.TemporaryDirectory;
import io.github.amb.runtime.launch.LaunchPlan;
import io.github.amb.runtime.launch.Launcher;
import io.github.amb.runtime.launch.Outcome;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Processes that are started together and measure one or several ways to communicate; each hands
 * over lines {@code time NAME LENGTH MICROSECONDS}.
 */
interface StepGroup {
  /** Runs once on a master and {@code workers}. */
  void run(int workers, String lengths, String steps, BiConsumer<String, double[]> times)
      throws IOException, InterruptedException;

  /** On our launcher, with a property of MPJ's engine. */
  static StepGroup mpj(String name, String flag, String more) {
    List<String> flags = List.of("-Xmx3g", "-XX:MaxDirectMemorySize=6g", flag);
    return (workers, lengths, steps, times) -> {
      try (TemporaryDirectory logs = new TemporaryDirectory()) {
        LaunchPlan plan =
            LaunchPlan.local(
                workers + 1,
                flags,
                StepRank.class.getName(),
                List.of(name, lengths, steps, more),
                logs.path(),
                line -> parse(line, "", times));
        Outcome outcome = Launcher.run(plan);
        if (outcome.exitCode() != 0) {
          throw new IOException(outcome.cause());
        }
      }
    };
  }

  /**
   * The engine on the site's MPI.
   *
   * @param reduces whether vectors are summed on their way
   */
  static StepGroup openmpi(boolean reduces, String suffix, Map<String, String> environment) {
    List<String> java =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx2g",
            "-XX:MaxDirectMemorySize=6g",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            "-Damb.mpi.reduce=" + reduces,
            StepRank.class.getName(),
            reduces ? "openmpi-reduce" : "openmpi");
    return mpirun(java, suffix, environment);
  }

  /** The C program, once compiled. */
  static StepGroup c(Path program, String suffix, Map<String, String> environment) {
    return mpirun(List.of(program.toString()), suffix, environment);
  }

  private static StepGroup mpirun(
      List<String> program, String suffix, Map<String, String> environment) {
    return (workers, lengths, steps, times) -> {
      List<String> command = new ArrayList<>(List.of("mpirun", "-n", "" + (workers + 1)));
      command.addAll(program);
      command.addAll(List.of(lengths, steps));
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
      // More ranks than cores, as with the other groups.
      builder.environment().put("OMPI_MCA_rmaps_base_oversubscribe", "1");
      builder.environment().putAll(environment);
      // Open MPI refuses to run as root, who is often the only user of a container.
      builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT", "1");
      builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
      Process process = builder.start();
      try (BufferedReader out =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
        out.lines().forEach(line -> parse(line, suffix, times));
      }
      int code = process.waitFor();
      if (code != 0) {
        throw new IOException(String.join(" ", command) + " ended with " + code);
      }
    };
  }

  private static void parse(String line, String suffix, BiConsumer<String, double[]> times) {
    String[] words = line.split(" ");
    if (words.length == 4 && words[0].equals("time")) {
      times.accept(
          words[1] + suffix,
          new double[] {Double.parseDouble(words[2]), Double.parseDouble(words[3])});
    }
  }

  /** Compiles the C program with the site's compiler; null if there is none. */
  static Path compile(Path directory) throws IOException, InterruptedException {
    Path source = directory.resolve("step.c");
    Path program = directory.resolve("step");
    try (InputStream in = StepGroup.class.getResourceAsStream("step.c")) {
      Files.copy(in, source);
    }
    try {
      Process compiler =
          new ProcessBuilder(
                  "mpicc", "-O3", "-march=native", "-o", program.toString(), source.toString())
              .inheritIO()
              .start();
      return compiler.waitFor() == 0 ? program : null;
    } catch (IOException e) {
      return null;
    }
  }
}
