package io.github.amb.models.data;

import io.github.amb.core.plugin.Description;
import io.github.amb.core.random.Streams;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.data.example.FloatExamples;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.data.example.Labels;
import io.github.amb.models.data.example.Targets;
import java.nio.FloatBuffer;
import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Examples of a linear model with weights w*. Features x are drawn from N(0, I); the target depends
 * on ⟨w*, x⟩ and noise. These are the convex problems of Anytime Mini-Batch (Ferdinand et al., ICLR
 * 2019).
 */
record LinearModelData(String name, double norm, Outcome outcome) {
  private static final ImageShape SHAPE = new ImageShape(1, 10, 10);
  private static final int TRAIN = 50_000;
  private static final int TEST = 1_000;

  /** The distribution of targets. */
  private interface Outcome {
    /**
     * Draws the target of an example.
     *
     * @param product ⟨w*, x⟩
     * @param normal draws from N(0, 1)
     * @param random source of uniform draws
     */
    double draw(
        double product, ZigguratSampler.NormalizedGaussian normal, UniformRandomProvider random);
  }

  private static DataSetDefinition of(String name, String summary, double norm, Outcome outcome) {
    return new BuiltInData(
        Description.of(
                name,
                "generated from the seed: x from N(0, I), "
                    + summary
                    + ", 50,000 + 1,000 examples 1x10x10")
            .use("Convex problems, whose regret AMB's theory bounds.")
            .source("Ferdinand et al., Anytime Minibatch, ICLR 2019"),
        name + "-regression",
        TRAIN,
        TEST,
        new LinearModelData(name, norm, outcome)::generate);
  }

  /**
   * The paper's linear regression, with 100 features in place of 100,000: w* from N(0, I), y = ⟨w*,
   * x⟩ + N(0, 10⁻³). Its class is whether y is positive.
   */
  static DataSetDefinition linear() {
    double deviation = Math.sqrt(1e-3);
    return of(
        "linear",
        "y = <w, x> + N(0, 0.001)",
        Math.sqrt(SHAPE.size()),
        (product, normal, random) -> product + deviation * normal.sample());
  }

  /**
   * Logistic regression: w* from N(0, 9 I / 100), class 1 with probability 1 / (1 + e^−⟨w*, x⟩).
   */
  static DataSetDefinition logistic() {
    return of(
        "logistic",
        "2 classes, class 1 with probability 1 / (1 + exp(-<w, x>))",
        3,
        (product, normal, random) ->
            random.nextDouble() < 1 / (1 + StrictMath.exp(-product)) ? 1 : 0);
  }

  private DataSet generate(long seed) {
    Streams streams = new Streams(seed);
    double[] weights = weights(streams.stream(name + "-weights", 0, 0));
    return new DataSet(
        name,
        SHAPE,
        2,
        examples(streams.stream(name + "-train", 0, 0), weights, TRAIN),
        examples(streams.stream(name + "-test", 0, 0), weights, TEST));
  }

  private double[] weights(UniformRandomProvider random) {
    var normal = ZigguratSampler.NormalizedGaussian.of(random);
    double[] weights = new double[SHAPE.size()];
    Arrays.setAll(weights, i -> norm / Math.sqrt(weights.length) * normal.sample());
    return weights;
  }

  private Examples examples(UniformRandomProvider random, double[] weights, int count) {
    var normal = ZigguratSampler.NormalizedGaussian.of(random);
    float[] features = new float[count * weights.length];
    int[] labels = new int[count];
    float[] targets = new float[count];
    for (int example = 0; example < count; example++) {
      double product = 0;
      for (int i = 0; i < weights.length; i++) {
        float x = (float) normal.sample();
        features[example * weights.length + i] = x;
        product += weights[i] * x;
      }
      targets[example] = (float) outcome.draw(product, normal, random);
      labels[example] = targets[example] > 0 ? 1 : 0;
    }
    return new FloatExamples(
        FloatBuffer.wrap(features), new Labels(Targets.CLASS, labels, targets));
  }
}
