package io.github.amb.testing;

import io.github.amb.core.codec.Codecs;
import io.github.amb.core.codec.Coding;
import io.github.amb.core.codec.link.VectorDecoder;
import io.github.amb.core.codec.link.VectorEncoder;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.Streams;
import java.util.List;

/** Means and mean squared error of 10,000 draws of what a codec makes of a block of 7 × 5. */
final class Draws {
  static final int[] SHAPE = {7, 5};

  private static final int COUNT = 10_000;
  private static final Block BLOCK = new Block("w", Block.Kind.WEIGHT, 0, SHAPE);

  /** The probability of a larger deviation of a mean, whatever the distribution. */
  private static final double RISK = 1e-10;

  private final double[] mean;
  private final double[] variance;
  private double error;
  private double errorVariance;
  private double maxError;
  private double largest;

  /**
   * @param text the codec, which encodes blocks of any size
   * @param values the block
   */
  Draws(String text, float[] values, Streams streams) {
    Coding coding = Codecs.parse(text);
    Layout layout = new Layout(List.of(BLOCK));
    VectorEncoder encoder = new VectorEncoder(layout, coding, streams, "uplink", 1);
    VectorDecoder decoder = new VectorDecoder(layout, coding, streams, "uplink");
    mean = new double[values.length];
    variance = new double[values.length];
    float[] decoded = new float[values.length];
    for (int draw = 0; draw < COUNT; draw++) {
      int length = encoder.encode(values, draw);
      decoder.decode(encoder.message(), length, draw, decoded);
      add(values, decoded);
    }
    for (int i = 0; i < values.length; i++) {
      variance[i] = Math.max(0, variance[i] - mean[i] * mean[i]);
    }
    errorVariance = Math.max(0, errorVariance - error * error);
  }

  /** Adds a draw to the means of deviations and of their squares. */
  private void add(float[] values, float[] decoded) {
    double distance = 0;
    for (int i = 0; i < values.length; i++) {
      double off = (double) decoded[i] - values[i];
      largest = Math.max(largest, Math.abs(decoded[i]));
      mean[i] += off / COUNT;
      variance[i] += off * off / COUNT;
      distance += off * off;
    }
    error += distance / COUNT;
    errorVariance += distance * distance / COUNT;
    maxError = Math.max(maxError, distance);
  }

  /** The largest distance of a mean from its entry, as part of what chance allows. */
  double worst() {
    double worst = 0;
    for (int i = 0; i < mean.length; i++) {
      // Each decoded entry is rounded a few times.
      double rounding = 8 * 0x1p-24 * largest;
      double chance = deviation(variance[i], 2 * largest);
      worst = Math.max(worst, Math.abs(mean[i]) / (chance + rounding));
    }
    return worst;
  }

  /** The mean squared error. */
  double error() {
    return error;
  }

  /** How far the mean squared error may be from its expectation by chance. */
  double errorDeviation() {
    return deviation(errorVariance, maxError) + 1e-6 * error;
  }

  /**
   * How far the mean of the draws may be from its expectation by chance (Maurer and Pontil:
   * "Empirical Bernstein Bounds", 2009, theorem 4).
   *
   * @param range length of an interval that the draws lie in
   */
  private static double deviation(double variance, double range) {
    double log = Math.log(4 / RISK);
    return Math.sqrt(2 * log * variance / COUNT) + 7 * range * log / (3 * (COUNT - 1.0));
  }
}
