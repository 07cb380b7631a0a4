package io.github.amb.runtime.train.part;

import static io.github.amb.runtime.checkpoint.CheckpointSettings.*;
import static io.github.amb.runtime.config.SimSettings.*;
import static io.github.amb.runtime.config.TrainSettings.*;

import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.scheme.context.BatchPolicy;
import io.github.amb.runtime.config.Settings;
import java.util.Arrays;

/**
 * Costs of a network's computation on this machine. A gradient is timed as a run computes it, as a
 * sum over micro-batches of two sizes; the costs are those of the straight line through both times.
 *
 * @param perExample seconds of a gradient per example
 * @param perPartition seconds of a gradient per micro-batch (partition), besides its examples
 * @param perTestExample seconds of an evaluation per example
 */
public record Calibration(double perExample, double perPartition, double perTestExample) {
  private static final int SIZE_RATIO = 4;
  private static final int TEST_EXAMPLES = 256;

  /** With this many micro-batches, the fixed cost of a sum is a small part of its time. */
  private static final int MAX_PARTITIONS = 16;

  /** Work of a forward pass as a share of a gradient's. */
  private static final double TEST_SHARE = 1.0 / 3;

  /**
   * Fills in every cost of computation for a run on the virtual cluster. A resumed run keeps the
   * costs that were measured when it began.
   */
  public static RunParts price(RunParts run) {
    Settings settings = run.settings();
    if (isMeasured(settings)) {
      try (GradientSource source = run.open()) {
        Calibration measured = of(source, run.scheme().batchPolicy());
        settings =
            settings
                .with(COST_PER_EXAMPLE, measured.perExample)
                .with(COST_PER_PARTITION, measured.perPartition);
        settings = CodecCalibration.measured(run, source.layout(), settings);
        return run.with(withTest(settings, measured.perTestExample));
      }
    }
    settings = settings.with(COST_PER_EXAMPLE, orZero(settings.get(COST_PER_EXAMPLE)));
    settings = settings.with(COST_PER_PARTITION, orZero(settings.get(COST_PER_PARTITION)));
    settings = CodecCalibration.given(settings);
    return run.with(withTest(settings, TEST_SHARE * settings.get(COST_PER_EXAMPLE)));
  }

  /** Whether {@link #price} times gradients, which takes seconds. */
  public static boolean isMeasured(Settings settings) {
    boolean resumed = settings.has(RESUME) && settings.has(COST_PER_EXAMPLE);
    return settings.get(COST).equals(MEASURED) && !resumed;
  }

  /** Whether gradients are to be timed, or costs were given. */
  static String kind(Settings settings) {
    return settings.has(COST) ? settings.get(COST) : isGiven(settings) ? GIVEN : MEASURED;
  }

  /** Whether an option says what a gradient takes. */
  static boolean isGiven(Settings settings) {
    return settings.has(COST_PER_EXAMPLE)
        || settings.has(COST_PER_PARTITION)
        || settings.has(WORKER_TIMES);
  }

  private static double orZero(Double cost) {
    return cost == null ? 0 : cost;
  }

  /** Tests for which workers wait take time; others take none, unless the user says otherwise. */
  private static Settings withTest(Settings settings, double perTestExample) {
    return settings.has(COST_PER_TEST_EXAMPLE) || !settings.get(EVALUATE).equals(BLOCKING)
        ? settings
        : settings.with(COST_PER_TEST_EXAMPLE, perTestExample);
  }

  /** Measures micro-batches of the usual size of {@code policy}, and smaller ones. */
  private static Calibration of(GradientSource source, BatchPolicy policy) {
    int partitions = Math.min(policy.partitions(), MAX_PARTITIONS);
    int large = Math.min(policy.partitionEnd(0), source.trainingExamples());
    int small = Math.max(1, large / SIZE_RATIO);
    float[] vector = new float[source.layout().size()];
    source.initialize(1, vector);
    float[] gradient = new float[vector.length];
    int tests = Math.min(TEST_EXAMPLES, source.testExamples());
    int[] examples = indices(tests);
    double[] seconds =
        SteadyTimes.of(
            () -> sum(source, vector, gradient, small, partitions),
            () -> sum(source, vector, gradient, large, partitions),
            () -> source.evaluate(vector, examples, 0, tests));
    return line(small, seconds[0] / partitions, large, seconds[1] / partitions, seconds[2] / tests);
  }

  /** The straight line through two measured times, with a slope and an intercept of at least 0. */
  public static Calibration line(
      int small, double ofSmall, int large, double ofLarge, double perTest) {
    double slope = large == small ? ofLarge / large : (ofLarge - ofSmall) / (large - small);
    double intercept = ofSmall - slope * small;
    if (slope < 0) {
      return new Calibration(0, ofLarge, perTest);
    }
    return intercept < 0
        ? new Calibration(ofLarge / large, 0, perTest)
        : new Calibration(slope, large == small ? 0 : intercept, perTest);
  }

  private static void sum(
      GradientSource source, float[] vector, float[] gradient, int size, int partitions) {
    int[] examples = indices(size);
    source.begin(vector, 1);
    for (int i = 0; i < partitions; i++) {
      source.accumulate(examples, 0, size);
    }
    source.finish(gradient);
  }

  private static int[] indices(int count) {
    int[] indices = new int[count];
    Arrays.setAll(indices, i -> i);
    return indices;
  }
}
