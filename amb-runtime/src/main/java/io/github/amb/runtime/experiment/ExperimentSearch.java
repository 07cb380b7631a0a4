package io.github.amb.runtime.experiment;

import io.github.amb.core.scheme.context.Budget;
import io.github.amb.runtime.config.ConfigFile;
import io.github.amb.runtime.config.PlacedValue;
import io.github.amb.runtime.config.Settings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The search for the best settings of each variant of an experiment. All variants have as many
 * trials. What a trial comes to depends on its runs alone, whose directories are named after their
 * settings: so a search that was interrupted is repeated without making a run twice.
 *
 * @param file the experiment, with a search
 * @param maker makes runs
 */
record ExperimentSearch(Experiment file, Maker maker) {
  private static final Comparator<Tried> BEST_FIRST =
      Comparator.comparing(Tried::trial, Trial.BEST_FIRST);

  /** Makes the runs of an experiment that are missing, as far as it can, and returns all. */
  @FunctionalInterface
  interface Maker {
    List<ExperimentRun> made(Experiment experiment) throws IOException, InterruptedException;
  }

  /**
   * What a file says of its search.
   *
   * @param search how settings are proposed
   * @param of measure that judges trials, by its mean over seeds
   * @param seeds of the runs of each trial
   * @param factor of successive halving: one trial in so many has the next budget; 1 for no halving
   * @param least budget of successive halving
   * @param place file and line
   */
  record Plan(
      Search search, RunMeasure of, List<Long> seeds, double factor, double least, String place) {
    /** The budgets of a trial, the smallest one first. */
    List<Double> rungs(Budget budget) {
      return factor == 1 ? List.of(budget.amount()) : Search.rungs(least, budget.amount(), factor);
    }

    /** A mean as trials have it, where smaller is better, and the other way round. */
    double turned(double mean) {
      return of.of().moreIsBetter() ? -mean : mean;
    }
  }

  /** A trial of a variant, and that variant with the trial's settings. */
  record Tried(ExperimentVariant of, ExperimentVariant variant, Trial trial) {}

  /**
   * What a search has come to.
   *
   * @param experiment of the best trials; without variants if there are no trials
   * @param trials that were judged, by variant, the best one first; empty without a search
   * @param isComplete whether no run was missing
   */
  record Found(Experiment experiment, List<Tried> trials, boolean isComplete) {}

  /** Searches, if the file asks for it, until a run is missing that cannot be made. */
  static Found of(Experiment file, Maker maker) throws IOException, InterruptedException {
    return file.search() == null
        ? new Found(file, List.of(), true)
        : new ExperimentSearch(file, maker).found();
  }

  private Found found() throws IOException, InterruptedException {
    List<Tried> all = new ArrayList<>();
    boolean complete = true;
    List<Tried> batch = next(all);
    while (complete && !batch.isEmpty()) {
      List<Tried> alive = batch;
      int rungs = file.search().rungs(file.budget()).size();
      for (int rung = 0; complete && rung < rungs; rung++) {
        List<Tried> judged = judged(alive, rung);
        complete = judged.size() == alive.size();
        all.removeAll(alive);
        all.addAll(complete ? judged : alive);
        alive = best(judged);
      }
      batch = next(all);
    }
    List<Tried> ordered = new ArrayList<>();
    file.variants().forEach(one -> of(one, all).sorted(BEST_FIRST).forEach(ordered::add));
    ordered.removeIf(one -> one.trial().rung() < 0);
    Map<ExperimentVariant, ExperimentVariant> best = new LinkedHashMap<>();
    ordered.forEach(one -> best.putIfAbsent(one.of(), one.variant()));
    List<Long> others = new ArrayList<>(file.seeds());
    others.removeAll(file.search().seeds());
    List<Long> seeds = others.isEmpty() ? file.seeds() : others;
    return new Found(
        file.with(List.copyOf(best.values()), seeds, file.budget()), ordered, complete);
  }

  private static Stream<Tried> of(ExperimentVariant variant, List<Tried> all) {
    return all.stream().filter(one -> one.of() == variant);
  }

  private List<Tried> next(List<Tried> all) {
    List<Tried> next = new ArrayList<>();
    for (ExperimentVariant one : file.variants()) {
      List<Trial> done = of(one, all).map(Tried::trial).toList();
      for (Trial trial : file.search().search().next(done)) {
        Map<String, PlacedValue> values = new LinkedHashMap<>();
        String place = file.search().place();
        trial.values().forEach((k, v) -> values.put(k, new PlacedValue(place, v, null, null)));
        Settings settings = ConfigFile.options(values, new ArrayList<>()).over(one.settings());
        next.add(new Tried(one, new ExperimentVariant(one.points(), settings), trial));
      }
    }
    return next;
  }

  /** Those of each variant that go on. */
  private List<Tried> best(List<Tried> judged) {
    return file.variants().stream()
        .flatMap(
            one -> {
              int kept = Search.kept((int) of(one, judged).count(), file.search().factor());
              return of(one, judged).sorted(BEST_FIRST).limit(kept);
            })
        .toList();
  }

  /** Trials with what they come to on a rung; none if a run is missing. */
  private List<Tried> judged(List<Tried> trials, int rung)
      throws IOException, InterruptedException {
    Plan plan = file.search();
    Budget budget = new Budget(file.budget().unit(), plan.rungs(file.budget()).get(rung));
    List<ExperimentVariant> variants = trials.stream().map(Tried::variant).toList();
    Experiment experiment = file.with(variants, plan.seeds(), budget);
    List<ExperimentRun> runs = maker.made(experiment);
    if (!runs.stream().allMatch(ExperimentRun::isDone)) {
      return List.of();
    }
    ExperimentResults results = ExperimentResults.read(experiment, runs);
    return trials.stream()
        .map(
            one -> {
              // NaN if a seed has no number.
              double[] values = results.of(plan.of(), one.variant());
              double loss = plan.turned(Arrays.stream(values).sum() / values.length);
              return new Tried(one.of(), one.variant(), one.trial().judged(rung, loss));
            })
        .toList();
  }

  /** The trials for people; empty without a search. */
  static String page(Experiment file, Found found) {
    Plan plan = file.search();
    if (plan == null) {
      return "";
    }
    List<String> headings = new ArrayList<>(List.of("variant", "trial"));
    plan.search().space().stream().map(Parameter::name).forEach(headings::add);
    headings.addAll(List.of(file.budget().unit(), plan.of().name()));
    MarkdownTable table = new MarkdownTable(headings);
    for (Tried one : found.trials()) {
      List<String> cells = new ArrayList<>(List.of(one.of().name(), "" + one.trial().number()));
      cells.addAll(one.trial().values().values());
      double budget = plan.rungs(file.budget()).get(one.trial().rung());
      cells.addAll(List.of(Rounded.of(budget), Rounded.of(plan.turned(one.trial().loss()))));
      table.row(cells);
    }
    return "\n## Search\n\nTrials by `%s`, judged by `%s` with seeds %s, the best one first.\n%s\n\n%s"
        .formatted(
            plan.search().estimates() ? "tpe" : "random",
            plan.of().name(),
            plan.seeds(),
            plan.seeds().containsAll(found.experiment().seeds())
                ? "**All other numbers of this page are of the same seeds, and favor the best trial.**"
                : "All other numbers of this page are of the best trials with other seeds.",
            table);
  }
}
