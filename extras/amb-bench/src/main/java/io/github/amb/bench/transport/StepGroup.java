package io.github.amb.bench.transport;

import io.github.amb.bench.harness.BenchRank;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Processes that are started together and measure one or several ways to communicate. Each prints
 * lines {@code time NAME LENGTH MICROSECONDS}.
 */
interface StepGroup {
  /** Runs once on a master and {@code workers}. */
  void run(int workers, String lengths, String steps, BiConsumer<String, double[]> times)
      throws IOException, InterruptedException;

  /** Ranks of this program's launcher, with properties of MPJ's engine. */
  static StepGroup mpj(String name, List<String> properties, String more) {
    List<String> flags = new ArrayList<>(List.of("-Xmx3g", "-XX:MaxDirectMemorySize=6g"));
    flags.addAll(properties);
    return (workers, lengths, steps, times) ->
        BenchRank.launch(
            workers + 1,
            flags,
            StepRank.class,
            List.of(name, lengths, steps, more),
            line -> parse(line, "", times));
  }

  /**
   * Ranks of the engine on the site's MPI.
   *
   * @param name as {@link StepRank} takes it
   */
  static StepGroup openmpi(String name, String suffix, Map<String, String> environment) {
    return mpirun(Mpirun.java(StepRank.class, name), suffix, environment);
  }

  /** The compiled C program. */
  static StepGroup c(Path program, String suffix, Map<String, String> environment) {
    return mpirun(List.of(program.toString()), suffix, environment);
  }

  private static StepGroup mpirun(
      List<String> program, String suffix, Map<String, String> environment) {
    return (workers, lengths, steps, times) -> {
      List<String> command = new ArrayList<>(program);
      command.addAll(List.of(lengths, steps));
      Mpirun.run(workers + 1, command, environment, line -> parse(line, suffix, times));
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
