package io.github.amb.openmpi;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A program that the site's launcher has run on some ranks.
 *
 * @param code the launcher's exit code
 * @param out what all ranks printed
 * @param err what all ranks and the launcher complained of
 */
record MpiRun(int code, String out, String err) {
  private static final String LAUNCHER = System.getProperty("amb.mpi.launcher", "mpirun");
  private static final long LIMIT_SECONDS = 150;
  private static final Set<String> FIRST = Set.of("OMPI_COMM_WORLD_RANK=0", "PMI_RANK=0");

  /**
   * Open MPI rejects root and more ranks than cores unless it is told otherwise. It gives ranks a
   * terminal, whatever its own output is.
   */
  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "OMPI_ALLOW_RUN_AS_ROOT", "1",
          "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1",
          "OMPI_MCA_rmaps_base_oversubscribe", "1",
          "OMP_NUM_THREADS", "1",
          "TERM", "xterm",
          "UCX_ERROR_SIGNALS", "");

  /**
   * Runs {@code main} in {@code ranks} JVMs, and ends them if they take too long.
   *
   * @param directory receives the output
   */
  static MpiRun of(int ranks, Path directory, Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    return of(ranks, directory, List.of(), main, arguments);
  }

  /** As the other, with {@code flags} for the JVMs. */
  static MpiRun of(
      int ranks, Path directory, List<String> flags, Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    return of(directory, command(ranks, flags, main, arguments), launcher -> {});
  }

  /** What a program has done, or how far it is. */
  interface Condition {
    boolean holds() throws IOException;
  }

  /** Tells the first rank to end as soon as {@code condition} holds. */
  static MpiRun interrupted(
      int ranks, Path directory, Condition condition, Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    return of(
        directory,
        command(ranks, List.of(), main, arguments),
        launcher -> {
          await(condition, launcher);
          firstRank(launcher).destroy();
        });
  }

  /**
   * Tells the launcher to end as soon as {@code condition} holds; returns when none of the
   * processes is left that it had started.
   */
  static MpiRun stopped(
      int ranks, Path directory, Condition condition, Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    return of(
        directory,
        command(ranks, List.of(), main, arguments),
        launcher -> {
          await(condition, launcher);
          List<ProcessHandle> started = launcher.descendants().toList();
          assertTrue(started.size() >= ranks, () -> "only " + started);
          launcher.destroy();
          for (ProcessHandle process : started) {
            awaitEnd(process);
          }
        });
  }

  private static void await(Condition condition, Process launcher)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (!condition.holds() && launcher.isAlive() && System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private static void awaitEnd(ProcessHandle process) throws InterruptedException {
    try {
      process.onExit().get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      process.destroyForcibly();
      throw new AssertionError("still running: " + process.info(), e);
    }
  }

  /** Both launchers tell a process its rank by a variable. */
  private static ProcessHandle firstRank(Process launcher) throws IOException {
    for (ProcessHandle process : launcher.descendants().toList()) {
      String variables = Files.readString(Path.of("/proc", process.pid() + "", "environ"));
      if (List.of(variables.split("\0")).stream().anyMatch(FIRST::contains)) {
        return process;
      }
    }
    throw new IOException("no first rank among " + launcher.descendants().toList());
  }

  private static List<String> command(
      int ranks, List<String> flags, Class<?> main, String... arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                LAUNCHER,
                "-n",
                Integer.toString(ranks),
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path")));
    command.addAll(flags);
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return command;
  }

  /** What happens while a program runs. */
  private interface Meanwhile {
    void act(Process launcher) throws IOException, InterruptedException;
  }

  private static MpiRun of(Path directory, List<String> command, Meanwhile meanwhile)
      throws IOException, InterruptedException {
    Path out = directory.resolve("stdout");
    Path err = directory.resolve("stderr");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().putAll(ENVIRONMENT);
    Process process = builder.start();
    try {
      meanwhile.act(process);
      boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
      MpiRun run =
          new MpiRun(
              ended ? process.exitValue() : -1, Files.readString(out), Files.readString(err));
      assertTrue(ended, () -> "still running after " + LIMIT_SECONDS + " s:\n" + run);
      return run;
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  /** Skips a test where there is no launcher. */
  static void assumeLauncher() {
    boolean there = false;
    for (String place : System.getenv("PATH").split(":")) {
      there |= Files.isExecutable(Path.of(place, LAUNCHER));
    }
    assumeTrue(there, LAUNCHER + " is not on the path: install openmpi-bin or mpich");
  }
}
