package io.github.amb.plots.panel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import io.github.amb.plots.ExampleRun;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunGroup;
import io.github.amb.plots.run.RunReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PanelsTest {
  @TempDir Path folder;

  /** Steps of 1 s, of which pairs are left: the steps between are no long ones. */
  @Test
  void lossAndMetricsStandForAMissingAccuracy() {
    Run run = read(new ExampleRun("lm").steps(20).evaluateEvery(5).withMetrics());
    List<String> main = Panels.ofType(Panels.MAIN, List.of(run)).stream().map(Panel::name).toList();
    assertTrue(
        main.containsAll(List.of("test_loss_vs_time", "perplexity_vs_step")), main::toString);
    assertFalse(main.contains("accuracy_vs_time"), main::toString);
    Drawing drawing =
        RunPanels.draw(List.of(run), List.of(Panels.named("perplexity_vs_time")), View.PLAIN);
    List<Point> points = drawing.contents().get(0).series().get(0).points();
    assertEquals(
        List.of(Math.exp(0.4), Math.exp(0.2)), points.stream().map(Point::y).limit(2).toList());
    assertThrows(UsageException.class, () -> Panels.named("acuracy_vs_time"));
  }

  @Test
  void metricsOfUpdatesHavePanels() {
    List<LogRecord> steps =
        LongStream.of(1, 2, 3)
            .<LogRecord>mapToObj(
                i -> {
                  Map<String, Double> metrics = i == 2 ? Map.of() : Map.of("k", 10.0 * i);
                  return new StepRecord(i, i, 1, 0, 1, i, 0, 0, 0, 0, metrics);
                })
            .toList();
    RunInfo info = RunInfo.foreign("logged", Map.of());
    Run run = new Run(new RunDirectory(folder), info, steps, List.of(), new TreeMap<>(), 0, false);

    List<String> all = Panels.ofType("panel_all", List.of(run)).stream().map(Panel::name).toList();
    assertTrue(all.containsAll(List.of("k_vs_step", "k_vs_time")), all::toString);
    Drawing drawing = RunPanels.draw(List.of(run), Panels.ofType("k_vs_step"), View.PLAIN);
    List<Point> points = drawing.contents().get(0).series().get(0).points();
    assertEquals(
        List.of(10.0, 30.0), points.stream().map(Point::y).filter(Double::isFinite).toList());
  }

  @Test
  void aThinnedRunHasTheTimesBetweenNeighbors() {
    List<LogRecord> steps =
        LongStream.of(1, 2, 17, 18, 33, 34)
            .<LogRecord>mapToObj(i -> new StepRecord(i, i, 1, 0, 1, i, 0, 0, 0, 0))
            .toList();
    RunInfo info = RunInfo.foreign("long", Map.of());
    Run run = new Run(new RunDirectory(folder), info, steps, List.of(), new TreeMap<>(), 0, true);
    Panel times =
        Panels.ofType("panel_hist").stream()
            .filter(panel -> panel.name().equals("hist_master_round_time"))
            .findFirst()
            .orElseThrow();
    assertEquals(OptionalDouble.of(1), times.constant(RunGroup.of(List.of(run))));
  }

  @Test
  void distributionsAreThirteen() {
    assertEquals(
        List.of(
            "comm_straggler_dist",
            "comp_straggler_dist",
            "hist_batch_size",
            "hist_compute_time",
            "hist_exit",
            "hist_master_round_time",
            "hist_queued_count",
            "hist_recv",
            "hist_send",
            "hist_staleness",
            "hist_total_samples",
            "hist_wait_time",
            "hist_worker_count"),
        Panels.ofType("panel_hist").stream().map(Panel::name).sorted().toList());
  }

  @Test
  void everyAxisOfThePredecessorsIsThere() {
    Set<String> missing =
        new TreeSet<>(
            Set.of(
                "loss_vs_step",
                "loss_vs_time",
                "hist_compute_time",
                "accuracy_vs_step",
                "accuracy_vs_time",
                "hist_batch_size",
                "cumsum_vs_step",
                "step_vs_time",
                "learning_rate_vs_step",
                "hist_total_samples",
                "hist_worker_count",
                "hist_wait_time",
                "hist_master_round_time",
                "hist_exit",
                "hist_send",
                "hist_recv",
                "hist_queued_count",
                "hist_staleness",
                "comp_straggler_dist",
                "comm_straggler_dist"));

    missing.removeAll(Panels.names());

    assertEquals(Set.of(), missing);
    assertEquals(Panels.names().size(), new HashSet<>(Panels.names()).size(), "names are unique");
  }

  @Test
  void everyPanelDrawsARunThatHasItsData() {
    Run run =
        read(
            new ExampleRun("amb-dg")
                .with("induce", "niagara")
                .with("async-delay-std", 0.1)
                .with("workers", 2));

    Drawing drawing = RunPanels.draw(List.of(run), Panels.ofType("panel_all"), View.PLAIN);

    assertEquals(List.of(), drawing.notes());
    assertEquals(
        Panels.ofType("panel_all").stream().map(Panel::name).toList(),
        drawing.contents().stream().map(content -> content.frame().name()).toList());
  }

  @Test
  void aSeedThatEndedEarlyIsNoted() throws IOException {
    List<RunDirectory> runs = new ArrayList<>();
    for (int seed : new int[] {1, 2, 3}) {
      runs.add(new ExampleRun("fmb").id("s" + seed).seed(seed).write(folder));
    }
    runs.get(1).write(runs.get(1).read().withEnding(null));
    Drawing drawing =
        RunPanels.draw(RunReader.readAll(runs), Panels.ofType(Panels.MAIN), View.PLAIN);

    assertEquals(
        List.of(
            runs.get(1).path()
                + ": ended early, or not yet; the mean of 'fmb rms 64 (3 seeds)' ends with it, or"
                + " lacks it"),
        drawing.notes());
  }

  @Test
  void queuedUpdatesAreTheStepsBetweenAWorkersParameters() {
    Run run = read(new ExampleRun("amb-dg").steps(4).staleness(1).workers(1));

    // Parameters of steps 0, 1, 2, 3 at the four gradients: one new update each time.
    assertEquals(List.of(100.0), heights(run, "hist_queued_count", 0.5));
    assertEquals(List.of(100.0), heights(run, "hist_staleness", 0.5));
  }

  @Test
  void firstRecordsUnknownTimesAreLeftOut() {
    Run run = read(new ExampleRun("fmb").steps(3).workers(1));

    List<Point> bins = points(run, "hist_recv", View.PLAIN);

    assertTrue(bins.get(0).x() > 0.3, "none at -1");
  }

  @Test
  void widthOfBinsOfTimesIsTheUsers() {
    Run run = read(new ExampleRun("fmb").steps(8));
    OptionalDouble none = OptionalDouble.empty();
    View view = new View(none, none, none, none, false, false, 0, OptionalDouble.of(0.25));

    List<Point> bins = points(run, "hist_compute_time", view);

    assertEquals(0.25, bins.get(2).x() - bins.get(1).x(), 1e-12);
  }

  @Test
  void accuracyIsAtTheBytesAndExamplesOfItsStep() {
    Run run = read(new ExampleRun("fmb").steps(4).evaluateEvery(2));

    // 1000 + 4000 bytes a step.
    assertEquals(
        List.of(0.01, 0.02),
        points(run, "accuracy_vs_bytes", View.PLAIN).stream().map(Point::x).toList());
    List<Double> examples = run.steps().stream().map(step -> (double) step.totalSamples()).toList();
    assertEquals(
        List.of(examples.get(1), examples.get(3)),
        points(run, "accuracy_vs_examples", View.PLAIN).stream().map(Point::x).toList());
    assertEquals(
        examples, points(run, "loss_vs_examples", View.PLAIN).stream().map(Point::x).toList());
    assertEquals(0.004, points(run, "bytes_per_update", View.PLAIN).get(0).y(), 1e-12);
  }

  @Test
  void esyncsFiguresAreThoseComputedByHand() {
    Run even = read(new ExampleRun("esync").with("workers", 2).steps(30));
    Run uneven =
        read(new ExampleRun("fmb").id("u").with("workers", 2).with("shards", "by-class").steps(30));
    Run alone = read(new ExampleRun("fmb").id("l").with("workers", 0).workers(1).steps(30));

    Drawing drawing =
        RunPanels.draw(List.of(even, uneven, alone), Panels.ofType("esync"), View.PLAIN);

    assertEquals(
        List.of(
            "accuracy_iid",
            "accuracy_non_iid",
            "data_throughput",
            "traffic_load",
            "computing_time_ratio"),
        drawing.contents().stream().map(content -> content.frame().name()).toList());
    // The evenly split run and the standalone line; the unevenly split one and the line.
    assertEquals(Set.of(0, 2), drawn(drawing, 0));
    assertEquals(Set.of(1, 2), drawn(drawing, 1));
    List<Point> line = drawing.contents().get(0).series().get(1).points();
    assertEquals(2, line.size());
    assertEquals(line.get(0).y(), line.get(1).y());
    // 2 workers of 64 examples in 2 s; 5000 bytes in 2 s; bars of two runs only.
    assertEquals(Set.of(0, 1), drawn(drawing, 2));
    assertEquals(64, bar(drawing, 2).y(), 1e-9);
    assertEquals(0.0025, bar(drawing, 3).y(), 1e-12);
    assertEquals(List.of("worker 1", "worker 2"), drawing.contents().get(4).frame().xNames());
  }

  @Test
  void theLineOfStandaloneSeedsIsTheirMean() {
    Run even = read(new ExampleRun("esync").with("workers", 2));
    ExampleRun alone = new ExampleRun("fmb").with("workers", 0).workers(1);
    List<Run> runs = new ArrayList<>(List.of(even));
    for (int seed = 1; seed <= 2; seed++) {
      runs.add(read(alone.id("alone-" + seed).seed(seed)));
    }
    runs.add(read(alone.id("untested").seed(3).evaluateEvery(0)));

    Panel panel = Panels.named("accuracy_iid");
    Drawing drawing = RunPanels.draw(runs, List.of(panel), View.PLAIN);

    double low = alone.seed(1).accuracy(40);
    double high = alone.seed(2).accuracy(40);
    Point first = drawing.contents().get(0).series().get(1).points().get(0);
    assertEquals(new Point(0, (low + high) / 2, low, high), first);
  }

  @Test
  void esyncsInputsAreOptional() {
    Run even = read(new ExampleRun("esync").with("workers", 2));

    Drawing drawing = RunPanels.draw(List.of(even), Panels.ofType("esync"), View.PLAIN);

    assertEquals(4, drawing.contents().size());
    assertEquals(List.of("accuracy_non_iid: no data of 'esync rms 64'"), drawing.notes());
  }

  @Test
  void seedsWithoutACommonTimeAreNamed() {
    ExampleRun example = new ExampleRun("fmb").steps(5);
    Run first = read(example.id("one").seed(1));
    Run second = read(example.id("two").seed(2).secondsPerStep(3));
    List<Panel> panels = List.of(Panels.named("accuracy_vs_time"));

    UsageException e =
        assertThrows(
            UsageException.class, () -> RunPanels.draw(List.of(first, second), panels, View.PLAIN));

    assertEquals(
        "accuracy_vs_time: the seeds of 'fmb rms 64 (2 seeds)' have no common time;"
            + " choose another x axis, or plot one run at a time",
        e.getMessage());
  }

  private static Point bar(Drawing drawing, int panel) {
    return drawing.contents().get(panel).series().get(0).points().get(0);
  }

  private static Set<Integer> drawn(Drawing drawing, int panel) {
    return drawing.contents().get(panel).series().stream()
        .map(Series::group)
        .collect(Collectors.toSet());
  }

  private static List<Double> heights(Run run, String panel, double atLeast) {
    return points(run, panel, View.PLAIN).stream()
        .map(Point::y)
        .filter(height -> height > atLeast)
        .toList();
  }

  private static List<Point> points(Run run, String panel, View view) {
    return Stream.of(RunPanels.draw(List.of(run), List.of(Panels.named(panel)), view))
        .flatMap(drawing -> drawing.contents().stream())
        .flatMap(Content::points)
        .toList();
  }

  private Run read(ExampleRun run) {
    return RunReader.read(run.write(folder));
  }

  @Test
  void overviewStatesValuesThatNeverChange() {
    List<Run> runs =
        Stream.of("fmb", "sync")
            .map(scheme -> RunReader.read(new ExampleRun(scheme).write(folder)))
            .toList();
    List<Panel> panels =
        Stream.of("loss_vs_step", "hist_staleness", "hist_batch_size").map(Panels::named).toList();

    Drawing overview = RunPanels.overview(runs, panels, View.PLAIN);
    Drawing constants = RunPanels.overview(runs, panels.subList(1, 3), View.PLAIN);

    assertEquals(1, overview.contents().size());
    assertEquals(
        "Always the same: staleness 0; batch size per worker 64 examples.", overview.caption());
    assertEquals(2, constants.contents().size(), "a figure is never empty");
    assertEquals(3, RunPanels.draw(runs, panels, View.PLAIN).contents().size());
  }

  @Test
  void virtualTimeIsNamedInEachUnit() {
    assertEquals("virtual time (s)", Quantity.TIME.virtual().label());
    assertEquals("virtual time (min)", Quantity.MINUTES.virtual().label());
    assertEquals("a: virtual time (s)", Quantity.real("a: time (s)").virtual().label());
    assertEquals("compute time per step (virtual s)", Quantity.COMPUTE_TIME.virtual().label());
    assertEquals("rate (MB/virtual s)", Quantity.real("rate (MB/s)").virtual().label());
    assertEquals(Quantity.BYTES, Quantity.BYTES.virtual());
  }
}
