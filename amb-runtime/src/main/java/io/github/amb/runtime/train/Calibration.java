package io.github.amb.runtime.train;

import static io.github.amb.runtime.config.TrainSettings.COST;
import static io.github.amb.runtime.config.TrainSettings.COST_PER_EXAMPLE;
import static io.github.amb.runtime.config.TrainSettings.COST_PER_PARTITION;
import static io.github.amb.runtime.config.TrainSettings.COST_PER_TEST_EXAMPLE;
import static io.github.amb.runtime.config.TrainSettings.GIVEN;
import static io.github.amb.runtime.config.TrainSettings.MEASURED;
import static io.github.amb.runtime.config.TrainSettings.RESUME;

import io.github.amb.core.gradient.GradientSource;
import io.github.amb.runtime.config.Settings;
import java.util.Arrays;

/**
 * Times a network's gradient on this machine: medians of partitions of two sizes and the line
 * through them, and the median of an evaluation.
 *
 * @param perExample seconds
 * @param perPartition seconds
 * @param perTestExample seconds
 */
record Calibration(double perExample, double perPartition, double perTestExample) {
  private static final int WARM_UPS = 3;
  private static final int REPEATS = 7;
  private static final int SIZE_RATIO = 4;
  private static final int TEST_EXAMPLES = 256;
  private static final double NANOS = 1e9;

  /** A forward pass is about a third of a gradient's work. */
  private static final double TEST_SHARE = 1.0 / 3;

  /**
   * A run of the virtual cluster with every cost of computation filled in. One that is resumed goes
   * on with what was measured when it began.
   */
  static RunParts price(RunParts run) {
    Settings settings = run.settings();
    boolean resumed = settings.has(RESUME) && settings.has(COST_PER_EXAMPLE);
    if (settings.get(COST).equals(MEASURED) && !resumed) {
      try (GradientSource source = run.open()) {
        Calibration measured = of(source, run.scheme().batchPolicy().partitionEnd(0));
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

  /** Whether gradients are to be timed, or costs were given. */
  static String kind(Settings settings) {
    boolean given = settings.has(COST_PER_EXAMPLE) || settings.has(COST_PER_PARTITION);
    return settings.has(COST) ? settings.get(COST) : given ? GIVEN : MEASURED;
  }

  private static double orZero(Double cost) {
    return cost == null ? 0 : cost;
  }

  private static Settings withTest(Settings settings, double perTestExample) {
    return settings.has(COST_PER_TEST_EXAMPLE)
        ? settings
        : settings.with(COST_PER_TEST_EXAMPLE, perTestExample);
  }

  /**
   * Measures.
   *
   * @param partition examples in a usual partition, the larger of the two sizes
   */
  static Calibration of(GradientSource source, int partition) {
    int large = Math.min(partition, source.trainingExamples());
    int small = Math.max(1, large / SIZE_RATIO);
    float[] vector = new float[source.layout().size()];
    source.initialise(1, vector);
    float[] gradient = new float[vector.length];
    double ofSmall = median(() -> gradient(source, vector, gradient, small));
    double ofLarge = median(() -> gradient(source, vector, gradient, large));
    int tests = Math.min(TEST_EXAMPLES, source.testExamples());
    int[] examples = indices(tests);
    double perTest = median(() -> source.evaluate(vector, examples, 0, tests)) / tests;
    return line(small, ofSmall, large, ofLarge, perTest);
  }

  /** A line through two points, neither falling nor below zero at size 0. */
  static Calibration line(int small, double ofSmall, int large, double ofLarge, double perTest) {
    double slope = large == small ? ofLarge / large : (ofLarge - ofSmall) / (large - small);
    double intercept = ofSmall - slope * small;
    if (slope < 0) {
      return new Calibration(0, ofLarge, perTest);
    }
    return intercept < 0
        ? new Calibration(ofLarge / large, 0, perTest)
        : new Calibration(slope, large == small ? 0 : intercept, perTest);
  }

  private static void gradient(GradientSource source, float[] vector, float[] gradient, int size) {
    source.begin(vector, 1);
    source.accumulate(indices(size), 0, size);
    source.finish(gradient);
  }

  private static int[] indices(int count) {
    int[] indices = new int[count];
    Arrays.setAll(indices, i -> i);
    return indices;
  }

  /** Median time of {@code work} in seconds, after warming up. */
  static double median(Runnable work) {
    double[] seconds = new double[REPEATS];
    for (int i = -WARM_UPS; i < REPEATS; i++) {
      long start = System.nanoTime();
      work.run();
      if (i >= 0) {
        seconds[i] = (System.nanoTime() - start) / NANOS;
      }
    }
    Arrays.sort(seconds);
    return seconds[REPEATS / 2];
  }
}
