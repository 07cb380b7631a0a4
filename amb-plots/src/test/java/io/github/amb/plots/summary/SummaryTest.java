package io.github.amb.plots.summary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.DropRecord;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.RecordLog;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.core.statistic.PairedEstimate;
import io.github.amb.plots.ExampleRun;
import io.github.amb.plots.panel.Panels;
import io.github.amb.plots.panel.Point;
import io.github.amb.plots.panel.Series;
import io.github.amb.plots.panel.View;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunGroup;
import io.github.amb.plots.run.RunReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SummaryTest {
  private static final double EXACT = 1e-12;

  private static final SummaryView WHOLE = new SummaryView(0, List.of(), "", false, false);

  @TempDir Path folder;

  @Test
  void numbersAreThoseComputedByHand() {
    RunDirectory amb = new ExampleRun("amb").secondsPerStep(1).batchSize(96).write(folder);
    RunDirectory fmb = new ExampleRun("fmb").write(folder);

    Summary summary = Summary.of(List.of(amb, fmb), SummaryTarget.USUAL, null);

    // Accuracies are 1 - 1 / (1.1 + step / 4) at steps 5, 10, ...: 0.8985 at 35, 0.9099 at 40.
    assertEquals(0.9, summary.target().getAsDouble());
    assertFalse(summary.targetGiven());
    assertEquals(1, summary.baseline());
    SummaryRow row = summary.rows().get(0);
    assertEquals("amb rms 96", row.run());
    assertEquals("amb", row.id());
    assertEquals(2, row.workers());
    assertEquals(40, row.time(), EXACT);
    assertEquals(40, row.steps());
    assertEquals(40 * 2 * 96, row.examples());
    assertEquals(1 - 1 / 11.1, row.finalAccuracy(), EXACT);
    assertEquals(1 - 1 / 11.1, row.bestAccuracy(), EXACT);
    assertEquals(40, row.timeToTarget(), EXACT);
    assertEquals(1, row.secondsPerStep(), EXACT);
    assertEquals(192, row.examplesPerSecond(), EXACT);
    assertEquals(2, row.speedUpToTarget(), EXACT);
    assertEquals(3, row.speedUpExamples(), EXACT);
    assertEquals(1, summary.rows().get(1).speedUpToTarget(), EXACT);
    assertEquals(64, summary.rows().get(1).examplesPerSecond(), EXACT);
  }

  @Test
  void idleAndSleepAreSharesOfTheWorkersAccountedTime() {
    RunDirectory run = new ExampleRun("fmb").write(folder);

    SummaryRow row = Summary.of(List.of(run), SummaryTarget.USUAL, null).rows().get(0);

    // Two workers wait 0.5 s and send 0.1 s in all steps but the first; their computing takes
    // 40 * (0.5 + 1.0) s and twice 0.01 s * sum of (3 step mod 7) = 122, and half of it is sleep.
    double compute = 40 * 1.5 + 2 * 1.22;
    double idle = 2 * 39 * 0.5;
    double total = compute + idle + 2 * 39 * 0.1;
    assertEquals(idle / total, row.idleShare(), EXACT);
    assertEquals(compute / 2 / total, row.sleepShare(), EXACT);
  }

  @Test
  void targetIsTheHighestThatAllEvaluatedRunsReached() {
    RunDirectory good = new ExampleRun("fmb").write(folder);
    RunDirectory poor = new ExampleRun("amb").steps(12).write(folder);
    RunDirectory blind = new ExampleRun("async").evaluateEvery(0).write(folder);

    Summary summary = Summary.of(List.of(good, poor, blind), SummaryTarget.USUAL, null);

    // The poor run's last evaluation, at step 10, is 1 - 1/3.6 = 0.722.
    assertEquals(0.7, summary.target().getAsDouble());
    assertEquals(20, summary.rows().get(0).timeToTarget(), EXACT);
    assertTrue(Double.isNaN(summary.rows().get(2).timeToTarget()));
    assertTrue(Double.isNaN(summary.rows().get(2).finalAccuracy()));
  }

  @Test
  void givenTargetThatARunDidNotReachHasNoTime() {
    RunDirectory good = new ExampleRun("fmb").write(folder);
    RunDirectory poor = new ExampleRun("amb").steps(10).write(folder);

    Summary summary =
        Summary.of(List.of(good, poor), SummaryTarget.accuracy(OptionalDouble.of(0.85)), null);

    assertTrue(summary.targetGiven());
    assertEquals(50, summary.rows().get(0).timeToTarget(), EXACT); // 1 - 1/7.35 at step 25
    assertTrue(Double.isNaN(summary.rows().get(1).timeToTarget()));
    assertTrue(Double.isNaN(summary.rows().get(1).speedUpToTarget()));
  }

  @Test
  void baselineIsTheFirstRunWithStepsWhereNoneIsFmb() {
    RunDirectory empty = new ExampleRun("esync").steps(0).write(folder);
    RunDirectory first = new ExampleRun("async").write(folder);
    RunDirectory second = new ExampleRun("amb").secondsPerStep(4).write(folder);

    Summary summary = Summary.of(List.of(empty, first, second), SummaryTarget.USUAL, null);

    assertEquals(1, summary.baseline());
    assertEquals(0.5, summary.rows().get(2).speedUpExamples(), EXACT);
    assertTrue(Double.isNaN(summary.rows().get(0).time()));
  }

  @Test
  void syncIsABaselineAsFmbIs() {
    RunDirectory first = new ExampleRun("async").write(folder);
    RunDirectory second = new ExampleRun("sync").write(folder);

    assertEquals(1, Summary.of(List.of(first, second), SummaryTarget.USUAL, null).baseline());
  }

  @Test
  void tableHasDashesForUnknownValues() {
    RunDirectory fmb = new ExampleRun("fmb").write(folder);
    RunDirectory blind = new ExampleRun("amb").evaluateEvery(0).write(folder);

    String[] lines =
        SummaryTable.of(Summary.of(List.of(fmb, blind), SummaryTarget.USUAL, null), WHOLE)
            .split("\n");

    assertEquals(
        "fmb rms 64        2  80.00     40      5120    0.9099    0.9099  0.05000  0.05000"
            + "     80.00      10.00      1.00   2.000     64.00        1.00  35.7   28.6",
        lines[2]);
    assertEquals(
        "amb rms 64        2  80.00     40      5120         –         –        –        –"
            + "         –          –         –   2.000     64.00        1.00  35.7   28.6",
        lines[3]);
    assertTrue(lines[5].startsWith("Time to 0.9: "), lines[5]);
    assertTrue(lines[5].contains("all runs with evaluations reached"), lines[5]);
    assertTrue(lines[6].startsWith("Warning: tests are more than 10 % "), lines[6]);
    assertEquals("Speed-up: over 'fmb rms 64'.", lines[7]);
  }

  @Test
  void aRunThatDivergedHasAStateAndNoNumber() throws Exception {
    List<RunDirectory> runs = new ArrayList<>();
    for (int seed = 1; seed <= 3; seed++) {
      runs.add(new ExampleRun("fmb").id("fmb" + seed).seed(seed).write(folder));
    }
    RunDirectory diverged = new ExampleRun("amb").secondsPerStep(0.1).write(folder);
    for (RunDirectory run : List.of(runs.get(2), diverged)) {
      String cause = "step 12: " + RunInfo.DIVERGED;
      run.write(run.read().withEnding(new RunInfo.Ending(1, cause, 8, 40, null)));
    }
    runs.add(diverged);

    Summary summary = Summary.of(runs, SummaryTarget.USUAL, null);

    SummaryRow row = summary.rows().get(3);
    assertEquals("diverged", row.state());
    assertEquals(40, row.steps());
    for (double number :
        List.of(
            row.time(),
            row.finalAccuracy(),
            row.bestLoss(),
            row.timeToTarget(),
            row.speedUpToTarget(),
            row.speedUpExamples())) {
      assertTrue(Double.isNaN(number));
    }
    SummaryGroup fmb = summary.groups().get(0);
    assertEquals("diverged, 1 of 3", fmb.state());
    assertEquals(
        (summary.rows().get(0).finalAccuracy() + summary.rows().get(1).finalAccuracy()) / 2,
        fmb.mean(SummaryRow::finalAccuracy),
        EXACT);
    String table = SummaryTable.of(summary, WHOLE);
    assertTrue(table.contains("  diverged, 1 of 3  "), table);
    JsonNode json = JsonMapper.builder().build().readTree(SummaryData.json(summary));
    assertEquals("diverged", json.get("runs").get(3).get("state").asText());
    assertTrue(json.get("runs").get(3).get("time").isNull());
  }

  @Test
  void runsThatDifferInTestingAloneHaveNoSpeedUp() {
    RunDirectory often = new ExampleRun("fmb").with("evaluate-every", 5).write(folder);
    RunDirectory seldom =
        new ExampleRun("fmb").id("s").with("evaluate-every", 10).evaluateEvery(10).write(folder);

    Summary summary = Summary.of(List.of(often, seldom), SummaryTarget.USUAL, null);

    assertTrue(Double.isNaN(summary.rows().get(1).speedUpToTarget()));
    assertEquals(10, summary.rows().get(0).testsApart(), EXACT);
    assertEquals(20, summary.rows().get(1).testsApart(), EXACT);
  }

  @Test
  void aLossIsATargetAndMayBeBetweenTests() {
    RunDirectory run = new ExampleRun("fmb").write(folder);
    // Losses are 2 / step at steps 5, 10, ...: 0.4, 0.2, 0.1333.
    SummaryTarget at = SummaryTarget.of(OptionalDouble.empty(), OptionalDouble.of(0.3), false);
    SummaryTarget between = SummaryTarget.of(OptionalDouble.empty(), OptionalDouble.of(0.3), true);

    assertEquals(20, Summary.of(List.of(run), at, null).rows().get(0).timeToTarget(), EXACT);
    assertEquals(15, Summary.of(List.of(run), between, null).rows().get(0).timeToTarget(), EXACT);
    SummaryRow row = Summary.of(List.of(run), at, null).rows().get(0);
    assertEquals(0.05, row.finalLoss(), EXACT);
    assertEquals(0.05, row.bestLoss(), EXACT);
  }

  @Test
  void jsonHasFullPrecision() throws Exception {
    RunDirectory blind = new ExampleRun("amb").evaluateEvery(0).write(folder);

    JsonNode json =
        JsonMapper.builder()
            .build()
            .readTree(SummaryData.json(Summary.of(List.of(blind), SummaryTarget.USUAL, null)));

    assertTrue(json.get("target_accuracy").isNull());
    assertEquals("amb rms 64", json.get("baseline").asText());
    JsonNode row = json.get("runs").get(0);
    assertEquals(80, row.get("time").asDouble());
    assertEquals(5120, row.get("examples").asLong());
    assertTrue(row.get("final_accuracy").isNull());
  }

  @Test
  void metricsStandForAMissingAccuracy() throws Exception {
    RunDirectory run = new ExampleRun("lm").steps(20).evaluateEvery(10).withMetrics().write(folder);
    RunDirectory other = new ExampleRun("cnn").steps(20).evaluateEvery(10).write(folder);
    Summary summary = Summary.of(List.of(run), SummaryTarget.USUAL, null);
    List<List<String>> table = SummaryColumns.table(summary, SummaryColumns.keys());
    assertEquals("1.105", table.get(1).get(table.get(0).indexOf("perplexity final")));
    assertFalse(table.get(0).contains("accuracy final"), table.get(0)::toString);
    JsonNode json = new JsonMapper().readTree(SummaryData.json(summary));
    assertEquals(Math.exp(0.1), json.at("/runs/0/metrics/perplexity").asDouble(), 1e-15);
    Summary both = Summary.of(List.of(run, other), SummaryTarget.USUAL, null);
    assertTrue(SummaryColumns.table(both, SummaryColumns.keys()).get(0).contains("accuracy final"));
    assertTrue(
        SummaryData.csv(both).lines().findFirst().orElseThrow().contains("metric_perplexity"));
  }

  @Test
  void csvHasOneLinePerRun() {
    RunDirectory fmb = new ExampleRun("fmb").write(folder);
    RunDirectory blind = new ExampleRun("fmb").id("b").with("codec", "a").steps(0).write(folder);

    String csv =
        SummaryData.csv(
            Summary.of(List.of(fmb, blind), SummaryTarget.accuracy(OptionalDouble.of(0.9)), null));

    assertEquals(
        """
        run,id,workers,state,time,steps,examples,final_accuracy,best_accuracy,final_loss,best_loss,\
        time_to_target,tests_apart,seconds_per_step,examples_per_second,speed_up_to_target,\
        speed_up_examples,idle_share,sleep_share,goodput,slow_share,delayed_share,discarded_share,\
        absent_share,waiting_share,worker_seconds_to_target,target_accuracy,target_loss,\
        option_batch_size,option_codec,option_scheme,option_update_rule
        fmb rms 64,fmb,2,done,80,40,5120,0.90990991,0.90990991,0.05,0.05,80,10,2,64,1,1,\
        0.357012083,0.28579275,0.195,0.000125,0.195125,0,0,0.60975,160,0.9,,64,,fmb,rms
        "fmb rms 64, codec a",b,0,done,,0,0,,,,,,,,,,,,,,,,,,,,0.9,,64,a,fmb,rms
        """,
        csv);
  }

  @Test
  void seedsAreOneRowWithTheIntervalOfTheirMean() {
    List<RunDirectory> runs =
        List.of(
            new ExampleRun("fmb").write(folder),
            new ExampleRun("amb").id("a").seed(1).secondsPerStep(1).write(folder),
            new ExampleRun("amb").id("b").seed(2).secondsPerStep(3).write(folder));

    Summary summary = Summary.of(runs, SummaryTarget.accuracy(OptionalDouble.of(0.9)), null);

    SummaryGroup amb = summary.groups().get(1);
    assertEquals("amb rms 64 (2 seeds)", amb.label());
    // 40 and 120 s; of two seeds the interval is from the smaller to the larger.
    assertEquals(80, amb.mean(SummaryRow::time), EXACT);
    assertEquals(40, amb.half(SummaryRow::time), EXACT);
    String table = SummaryTable.of(summary, WHOLE);
    assertTrue(table.contains("80.00 ±40.00"), table);
    assertFalse(table.contains("40 ±"), table);
    assertEquals(3, summary.rows().size());
  }

  /** Of ratios 4, 1 and 1/4, the mean is 1; that of the times would be 21 by 21, by chance. */
  @Test
  void aSpeedUpIsThatOfExperiments() {
    double[] base = {4, 2, 1};
    double[] own = {1, 2, 4};
    List<RunDirectory> runs = new ArrayList<>();
    for (int i = 0; i < base.length; i++) {
      runs.add(new ExampleRun("fmb").id("f" + i).seed(i).secondsPerStep(base[i]).write(folder));
    }
    for (int i = base.length - 1; i >= 0; i--) {
      runs.add(new ExampleRun("amb").id("a" + i).seed(i).secondsPerStep(own[i]).write(folder));
    }
    // A seed that the baseline lacks counts for the means alone.
    runs.add(new ExampleRun("amb").id("alone").seed(9).secondsPerStep(100).write(folder));

    Summary summary = Summary.of(runs, SummaryTarget.accuracy(OptionalDouble.of(0.6)), null);

    PairedEstimate found = summary.groups().get(1).speedUp(SummaryRow::time);
    assertEquals(PairedEstimate.ofRatios(base, own).seeds(), found.seeds());
    assertEquals(1, found.band().mean(), EXACT);
    // Student's t of 2 degrees of freedom is 4.302653; the deviation of the logarithms is log 4.
    double half = 4.302653 * Math.log(4) / Math.sqrt(3);
    assertEquals(Math.exp(half), found.band().high(), 1e-4);
    assertEquals(Math.exp(-half), found.band().low(), 1e-4);
    assertEquals(4, summary.rows().get(5).speedUpExamples(), EXACT);
    String table = SummaryTable.of(summary, WHOLE);
    assertTrue(table.contains("3 seeds"), table);
  }

  @Test
  void thereIsNoSpeedUpBetweenDataSetsOrNetworks() {
    RunDirectory fmb = new ExampleRun("fmb").with("data-set", "mnist").write(folder);
    RunDirectory other = new ExampleRun("amb").with("data-set", "digits").write(folder);

    Summary summary = Summary.of(List.of(fmb, other), SummaryTarget.USUAL, null);

    assertTrue(Double.isNaN(summary.rows().get(1).speedUpToTarget()));
    assertTrue(Double.isNaN(summary.rows().get(1).speedUpExamples()));
    assertTrue(
        SummaryColumns.notes(summary)
            .contains(
                "No speed-up where data set, network or kind of time is another than the"
                    + " baseline's, or where testing alone is."));
  }

  @Test
  void thereIsNoSpeedUpBetweenRealAndVirtualTime() {
    RunDirectory fmb = new ExampleRun("fmb").write(folder);
    RunDirectory amb = new ExampleRun("amb").with("engine", "sim").write(folder);

    Summary summary = Summary.of(List.of(fmb, amb), SummaryTarget.USUAL, null);

    assertTrue(Double.isNaN(summary.rows().get(1).speedUpToTarget()));
    assertTrue(SummaryColumns.notes(summary).contains("Time is virtual in amb rms 64."));
  }

  @Test
  void theBaselineIsTheOneChosen() {
    RunDirectory fmb = new ExampleRun("fmb").write(folder);
    RunDirectory amb = new ExampleRun("amb").secondsPerStep(1).write(folder);
    List<RunDirectory> runs = List.of(fmb, amb);

    Summary summary = Summary.of(runs, SummaryTarget.USUAL, "amb");

    assertEquals(1, summary.baseline());
    assertEquals(0.5, summary.rows().get(0).speedUpExamples(), EXACT);
    assertEquals(1, Summary.of(runs, SummaryTarget.USUAL, "amb rms 64").baseline());
    for (String wrong : List.of("esync", "rms")) {
      assertThrows(UsageException.class, () -> Summary.of(runs, SummaryTarget.USUAL, wrong), wrong);
    }
  }

  @Test
  void aTableHasTheColumnsAndTheOrderThatWereChosen() {
    RunDirectory fmb = new ExampleRun("fmb").write(folder);
    RunDirectory amb = new ExampleRun("amb").secondsPerStep(1).write(folder);
    Summary summary = Summary.of(List.of(fmb, amb), SummaryTarget.USUAL, null);

    String[] lines =
        SummaryTable.of(summary, new SummaryView(0, List.of("time", "final"), "time", false, false))
            .split("\n");

    assertEquals("run          time  accuracy", lines[0]);
    assertEquals("amb rms 64  40.00    0.9099", lines[2]);
    assertEquals("fmb rms 64  80.00    0.9099", lines[3]);
    assertThrows(UsageException.class, () -> new SummaryView(0, List.of("tmie"), "", false, false));
  }

  @Test
  void rowsWithoutAValueAreLastInReverseToo() {
    RunDirectory empty = new ExampleRun("esync").steps(0).write(folder);
    RunDirectory fmb = new ExampleRun("fmb").write(folder);
    RunDirectory amb = new ExampleRun("amb").secondsPerStep(1).write(folder);
    Summary summary = Summary.of(List.of(empty, amb, fmb), SummaryTarget.USUAL, null);

    String[] lines =
        SummaryTable.of(summary, new SummaryView(0, List.of("time"), "time", true, false))
            .split("\n");

    assertEquals("fmb rms 64    80.00", lines[2]);
    assertEquals("amb rms 64    40.00", lines[3]);
    assertEquals("esync rms 64      –", lines[4]);
  }

  @Test
  void aTableFitsItsTerminal() {
    RunDirectory fmb = new ExampleRun("fmb").write(folder);
    Summary summary = Summary.of(List.of(fmb), SummaryTarget.USUAL, null);

    for (int width : new int[] {60, 80, 100}) {
      String table = SummaryTable.of(summary, new SummaryView(width, List.of(), "", false, false));
      assertTrue(
          table.lines().limit(3).allMatch(line -> line.length() <= width),
          width + " columns:\n" + table);
    }
  }

  @Test
  void jsonHasGroupsAndConfigurations() throws Exception {
    RunDirectory run = new ExampleRun("fmb").with("codec", "a").write(folder);

    JsonNode json =
        JsonMapper.builder()
            .build()
            .readTree(SummaryData.json(Summary.of(List.of(run), SummaryTarget.USUAL, null)));

    assertEquals("a", json.get("runs").get(0).get("configuration").get("codec").asText());
    assertEquals(80, json.get("groups").get(0).get("time").asDouble());
    assertEquals(0, json.get("groups").get(0).get("time_half").asDouble());
  }

  /** Updates take 2 s; the one after the change comes 7 s after the one before it. */
  @Test
  void theCostOfARankFailureIsReported() throws Exception {
    RunDirectory run = new ExampleRun("fmb").steps(0).evaluateEvery(0).write(folder);
    Files.delete(run.masterLog());
    try (RecordLog log = new RecordLog(run)) {
      for (double time : new double[] {2, 4, 6}) {
        log.accept(step(time));
      }
      log.accept(new MembershipRecord(6, 3, 2, List.of(1, 3), "lost rank 2", 128));
      for (double time : new double[] {13, 15, 17}) {
        log.accept(step(time));
      }
    }
    Summary summary = Summary.of(List.of(run), SummaryTarget.USUAL, null);
    assertEquals(5, summary.rows().get(0).lost().get(0).seconds(), EXACT);
    List<String> notes = SummaryColumns.notes(summary);
    String expected =
        ": 5.00 s and 128 examples lost after step 3, continuing with workers 1, 3: lost rank 2.";
    assertTrue(notes.stream().anyMatch(note -> note.endsWith(expected)), notes.toString());
  }

  /**
   * Two workers for 20 s. Worker 1 computes 30 examples in 3 s, three times, of which the last
   * comes too late; worker 2 is delayed by 2 s, computes 20 examples in 4 s, and is gone after 10
   * s, when 5 examples are discarded. The median is 0.1 s per example.
   */
  @Test
  void goodputIsWhatAnIdealClusterWouldHaveNeeded() throws Exception {
    RunDirectory run = new ExampleRun("fmb").steps(0).evaluateEvery(0).write(folder);
    Files.delete(run.masterLog());
    try (RecordLog log = new RecordLog(run)) {
      log.accept(result(4, 1, 1, 30, 0, 3));
      log.accept(result(9, 2, 1, 30, 0, 3));
      log.accept(result(9, 2, 2, 20, 2, 6));
      log.accept(step(10));
      log.accept(new MembershipRecord(10, 2, 2, List.of(1), "lost rank 2", 5));
      log.accept(new DropRecord(19, 2, 1, 30, 1, 1, 0, 3));
      log.accept(step(20));
      log.accept(new DropRecord(21, 2, 1, 30, 1, 1, 0, 3));
    }
    SummaryRow row = Summary.of(List.of(run), SummaryTarget.USUAL, null).rows().get(0);
    Goodput of = row.goodput();
    assertEquals(8 / 40.0, of.goodput(), EXACT);
    assertEquals(2 / 40.0, of.slowShare(), EXACT);
    assertEquals(2 / 40.0, of.delayedShare(), EXACT);
    assertEquals(3.5 / 40, of.discardedShare(), EXACT);
    assertEquals(10 / 40.0, of.absentShare(), EXACT);
    assertEquals((40 - 8 - 2 - 2 - 3.5 - 10) / 40, of.waitingShare(), EXACT);
    Run read = RunReader.readAll(List.of(run)).get(0);
    List<Series> bars =
        Panels.named("goodput").series(List.of(new RunGroup("", List.of(read))), View.PLAIN);
    assertEquals(of.percent(), bars.get(0).points().stream().map(Point::y).toList());
    assertEquals(100, of.percent().stream().mapToDouble(share -> share).sum(), 100 * EXACT);
    assertEquals(0.0, new Goodput(1, 0, 0, 0, 0, -1e-16).percent().get(1)); // And not -0.0.
    assertEquals(2 * 10 + 5, Goodput.workerSeconds(read, 15), EXACT);
    assertEquals(2 * 7, Goodput.workerSeconds(read, 7), EXACT);
    JsonNode json =
        JsonMapper.builder()
            .build()
            .readTree(SummaryData.json(Summary.of(List.of(run), SummaryTarget.USUAL, null)));
    assertEquals(0.25, json.get("runs").get(0).get("absent_share").asDouble(), EXACT);
  }

  private static WorkerRecord result(
      double time, long step, int rank, long examples, double sleep, double compute) {
    return new WorkerRecord(time, step, rank, examples, 1, false, 0, 0, 0, sleep, compute, 0, 0);
  }

  private static StepRecord step(double time) {
    return new StepRecord(time, (long) time, 1, 0.1, 64, 64, 0, 0, 0, 0);
  }

  @Test
  void targetOutOfRangeIsRejected() {
    RunDirectory run = new ExampleRun("fmb").write(folder);

    for (double target : new double[] {0, -1, 1.01, 90, Double.NaN}) {
      UsageException rejected =
          assertThrows(
              UsageException.class,
              () ->
                  Summary.of(
                      List.of(run), SummaryTarget.accuracy(OptionalDouble.of(target)), null));
      assertTrue(rejected.getMessage().contains(Double.toString(target)), rejected.getMessage());
    }
    assertThrows(UsageException.class, () -> Summary.of(List.of(), SummaryTarget.USUAL, null));
  }
}
