package io.github.amb.it.watch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.Amb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A run of two workers in processes that trains until it is closed. */
final class ServedRun implements AutoCloseable {
  private static final Pattern URL = Pattern.compile("amb: serving (http://\\S+)\n");
  private static final long LIMIT_MINUTES = 5;
  private static final long POLL_MILLIS = 50;

  private final Process amb;
  private final Path output;
  private final RunDirectory run;

  private ServedRun(Process amb, Path output, RunDirectory run) {
    this.amb = amb;
    this.output = output;
    this.run = run;
  }

  /**
   * Starts training.
   *
   * @param folder receives the output and the run directory
   * @param options further options, separated by spaces
   */
  static ServedRun start(Path folder, String options) throws IOException {
    Path run = folder.resolve("run");
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-Xmx1g",
            "-XX:TieredStopAtLevel=1",
            "-Damb.rank.jvm=-XX:TieredStopAtLevel=1"));
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), Amb.class.getName()));
    line.addAll(List.of("train", "toy", "fmb", "adm", "16", "--workers", "2"));
    line.addAll(List.of("--last-step", "100000000", "--run-directory", run.toString()));
    line.addAll(List.of(options.split(" ")));
    Path output = folder.resolve("output.txt");
    ProcessBuilder builder =
        new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().put("OMP_NUM_THREADS", "1");
    return new ServedRun(builder.start(), output, new RunDirectory(run));
  }

  RunDirectory directory() {
    return run;
  }

  /** What the program has printed. */
  String printed() throws IOException {
    return Files.readString(output);
  }

  /** The addresses that are served, in the order printed; waits for {@code count} of them. */
  List<String> urls(int count) throws IOException, InterruptedException {
    List<String> urls = new ArrayList<>();
    await(
        () -> {
          urls.clear();
          Matcher found = URL.matcher(printed());
          while (found.find()) {
            urls.add(found.group(1));
          }
          return urls.size() == count;
        });
    return urls;
  }

  /** Something that will be true. */
  @FunctionalInterface
  interface Sight {
    boolean seen() throws IOException, InterruptedException;
  }

  /** Waits for something that must come true before the run ends. */
  void await(Sight sight) throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(LIMIT_MINUTES);
    while (!sight.seen()) {
      assertTrue(amb.isAlive() && System.nanoTime() < end, printed());
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
  }

  /** Waits for the end of the program; returns its exit code. */
  int ended() throws InterruptedException {
    assertTrue(amb.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES), "expected the end of the program");
    return amb.exitValue();
  }

  @Override
  public void close() {
    List<ProcessHandle> ranks = amb.descendants().toList();
    amb.destroyForcibly();
    ranks.forEach(ProcessHandle::destroyForcibly);
    amb.onExit().join();
  }
}
