package io.github.amb.runtime.runs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.amb.api.Training;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import io.github.amb.runtime.runs.WhatIf.Change;
import io.github.amb.runtime.runs.WhatIf.Slow;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WhatIfTest {
  private static final int BATCH = 20;
  private static final double COST = 0.5;

  @TempDir Path folder;

  private static Training.Builder run(String scheme, int workers) {
    Training.Builder run =
        Training.builder().data("optdigits").network("logistic-regression").scheme(scheme);
    run.workers(workers).batchSize(BATCH).option("update-rule", "sgd");
    return run.option("evaluate", "last");
  }

  private Path trained(Training.Builder run, int steps) {
    Path directory = folder.resolve("run-" + System.nanoTime());
    run.option("last-step", steps).runDirectory(directory).run();
    return directory;
  }

  private static WhatIf whatIf(Path directory) throws IOException {
    return new WhatIf(new RunDirectory(directory));
  }

  private static Change change(WhatIf run, String what) throws IOException {
    return run.changes(1).stream().filter(c -> c.what().equals(what)).findFirst().orElseThrow();
  }

  /** The step takes the slowest worker's time: 20 examples at 0.5 s and half the speed are 20 s. */
  @Test
  void slowWorkerHasTheWholeShare() throws IOException {
    WhatIf run =
        whatIf(
            trained(run("fmb", 3).option("cost-per-example", COST).option("speed", "1,0.5,1"), 12));

    assertEquals(20, run.recorded.secondsPerStep(), 1e-9);
    assertEquals(20, run.predicted.secondsPerStep(), 1e-9);
    assertEquals(10, run.ideal.secondsPerStep(), 1e-9);
    assertEquals(2, run.slowdown(), 1e-9);
    Slow slowest = run.slow().get(0);
    assertEquals(2, slowest.worker());
    assertEquals(1, slowest.share(), 1e-9);
    assertTrue(slowest.always());
    assertFalse(slowest.delay());
    assertEquals(10, slowest.without().secondsPerStep(), 1e-9);
    assertEquals(0, run.slow().get(1).share(), 1e-9);
  }

  /** Values that stand for a number, such as auto, are those of the run again. */
  @ParameterizedTest
  @ValueSource(strings = {"auto", "auto:accuracy", "inf", "4"})
  void timeLimitIsTheRuns(String limit) throws IOException {
    Training.Builder amb = run("amb", 3).option("amb-time-limit", limit);
    amb.option("amb-num-partitions", 5).option("cost-per-example", COST);

    WhatIf run = whatIf(trained(amb.option("speed", "1,0.5,1"), 30));

    assertEquals(run.recorded.secondsPerStep(), run.predicted.secondsPerStep(), 1e-9);
  }

  /** Every fourth batch of worker 3 begins 30 s late; a step takes 10 s otherwise. */
  @Test
  void delayNowAndThenIsNamed() throws IOException {
    StringBuilder rows = new StringBuilder("worker,sleep_time,seconds_per_example\n");
    for (int worker = 1; worker <= 3; worker++) {
      for (int i = 0; i < 4; i++) {
        rows.append(worker).append(worker == 3 && i == 3 ? ",30," : ",0,").append(COST + "\n");
      }
    }
    Path times = Files.writeString(folder.resolve("times.csv"), rows);

    WhatIf run = whatIf(trained(run("fmb", 3).option("worker-times", times), 41));

    assertEquals(17.5, run.recorded.secondsPerStep(), 1e-9);
    assertEquals(run.recorded.secondsPerStep(), run.predicted.secondsPerStep(), 1e-9);
    Slow slowest = run.slow().get(0);
    assertEquals(3, slowest.worker());
    assertEquals(1, slowest.share(), 1e-9);
    assertFalse(slowest.always());
    assertTrue(slowest.delay());
  }

  /** Slow times are in the recorded times already; slow links, of 0.1 to 0.4 s here, are not. */
  @Test
  void theClusterOfARunIsUsedAgain() throws IOException {
    String cluster =
        "{version: 1, nodes: [{slow: {factor: 3, length: 20, gap: 60}},"
            + " {link: {latency: .1, slow: {factor: 9, length: 30, gap: 90}, bandwidth: 1e6}}]}";
    Training.Builder fmb =
        run("fmb", 3).option("cost-per-example", COST).option("cluster", cluster);

    WhatIf run = whatIf(trained(fmb, 30));

    assertEquals(run.recorded.secondsPerStep(), run.predicted.secondsPerStep(), 1e-6);
    assertTrue(run.slowdown() > 1.05);
  }

  /** What is predicted from a run of fmb is what those schemes then do on the same cluster. */
  @Test
  void otherSchemesAreAsFastAsPredicted() throws IOException {
    String[][] cluster = {
      {"cost-per-example", "0.5"}, {"speed", "1,0.25,0.8,1"}, {"latency", "0.1"}
    };
    Training.Builder fmb = run("fmb", 4);
    Training.Builder async = run("async", 4);
    Training.Builder kSync = run("k-sync", 4).option("num-aggregate", 3);
    for (String[] option : cluster) {
      Stream.of(fmb, async, kSync).forEach(run -> run.option(option[0], option[1]));
    }
    WhatIf run = whatIf(trained(fmb, 30));

    List<StepRecord> asyncSteps = async.option("last-step", 120).run().steps();
    List<StepRecord> kSyncSteps = kSync.option("last-step", 30).run().steps();

    // The ends of both runs cut a batch of a worker: 4 of 120.
    assertEquals(
        WhatIf.Speed.of(asyncSteps).examplesPerSecond(),
        change(run, "async").speed().examplesPerSecond(),
        4.0 / 120 * WhatIf.Speed.of(asyncSteps).examplesPerSecond());
    double expected = WhatIf.Speed.of(kSyncSteps).secondsPerStep();
    double found = change(run, "k-sync --num-aggregate 3").speed().secondsPerStep();
    assertEquals(expected, found, 0.02 * expected);
    List<Change> changes = run.changes(2);
    for (int i = 1; i < changes.size(); i++) {
      assertTrue(
          changes.get(i - 1).speed().examplesPerSecond()
              >= changes.get(i).speed().examplesPerSecond());
    }
  }

  private static Training.Builder onLinks(String topology, String codec) {
    Training.Builder run = run("fmb", 5).option("cost-per-example", 0.001);
    return run.option("bandwidth", 1e6).option("topology", topology).option("codec", codec);
  }

  /** The five slices of 650 parameters are of equal length. */
  @Test
  void slicesAreAsFastAsPredicted() throws IOException {
    WhatIf star = whatIf(trained(onLinks("star", "none"), 6));
    WhatIf sliced = whatIf(trained(onLinks("sliced", "none"), 6));
    double expected = sliced.recorded.secondsPerStep();
    assertEquals(expected, sliced.predicted.secondsPerStep(), 1e-6);
    assertEquals(expected, change(star, "--topology sliced").speed().secondsPerStep(), 1e-6);
  }

  /** Without gradients a message lacks the codec's header of 16 bytes, and is one block. */
  @Test
  void codecsAreAsFastAsPredicted() throws IOException {
    WhatIf run = whatIf(trained(onLinks("star", "int8+min=1+biases"), 6));
    double bytes = 5 * (16 + Float.BYTES + Float.BYTES);
    assertEquals(
        run.recorded.secondsPerStep(), run.predicted.secondsPerStep(), bytes * Byte.SIZE / 1e6);
  }

  @Test
  void evenRunHasNoSlowdown() throws IOException {
    WhatIf run = whatIf(trained(run("fmb", 2).option("cost-per-example", COST), 5));

    assertEquals(1, run.slowdown(), 1e-9);
    assertEquals(0, run.slow().get(0).share(), 1e-9);
  }

  @Test
  void commandPrintsBothForms() throws Exception {
    Path run = trained(run("fmb", 2).option("cost-per-example", COST).option("speed", "1,0.5"), 5);

    String json = printed(run.toString(), "--format", "json");
    assertTrue(printed(run.toString()).contains("slowdown 1.33"), () -> json);

    JsonNode tree = new ObjectMapper().readTree(json);
    assertEquals(2, tree.at("/workers/0/worker").intValue());
    assertEquals(20, tree.at("/recorded/secondsPerStep").doubleValue(), 1e-9);
    assertTrue(tree.at("/changes").size() >= 4, json);
  }

  private static String printed(String... arguments) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    assertEquals(0, new WhatIfCommand().printingTo(out, out).run(List.of(arguments)));
    return bytes.toString(StandardCharsets.UTF_8);
  }

  @Test
  void runOfOneStepIsRejected() {
    Path run = trained(run("fmb", 2).option("cost-per-example", COST), 1);

    assertThrows(UsageException.class, () -> whatIf(run));
  }

  @Test
  void timesWithAnErrorAreRejectedWithTheirLine() throws IOException {
    String header = "worker,seconds_per_example\n";
    for (String rows : List.of("0,1\n2,1\n", "1,-1\n2,1\n", "1,1\n", "1.5,1\n2,1\n", "1,\n2,1\n")) {
      Path times = Files.writeString(folder.resolve("times.csv"), header + rows);
      Training.Builder run = run("fmb", 2).option("worker-times", times).option("last-step", 2);

      UsageException e = assertThrows(UsageException.class, run::run, rows);

      assertTrue(e.getMessage().contains("--worker-times: " + times), e.getMessage());
    }
    Training.Builder both = run("fmb", 2).option("worker-times", "none.csv").option("speed", "1,2");
    UsageException e = assertThrows(UsageException.class, both::run);
    assertTrue(e.getMessage().contains("--speed"), e.getMessage());
  }
}
