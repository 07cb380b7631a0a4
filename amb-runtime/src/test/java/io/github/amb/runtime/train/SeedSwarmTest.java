package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Thousands of random runs with random faults: scheme, codec, options, campaign and losses of power
 * are drawn from a seed. {@code -Damb.swarm.seeds=FROM..TO} sets the seeds; {@code scripts/swarm}
 * runs many.
 */
class SeedSwarmTest {
  private static final String SEEDS = "amb.swarm.seeds";
  private static final int MAX_FAILURES = 10;

  /** Seeds after which all classes and pools exist, and threads and files that come and go. */
  private static final int WARM = 50;

  private static final int SLACK = 8;

  /** A limit against a run that hangs; it takes milliseconds. */
  private static final Duration HANGS = Duration.ofSeconds(60);

  /**
   * Runs seeds without JUnit.
   *
   * @param arguments FROM..TO, and {@code stop} to end at the first that fails, as it is
   */
  public static void main(String[] arguments) throws IOException {
    List<String> failures = run(arguments[0], arguments.length > 1);
    System.exit(failures.isEmpty() ? 0 : 1);
  }

  @Test
  @Timeout(value = 6, unit = TimeUnit.HOURS)
  void everySeedKeepsItsPromises() throws IOException {
    List<String> failures = run(System.getProperty(SEEDS, "1..1000"), false);
    if (!failures.isEmpty()) {
      throw new AssertionError(String.join("\n", failures));
    }
  }

  private static List<String> run(String seeds, boolean stops) throws IOException {
    String[] range = seeds.split("\\.\\.");
    long from = Long.parseLong(range[0]);
    long to = Long.parseLong(range[range.length - 1]);
    List<String> failures = new ArrayList<>();
    int threads = Integer.MAX_VALUE;
    long files = Long.MAX_VALUE;
    try (SwarmWorld world = new SwarmWorld()) {
      for (long seed = from; seed <= to && failures.size() < (stops ? 1 : MAX_FAILURES); seed++) {
        SwarmCase drawn = SwarmCase.draw(seed);
        Optional<Throwable> failure = failure(world, drawn);
        if (seed == from + WARM) {
          threads = Thread.activeCount();
          files = files();
        }
        boolean counts = (seed - from) % WARM == 0 && failure.isEmpty();
        if (counts && (Thread.activeCount() - SLACK > threads || files() - SLACK > files)) {
          failures.add("seed " + seed + ": threads or files are left open");
        } else if (failure.isPresent()) {
          failures.add(
              stops ? "seed " + seed + ": " + failure.get() : report(world, drawn, failure.get()));
        }
      }
    }
    failures.forEach(System.err::println);
    return failures;
  }

  private static long files() throws IOException {
    Path open = Path.of("/proc/self/fd"); // Linux alone has it.
    if (Files.notExists(open)) {
      return 0;
    }
    try (Stream<Path> all = Files.list(open)) {
      return all.count();
    }
  }

  private static Optional<Throwable> failure(SwarmWorld world, SwarmCase drawn) {
    try {
      assertTimeoutPreemptively(HANGS, () -> world.check(drawn));
      return Optional.empty();
    } catch (Throwable e) {
      return Optional.of(e);
    }
  }

  /** The simplest case that fails, too. */
  private static String report(SwarmWorld world, SwarmCase drawn, Throwable found) {
    SwarmCase simplest = drawn;
    Throwable failure = found;
    boolean simpler = true;
    while (simpler) {
      simpler = false;
      for (SwarmCase other : simplest.simpler()) {
        Optional<Throwable> again = failure(world, other);
        if (again.isPresent()) {
          simplest = other;
          failure = again.get();
          simpler = true;
          break;
        }
      }
    }
    StringBuilder text = new StringBuilder();
    text.append("seed ").append(drawn.seed()).append(": ").append(found.getMessage());
    text.append("\nsimplest: ").append(failure).append('\n').append(simplest.file());
    for (StackTraceElement at : failure.getStackTrace()) {
      if (at.getClassName().startsWith("io.github.amb")) {
        text.append("  at ").append(at).append('\n');
      }
    }
    return text.toString();
  }
}
