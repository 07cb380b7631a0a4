package io.github.amb.runtime.experiment;

import io.github.amb.core.record.RunInfo;
import io.github.amb.core.scheme.context.Budget;
import io.github.amb.core.statistic.Band;
import io.github.amb.core.statistic.PairedEstimate;
import io.github.amb.runtime.config.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The page that an experiment ends with, in Markdown. */
record ExperimentReport(
    Experiment experiment, ExperimentResults results, RecordedRuns recorded, StringBuilder text) {

  private static final double LEAST_P = 0.001;

  /**
   * The page.
   *
   * @param recorded what the runs say of themselves
   * @param runs all of the experiment's, whether they are done or not
   * @param trials of a search; empty without one
   * @param figures names of the files of figures beside the page
   */
  static String of(
      Experiment experiment,
      ExperimentResults results,
      RecordedRuns recorded,
      List<ExperimentRun> runs,
      String trials,
      List<String> figures) {
    return new ExperimentReport(experiment, results, recorded, new StringBuilder())
        .page(runs, trials, figures);
  }

  private String page(List<ExperimentRun> runs, String trials, List<String> figures) {
    long done =
        runs.stream().filter(run -> run.outcome().equals(RunInfo.State.DONE.toString())).count();
    text.append("# ").append(experiment.about().name()).append("\n\n");
    text.append(experiment.about().description().strip()).append("\n\n");
    text.append(
        done + " of " + runs.size() + " runs are done, with seeds " + experiment.seeds() + ".\n");
    text.append("Intervals are of the mean over seeds, 95 %, by Student's t.\n");
    text.append("Of two seeds they are the two values, and one seed has none.\n");
    text.append(
        "Values of p are of Student's t test, corrected by Holm for all rows of a table.\n");
    text.append("Medians have the quartiles, between which half of the seeds are.\n");
    Budget budget = experiment.budget();
    if (budget.isLimit()) {
      text.append("Numbers are taken at the first update that has used ");
      text.append(Rounded.of(budget.amount()) + " " + budget.unit() + ".\n");
    }
    if (!experiment.about().source().isEmpty()) {
      text.append("\nSource: ").append(experiment.about().source().strip()).append("\n");
    }
    claims();
    comparisons();
    measures();
    text.append(trials);
    figures.forEach(file -> text.append("\n![%s](%s)\n".formatted(file, file)));
    text.append("\n## Settings\n\n").append(VariantTable.of(experiment));
    commands();
    facts();
    return text.toString();
  }

  private void claims() {
    if (experiment.claims().isEmpty() && experiment.orders().isEmpty()) {
      return;
    }
    text.append("\n## Claims\n\n");
    MarkdownTable table =
        new MarkdownTable(
            List.of("number", "variant", "found", "95 %", "seeds", "claimed", "authors", "holds"));
    for (NumericClaim claim : experiment.claims()) {
      PairedEstimate found = results.of(claim);
      table.row(
          List.of(
              claim.of(),
              claim.variant(),
              number(found, results.undone(claim)),
              interval(found),
              seeds(found, 0),
              Rounded.of(claim.low()) + " to " + Rounded.of(claim.high()),
              Rounded.of(claim.authors()),
              claim.holds(found.band().mean()) ? "yes" : "**no**"));
    }
    for (ClaimedOrder order : experiment.orders()) {
      String authors = String.join(", ", order.variants());
      String found = String.join(", ", results.found(order));
      String holds = results.holds(order) ? "yes" : "**no**";
      String name = order.of().name();
      table.row(List.of(name, "best first", found, "–", "–", authors, "–", holds));
    }
    text.append(table);
  }

  private String seeds(PairedEstimate estimate, int heldOut) {
    return estimate.seeds() + " of " + (experiment.seeds().size() - heldOut);
  }

  private static String interval(PairedEstimate estimate) {
    Band band = estimate.band();
    return estimate.seeds() < 2
        ? Rounded.of(Double.NaN)
        : Rounded.of(band.low(), band) + " to " + Rounded.of(band.high(), band);
  }

  private static String quartiles(PairedEstimate estimate) {
    return estimate.seeds() == 0
        ? Rounded.of(Double.NaN)
        : "%s (%s to %s)"
            .formatted(
                Rounded.of(estimate.quartiles().median()),
                Rounded.of(estimate.quartiles().low()),
                Rounded.of(estimate.quartiles().high()));
  }

  private void comparisons() {
    for (PairedComparison comparison : experiment.comparisons()) {
      text.append(
          "\n## %s\n\n%s of %s, paired by seed, against `%s`.%s\n\n"
              .formatted(
                  comparison.name(),
                  phrase(comparison.kind()),
                  comparison.measure().name(),
                  comparison.baseline(),
                  choice(comparison)));
      MarkdownTable table =
          new MarkdownTable(
              List.of("variant", "against", "mean", "95 %", "p", "median (quartiles)", "seeds"));
      for (ExperimentResults.Row row : results.rows(comparison)) {
        table.row(
            List.of(
                row.variant().name(),
                row.baseline().name(),
                number(row.estimate(), results.undone(row)),
                interval(row.estimate()),
                row.p() < LEAST_P ? "<" + LEAST_P : Rounded.of(row.p()),
                quartiles(row.estimate()),
                seeds(row.estimate(), comparison.chosenWith().size())));
      }
      text.append(table);
    }
  }

  /** How the best points were chosen; empty if none were. */
  private String choice(PairedComparison comparison) {
    if (comparison.best().isEmpty()) {
      return "";
    }
    String how =
        comparison.chosenWith().isEmpty()
            ? "chosen with the seeds that are compared: the intervals do not contain the choice,"
                + " and each mean favors its variant (`choose-with` holds seeds out)"
            : "chosen with the seeds %s, which are not compared".formatted(comparison.chosenWith());
    return " Of `%s` in %s, the best point of each, %s."
        .formatted(comparison.best(), String.join(", ", results.grid(comparison)), how);
  }

  /** A mean, or what the runs have come to; with both if some of the runs have no number. */
  private static String number(PairedEstimate estimate, String undone) {
    double mean = estimate.band().mean();
    String rounded = Rounded.of(mean, estimate.band());
    if (undone.isEmpty()) {
      return rounded;
    }
    return Double.isNaN(mean) ? undone : rounded + " (" + undone + ")";
  }

  private static String phrase(PairedComparison.Kind kind) {
    return switch (kind) {
      case SPEED_UP -> "Speed-up (geometric mean)";
      case RATIO -> "Ratio (geometric mean)";
      case DIFFERENCE -> "Difference";
    };
  }

  private void measures() {
    text.append("\n## Numbers\n\n");
    List<String> headings = new ArrayList<>(List.of("variant"));
    for (RunMeasure measure : experiment.measures()) {
      String unit = measure.of().unit();
      headings.add(measure.name() + (unit.isEmpty() ? "" : " (" + unit + ")"));
      headings.addAll(List.of("95 %", "median (quartiles)"));
      if (measure.hasTarget()) {
        headings.addAll(List.of("reached", "tests apart"));
      }
    }
    MarkdownTable table = new MarkdownTable(headings);
    for (ExperimentVariant variant : experiment.variants()) {
      List<String> cells = new ArrayList<>(List.of(variant.name()));
      for (RunMeasure measure : experiment.measures()) {
        PairedEstimate found = results.estimate(measure, variant);
        cells.add(number(found, results.undone(variant)));
        cells.add(interval(found));
        cells.add(quartiles(found));
        if (measure.hasTarget()) {
          cells.add(seeds(found, 0));
          cells.add(Rounded.of(results.resolution(measure, variant)));
        }
      }
      table.row(cells);
    }
    text.append(table);
    if (experiment.measures().stream().anyMatch(RunMeasure::hasTarget)) {
      text.append(
          "\nTests apart: how much less the number would be if the test before had reached");
      text.append(" the target, mean over seeds.\nIntervals do not contain it.\n");
    }
    results.warnings().forEach(line -> text.append("\n**Warning:** ").append(line).append(".\n"));
  }

  private void commands() {
    text.append("\n## Commands\n\nEach with `--seed` and a number.\n\n```sh\n");
    for (ExperimentVariant variant : experiment.variants()) {
      text.append("# %s\namb %s\n".formatted(variant.name(), command(variant.settings())));
    }
    text.append("```\n");
  }

  private static String command(Settings settings) {
    return ExperimentRun.arguments(settings).stream()
        .map(word -> word.matches("[\\w./:,=+@-]+") ? word : "'" + word + "'")
        .collect(Collectors.joining(" "));
  }

  /** What the runs say of the machine, each value that there is. */
  private void facts() {
    text.append("\n## Made with\n\n");
    MarkdownTable table = new MarkdownTable(List.of("what", "of the runs"));
    recorded
        .environment()
        .forEach(
            (fact, values) ->
                table.row(List.of(fact.replace('_', ' '), String.join("; ", values))));
    text.append(table);
  }
}
