package io.github.amb.runtime.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.scheme.context.Budget;
import io.github.amb.runtime.config.TrainSettings;
import io.github.amb.runtime.experiment.ExperimentSearch.Found;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentSearchTest {
  private static final String FILE =
      """
      description: Rates.
      options: {data-set: toy, update-rule: sgd, batch-size: 8, workers: 1, engine: sim,
        cost-per-example: 1, learning-rate: 0.1}
      matrix:
        scheme: [fmb, async]
      seeds: 1..3
      budget: updates=27
      measures:
        loss: {of: loss}
      search:
        by: %s
        runs: 27
        batch: %d
        of: loss
        seeds: [1]
        space:
          learning-rate: {log: [1e-4, 1]}
          weight-decay: {uniform: [0, 0.1]}
      """;
  private static final String HALVING = "  halving: {factor: 3, from: 3}\n";

  @TempDir Path folder;

  /** What was made: directories with budgets. */
  private final List<String> made = new ArrayList<>();

  private Experiment read(String text) throws IOException {
    return ExperimentFile.read(Files.writeString(folder.resolve("rates.yaml"), text), false, null);
  }

  private Found search(Experiment experiment, int runs) throws Exception {
    int most = made.size() + runs;
    return ExperimentSearch.of(
        experiment,
        one -> {
          List<ExperimentRun> all = ExperimentPlan.of(one, null, folder.resolve("runs"), false);
          for (ExperimentRun run : all) {
            if (!run.isDone() && made.size() < most) {
              make(run);
            }
          }
          return all;
        });
  }

  private Found search(Experiment experiment) throws Exception {
    return search(experiment, Integer.MAX_VALUE / 2);
  }

  /** A run whose loss is its rate's distance from 0.01 and falls with its updates. */
  private void make(ExperimentRun run) throws IOException {
    Budget budget = Budget.parse(run.settings().get(TrainSettings.BUDGET));
    made.add(run.directory().path().getFileName() + " " + budget);
    long step = (long) budget.amount();
    double rate = Double.parseDouble(run.settings().given(TrainSettings.LEARNING_RATE));
    double loss = Math.abs(Math.log10(rate) + 2) + 1.0 / step;
    Files.createDirectories(run.directory().path());
    var ending = new RunInfo.Ending(0, "done", step, 2, null);
    Map<String, Object> options = Map.of("budget", budget.toString());
    run.directory().write(new RunInfo(2, "r", "", null, options, 1, null, Map.of(), ending));
    String records =
        """
        {"type":"step","time":%1$d,"step":%1$d,"loss":1,"learning_rate":1,"num_samples":8,"total_samples":8}
        {"type":"evaluation","time":%1$d,"step":%1$d,"test_loss":%2$s,"accuracy":0,"test_size":1}
        """;
    Files.writeString(run.directory().masterLog(), records.formatted(step, loss));
  }

  private static List<String> trials(Found found) {
    return found.trials().stream()
        .map(one -> one.of().name() + " " + one.trial())
        .collect(Collectors.toList());
  }

  private Map<String, Long> counts() {
    return made.stream()
        .collect(
            Collectors.groupingBy(one -> one.replaceAll("-s\\d.* ", " "), Collectors.counting()));
  }

  /** 27, ⌊27 / 3⌋ and ⌊27 / 9⌋ trials of each scheme, in three budgets. */
  @Test
  void halvingMakesTheRunsOfItsPaper() throws Exception {
    Found found = search(read(FILE.formatted("random", 27) + HALVING));

    assertTrue(found.isComplete());
    assertEquals(
        Map.of(
            "fmb updates=3",
            27L,
            "fmb updates=9",
            9L,
            "fmb updates=27",
            3L,
            "async updates=3",
            27L,
            "async updates=9",
            9L,
            "async updates=27",
            3L),
        counts());
    assertEquals(54, found.trials().size());
    assertEquals(List.of(2L, 3L), found.experiment().seeds());
    assertEquals(
        List.of("fmb", "async"),
        found.experiment().variants().stream().map(ExperimentVariant::name).toList());
  }

  /** Of random trials the best one is known: the loss falls with the distance from 0.01. */
  @Test
  void theBestTrialIsReported() throws Exception {
    Found found = search(read(FILE.formatted("random", 27) + HALVING));

    double best =
        found.trials().stream()
            .mapToDouble(one -> Double.parseDouble(one.trial().values().get("learning-rate")))
            .map(rate -> Math.abs(Math.log10(rate) + 2))
            .min()
            .orElseThrow();
    for (ExperimentVariant one : found.experiment().variants()) {
      double rate = Double.parseDouble(one.settings().given(TrainSettings.LEARNING_RATE));
      assertEquals(best, Math.abs(Math.log10(rate) + 2), 1e-12);
    }
  }

  @Test
  void anInterruptedSearchHasTheSameTrials() throws Exception {
    Experiment experiment = read(FILE.formatted("tpe", 9) + HALVING);
    List<String> whole = trials(search(experiment));
    List<String> once = List.copyOf(made);
    Files.move(folder.resolve("runs"), folder.resolve("others"));
    made.clear();

    int calls = 0;
    Found found = search(experiment, 7);
    while (!found.isComplete()) {
      assertTrue(calls++ < once.size(), "no progress");
      found = search(experiment, 7);
    }

    assertEquals(whole, trials(found));
    assertEquals(once, made);
    assertEquals(once.size(), Set.copyOf(once).size());
    assertEquals(whole, trials(search(experiment, 0)));
  }

  private ExperimentRun run(Experiment experiment, Budget budget) throws IOException {
    Experiment part = experiment.with(experiment.variants(), List.of(1L), budget);
    return ExperimentPlan.of(part, null, folder.resolve("runs"), false).get(0);
  }

  @Test
  void eachRunContinuesTheOneWithTheSmallerBudget() throws Exception {
    Experiment experiment = read(FILE.formatted("random", 27) + HALVING);
    ExperimentRun run = run(experiment, experiment.budget());
    ExperimentRun least = run(experiment, new Budget("updates", 3));
    ExperimentRun next = run(experiment, new Budget("updates", 9));
    make(least);
    Files.createDirectories(run.directory().checkpoints().resolve("step-000000003"));

    assertTrue(least.isDone());
    assertFalse(next.isDone());
    assertTrue(next.isUnfinished());
    assertTrue(next.resume().contains("--budget=updates=9"));
    make(run);
    assertTrue(next.isDone());
  }

  @Test
  void whatIsWrongWithASearchIsSaid() {
    String wrong =
        FILE.formatted("random", 27)
            .replace("{log: [1e-4, 1]}", "{log: [0, 1]}")
            .replace("{uniform: [0, 0.1]}", "{integer: [1, 2.5]}")
            .replace("seeds: [1]", "seeds: [7]")
            .replace("budget: updates=27\n", "");
    UsageException e = assertThrows(UsageException.class, () -> read(wrong + HALVING));
    Set<String> lines = new TreeSet<>();
    e.getMessage().lines().forEach(line -> lines.add(line.replaceAll("^.* line (\\d+): .*", "$1")));
    assertEquals(new TreeSet<>(List.of("14", "16", "17", "18")), lines, e.getMessage());
  }
}
