package io.github.amb.core.sim;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Work;

/**
 * What things cost on the virtual cluster.
 *
 * @param secondsPerExample computation per example of a partition
 * @param secondsPerPartition computation per partition, whatever its size
 * @param secondsPerParameter update rule, per parameter
 * @param secondsPerTestExample evaluation, per example
 * @param secondsPerEncodedEntry encoding a vector, per entry that a codec encodes
 * @param secondsPerDecodedEntry decoding a vector, per encoded entry
 * @param latency seconds from the end of a transmission to its arrival
 * @param bandwidth bytes per second of a node's link, each direction; infinite for no cost
 */
public record CostModel(
    double secondsPerExample,
    double secondsPerPartition,
    double secondsPerParameter,
    double secondsPerTestExample,
    double secondsPerEncodedEntry,
    double secondsPerDecodedEntry,
    double latency,
    double bandwidth) {
  /** Computation costs {@code secondsPerExample}, everything else nothing. */
  public static CostModel perExample(double secondsPerExample) {
    return new CostModel(secondsPerExample, 0, 0, 0, 0, 0, 0, Double.POSITIVE_INFINITY);
  }

  /**
   * These costs on ranks of different speed.
   *
   * @param speeds speed of each rank's computation relative to this model, positive, the master's
   *     first; if there are fewer than ranks, the last one counts for the rest; if none, 1
   */
  public WorkTime workTime(double... speeds) {
    double[] all = speeds.length == 0 ? new double[] {1} : speeds.clone();
    return (rank, work, amount) ->
        Clock.nanos(seconds(work, amount) / all[Math.min(rank, all.length - 1)]);
  }

  double seconds(Work work, long amount) {
    return switch (work) {
      case PARTITION -> secondsPerPartition + amount * secondsPerExample;
      case UPDATE -> amount * secondsPerParameter;
      case EVALUATION -> amount * secondsPerTestExample;
      case ENCODING -> amount * secondsPerEncodedEntry;
      case DECODING -> amount * secondsPerDecodedEntry;
    };
  }
}
