package io.github.amb.core.gradient;

/**
 * What a model scores on a set of examples.
 *
 * @param loss mean loss per example
 * @param accuracy share of examples classified correctly, 0 to 1; of a regression, predicted with
 *     an error of less than ½
 * @param examples number of examples
 */
public record Evaluation(double loss, double accuracy, int examples) {}
