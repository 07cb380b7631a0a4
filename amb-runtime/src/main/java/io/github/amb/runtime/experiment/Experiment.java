package io.github.amb.runtime.experiment;

import java.util.List;

/**
 * What a file asks for.
 *
 * @param name its file's name without the extension
 * @param description a text for people
 * @param minutes what all runs take on one core, as a text for people; empty if nobody has said
 * @param heap of each run's Java, as {@code 4g}
 * @param variants the cells of its matrix
 * @param seeds each variant is run with each of them
 * @param measures numbers of each run
 * @param comparisons of variants, by seeds
 * @param claims what the numbers are expected to be
 * @param figures to be drawn
 */
record Experiment(
    String name,
    String description,
    String minutes,
    String heap,
    List<ExperimentVariant> variants,
    List<Long> seeds,
    List<RunMeasure> measures,
    List<PairedComparison> comparisons,
    List<NumericClaim> claims,
    List<ExperimentFigure> figures) {}
