package io.github.amb.runtime.experiment;

import io.github.amb.core.scheme.context.Budget;
import java.util.List;

/**
 * What a file asks for.
 *
 * @param about texts for people
 * @param heap of each run's Java, as {@code 4g}
 * @param variants the cells of its matrix
 * @param seeds each variant is run with each of them
 * @param measures numbers of each run
 * @param comparisons of variants, by seeds
 * @param claims what the numbers are expected to be
 * @param orders in which authors found variants to be
 * @param figures to be drawn
 * @param budget of each run, which ends it, and up to which its numbers are taken
 * @param search for the best settings of each variant; null for none
 */
record Experiment(
    About about,
    String heap,
    List<ExperimentVariant> variants,
    List<Long> seeds,
    List<RunMeasure> measures,
    List<PairedComparison> comparisons,
    List<NumericClaim> claims,
    List<ClaimedOrder> orders,
    List<ExperimentFigure> figures,
    Budget budget,
    ExperimentSearch.Plan search) {

  /**
   * Texts for people.
   *
   * @param name its file's name without the extension
   * @param description what it shows
   * @param source where the comparison is from; empty if it is AMB's own
   * @param minutes what all runs take on one core; empty if nobody has said
   */
  record About(String name, String description, String source, String minutes) {}

  /** The same of other variants. */
  Experiment with(List<ExperimentVariant> cells, List<Long> others, Budget until) {
    return new Experiment(
        about, heap, cells, others, measures, comparisons, claims, orders, figures, until, search);
  }
}
