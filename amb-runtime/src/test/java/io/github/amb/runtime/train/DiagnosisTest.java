package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.SlowRecord;
import io.github.amb.core.record.WorkerRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a run says of its slow workers and links, scored against the truth: of 100 that become slow
 * at a time that is drawn, at least 95 are named, and none else; nothing in 100 quiet runs.
 */
class DiagnosisTest extends VirtualRuns {
  private static final int STEPS = 300;
  private static final int WORKERS = 8;

  /** Steps before a change that the usual times need, and after it that the newest ones need. */
  private static final int BEFORE = 100;

  private static final int AFTER = 60;

  private static final List<String> SCHEMES =
      List.of(
          "fmb sgd 16",
          "amb sgd 32 --amb-time-limit 1.5 --amb-num-partitions 16",
          "k-sync sgd 16 --num-aggregate 6",
          "async sgd 16");

  /** None, a little in each step, and heavy ones in some. */
  private static final List<String> DELAYS =
      List.of("", " --induce 0,.1,1", " --induce 0,0,.5;0,.2,.4;2,.3,.1");

  private final Random random = new Random(5);

  private String command(int number) {
    String scheme = SCHEMES.get(number % SCHEMES.size());
    int steps = scheme.startsWith("async") ? WORKERS * STEPS : STEPS;
    return "toy %s --gradients none --parameters 1000 --engine sim --workers %d --last-step %d"
            .formatted(scheme, WORKERS, steps)
        + " --cost-per-example 0.06 --latency 0.01 --seed "
        + (number + 1)
        + DELAYS.get(number / SCHEMES.size() % DELAYS.size());
  }

  private static Stream<String> named(RunDirectory run) throws IOException {
    return LogRecord.of(SlowRecord.class, run.masterRecords()).stream()
        .filter(SlowRecord::slower)
        .map(SlowRecord::place)
        .distinct();
  }

  @Tag("lab")
  @Test
  void nothingIsNamedInQuietRuns() throws IOException {
    assertNothingIsNamed(24);
  }

  @Tag("claims")
  @Test
  void nothingIsNamedInAHundredQuietRuns() throws IOException {
    assertNothingIsNamed(100);
  }

  private void assertNothingIsNamed(int runs) throws IOException {
    for (int i = 0; i < runs; i++) {
      assertEquals(List.of(), named(train("quiet" + i, command(i))).toList(), command(i));
    }
  }

  @Tag("lab")
  @Test
  void slowWorkersAreNamed() throws IOException {
    assertSlowWorkersAreNamed(24);
  }

  @Tag("claims")
  @Test
  void ninetyFiveSlowWorkersAreNamed() throws IOException {
    assertSlowWorkersAreNamed(95);
  }

  /** At most one in twenty is missed. */
  private void assertSlowWorkersAreNamed(int runs) throws IOException {
    List<String> missed = new ArrayList<>();
    for (int i = 0; i < runs; i++) {
      int rank = 1 + random.nextInt(WORKERS);
      int step = BEFORE + random.nextInt(STEPS - BEFORE - AFTER);
      double factor = 1.5 + random.nextInt(30) / 10.0;
      int from = command(i).contains("async") ? WORKERS * step : step;
      String fault =
          " --inject slow:rank=%d,step=%d,steps=9999,factor=%s".formatted(rank, from, factor);
      List<String> found = named(train("slow" + i, command(i) + fault)).toList();
      if (!found.equals(List.of("computing of worker " + rank))) {
        missed.add(command(i) + fault + " " + found);
      }
    }
    assertTrue(missed.size() <= (runs + 5) / 20, String.join("\n", missed));
  }

  /** Links that become slow at times that the cluster draws, for long enough. */
  @Tag("lab")
  @Test
  void slowLinksAreNamed() throws IOException {
    List<String> missed = new ArrayList<>();
    int runs = 0;
    for (int i = 0; runs < 5; i++) {
      int rank = 1 + random.nextInt(WORKERS);
      String before = "{}, ".repeat(rank - 1);
      String after = ", {}".repeat(WORKERS - rank);
      String slow = "slow: {factor: 60, length: 300, gap: 300}";
      Path file =
          Files.writeString(
              directory.resolve(i + ".yaml"),
              "version: 1\nnodes: [%s{link: {bandwidth: 1e6, latency: .01, %s}}%s]\n"
                  .formatted(before, slow, after));
      RunDirectory run = train("link" + i, command(i) + " --cluster " + file);
      if (becameSlow(run, rank)) {
        runs++;
        List<String> found = named(run).toList();
        if (!found.equals(List.of("network of worker " + rank))) {
          missed.add(command(i) + " " + rank + " " + found);
        }
      }
    }
    assertEquals(List.of(), missed);
  }

  /** Whether the first long waits of a worker's results begin late, and are many. */
  private static boolean becameSlow(RunDirectory run, int rank) throws IOException {
    List<WorkerRecord> results = LogRecord.of(WorkerRecord.class, run.workerRecords(rank));
    boolean[] slow = new boolean[results.size()];
    for (int i = 0; i < slow.length; i++) {
      slow[i] = results.get(i).masterWaitTime() - results.get(i).computeTime() > 1;
    }
    int first = 0;
    while (first < slow.length && !slow[first]) {
      first++;
    }
    int last = first;
    while (last < slow.length && slow[last]) {
      last++;
    }
    return first >= BEFORE && last - first >= AFTER;
  }
}
