package io.github.amb.runtime.experiment.measure;

import io.github.amb.core.statistic.Band;

/**
 * A number over seeds.
 *
 * @param band mean and 95 % interval; NaN if no seed has a number
 * @param seeds with a number
 */
public record PairedEstimate(Band band, int seeds) {}
