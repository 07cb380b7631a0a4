package io.github.amb.core.gradient;

/**
 * The scores of a model on a set of examples.
 *
 * @param loss mean loss per example
 * @param accuracy share of examples classified correctly, 0 to 1. For a regression, the share of
 *     examples predicted with an error below ½. NaN where there is nothing to classify.
 * @param examples number of examples
 */
public record Evaluation(double loss, double accuracy, int examples) {}
