package io.github.amb.runtime.system;

import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.Amb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The {@code amb} program in a process of its own, started as {@code scripts/amb} does. Every wait
 * has a limit; closing kills the process and all that it started.
 */
final class AmbProcess implements AutoCloseable {
  /** Limit for everything that does not hang, on a slow and busy machine. */
  static final Duration LIMIT = Duration.ofMinutes(5);

  private static final int QUIET_FLAGS_SINCE = 24;
  private static final long POLL_MILLIS = 20;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final Process process;
  private final Path directory;
  private final List<ProcessHandle> seen = new ArrayList<>();
  private long looked;

  private AmbProcess(Process process, Path directory) {
    this.process = process;
    this.directory = directory;
  }

  /**
   * Starts {@code amb}.
   *
   * @param directory working directory; also receives the output
   * @param command arguments, separated by spaces
   */
  static AmbProcess start(Path directory, String command) throws IOException {
    return start(directory, line(command));
  }

  /** The command line that starts {@code amb}. */
  static List<String> line(String command) {
    List<String> line = javaCommand();
    line.add(Amb.class.getName());
    line.addAll(List.of(command.split(" ")));
    return line;
  }

  /**
   * Starts any program.
   *
   * @param directory working directory; also receives the output
   * @param line command line
   */
  static AmbProcess start(Path directory, List<String> line) throws IOException {
    Files.createDirectories(directory);
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .directory(directory.toFile())
            .redirectOutput(directory.resolve("stdout").toFile())
            .redirectError(directory.resolve("stderr").toFile());
    builder.environment().put("OMP_NUM_THREADS", "1");
    return new AmbProcess(builder.start(), directory);
  }

  /** Runs {@code amb} to its end. */
  static AmbProcess run(Path directory, String command) throws IOException, InterruptedException {
    try (AmbProcess amb = start(directory, command)) {
      amb.awaitEnd(LIMIT);
      return amb;
    }
  }

  private static List<String> javaCommand() {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(List.of("-XX:+UseSerialGC", "-Xmx1g", "-Dorg.bytedeco.javacpp.maxphysicalbytes=0"));
    // On a busy machine, ranks that start need longer than by default; a test's record then has a
    // generation that it does not expect.
    line.add("-Damb.timeouts.connect=30");
    if (Runtime.version().feature() >= QUIET_FLAGS_SINCE) {
      line.add("--enable-native-access=ALL-UNNAMED");
      line.add("--sun-misc-unsafe-memory-access=allow");
    }
    line.addAll(QuickStart.options());
    line.addAll(List.of("-cp", QuickStart.classPath()));
    return line;
  }

  /** Waits for the end of the process; returns its exit code. */
  int awaitEnd(Duration limit) throws IOException, InterruptedException {
    await(() -> !process.isAlive(), "its end", limit);
    return process.exitValue();
  }

  /** Waits for the end of the process up to a limit; returns whether it has ended. */
  boolean endsWithin(Duration limit) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (process.isAlive() && System.nanoTime() < end) {
      lookAgain();
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
    return !process.isAlive();
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  long pid() {
    return process.pid();
  }

  int exitCode() {
    return process.exitValue();
  }

  /** Waits until {@code steps} updates of the process' only run are recorded. */
  void awaitSteps(int steps) throws IOException, InterruptedException {
    awaitWhileRunning(() -> steps() >= steps, steps + " steps");
  }

  /** A condition on files. */
  @FunctionalInterface
  interface Sight {
    boolean seen() throws IOException;
  }

  /**
   * Waits for a condition, which must hold before the process ends.
   *
   * @param sight the condition
   * @param what its name in a failure
   */
  void awaitWhileRunning(Sight sight, String what) throws IOException, InterruptedException {
    await(() -> !process.isAlive() || isSeen(sight), what, LIMIT);
    if (!process.isAlive()) {
      throw new AssertionError("ended before " + what + "\n" + everythingSaid());
    }
  }

  private static boolean isSeen(Sight sight) {
    try {
      return sight.seen();
    } catch (IOException | RuntimeException e) {
      return false; // The file does not exist yet, or is incomplete.
    }
  }

  /** Recorded updates of the process' only run. */
  long steps() {
    try (Stream<Path> runs = Files.list(directory.resolve("runs"))) {
      Path log = new RunDirectory(runs.findFirst().orElseThrow()).masterLog();
      return Files.readAllLines(log).stream()
          .filter(line -> line.contains("\"type\":\"step\""))
          .count();
    } catch (IOException | RuntimeException e) {
      return 0;
    }
  }

  /** Waits until no process that this one started is left. */
  void awaitNoDescendants(Duration limit) throws IOException, InterruptedException {
    await(() -> seen.stream().noneMatch(AmbProcess::runs), "the end of all ranks", limit);
  }

  private void await(BooleanSupplier condition, String what, Duration limit)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      lookAgain();
      if (System.nanoTime() > end) {
        String text = "waited for " + what + " for " + limit + "\n" + everythingSaid();
        close();
        throw new AssertionError(text);
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
  }

  /**
   * Looks from time to time, as reading the process table takes a millisecond of processor time.
   */
  private void lookAgain() {
    if (System.nanoTime() - looked > LOOK_NANOS) {
      look();
    }
  }

  private void look() {
    looked = System.nanoTime();
    try (Stream<ProcessHandle> all = process.descendants()) {
      all.filter(handle -> !seen.contains(handle)).forEach(seen::add);
    }
  }

  /** Number of processes that this one has started so far, as far as observed. */
  int startedProcesses() {
    return seen.size();
  }

  /** The process of a rank, identified by its command line. */
  ProcessHandle rank(int rank) {
    return findRank(rank).orElseThrow(() -> new AssertionError("no process of rank " + rank));
  }

  /** The process of a rank, if it runs. */
  Optional<ProcessHandle> findRank(int rank) {
    return living(words -> isRank(words, rank)).stream().findFirst();
  }

  private static boolean isRank(List<String> words, int rank) {
    int main = words.indexOf("io.github.amb.runtime.Train");
    return main >= 0 && words.get(main + 1).equals(Integer.toString(rank));
  }

  /** Running processes that this one has started, with a matching command line. */
  List<ProcessHandle> living(Predicate<List<String>> line) {
    look();
    return seen.stream().filter(AmbProcess::runs).filter(p -> line.test(words(p))).toList();
  }

  /** Words of a command line; Java does not return the arguments of one longer than a page. */
  private static List<String> words(ProcessHandle handle) {
    try {
      return List.of(Files.readString(Path.of("/proc/" + handle.pid() + "/cmdline")).split("\0"));
    } catch (IOException e) {
      return List.of();
    }
  }

  /** Whether a process runs. A zombie, which may stay in a container, does not. */
  private static boolean runs(ProcessHandle handle) {
    try {
      String stat = Files.readString(Path.of("/proc/" + handle.pid() + "/stat"));
      return handle.isAlive() && stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
    } catch (IOException e) {
      return false;
    }
  }

  /** Stops the process (SIGSTOP). */
  void stop() throws IOException, InterruptedException {
    look();
    signal("STOP", process.toHandle());
  }

  /** Sends a process a signal. */
  static void signal(String name, ProcessHandle process) throws IOException, InterruptedException {
    signal(name, Long.toString(process.pid()));
  }

  /** Sends a signal to the process' own process group. */
  void signalGroup(String name) throws IOException, InterruptedException {
    look();
    signal(name, "-" + process.pid());
  }

  private static void signal(String name, String target) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, "--", target).start().waitFor();
  }

  /** Waits until a rank's process has ended. */
  void awaitEnd(ProcessHandle rank, Duration limit) throws IOException, InterruptedException {
    await(() -> !runs(rank), "the end of a rank", limit);
  }

  /** Asks the process to end (SIGTERM). */
  void terminate() {
    look();
    process.destroy();
  }

  /** Kills the process (SIGKILL). */
  void kill() {
    look();
    process.destroyForcibly();
  }

  List<String> stdout() throws IOException {
    return Files.readAllLines(directory.resolve("stdout"));
  }

  List<String> stderr() throws IOException {
    return Files.readAllLines(directory.resolve("stderr"));
  }

  /** The process' only run directory. */
  RunDirectory run() throws IOException {
    try (Stream<Path> runs = Files.list(directory.resolve("runs"))) {
      List<Path> all = runs.toList();
      if (all.size() != 1) {
        throw new IllegalStateException("expected one run, found " + all);
      }
      return new RunDirectory(all.get(0));
    }
  }

  /** Standard output, standard error and the ranks' logs, for the report of a failed test. */
  String everythingSaid() {
    return FailureReport.logs(directory);
  }

  @Override
  public void close() {
    look();
    FailureReport.ending(Stream.concat(Stream.of(process.toHandle()), seen.stream()));
    seen.forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    seen.forEach(ProcessHandle::destroyForcibly);
  }
}
