package io.github.amb.models.dl4j;

import io.github.amb.core.option.Decimal;
import io.github.amb.core.option.Suggestion;
import io.github.amb.core.option.UsageException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * A distribution of initial weights.
 *
 * @param kind its kind
 * @param scale standard deviation, or bound of a uniform distribution; NaN if the numbers of inputs
 *     and outputs determine it
 */
public record Distribution(Kind kind, double scale) {
  private static final double USUAL_SCALE = 0.05;

  /** Kinds of distributions, as users name them. */
  public enum Kind {
    /** All weights are 0. */
    ZEROS,
    /** N(0, σ²). */
    NORMAL,
    /** N(0, σ²); draws beyond 2 σ are repeated, as in TensorFlow's truncated_normal. */
    TRUNCATED_NORMAL,
    /** Uniform from −a to a. */
    UNIFORM,
    /** N(0, 2 / fan-in) (He et al., 2015). */
    HE_NORMAL,
    /** Uniform with variance 2 / fan-in. */
    HE_UNIFORM,
    /** N(0, 2 / (fan-in + fan-out)) (Glorot and Bengio, 2010). */
    GLOROT_NORMAL,
    /** Uniform with variance 2 / (fan-in + fan-out), the default of Keras and TensorFlow. */
    GLOROT_UNIFORM,
    /** N(0, 1 / fan-in) (LeCun et al., 1998). */
    LECUN_NORMAL,
    /** Uniform with variance 1 / fan-in. */
    LECUN_UNIFORM;

    private boolean isScaled() {
      return this == NORMAL || this == TRUNCATED_NORMAL || this == UNIFORM;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Names of all kinds. */
  public static List<String> names() {
    return Arrays.stream(Kind.values()).map(Kind::toString).toList();
  }

  /**
   * Parses {@code NAME} or {@code NAME:SCALE}. The scale is the standard deviation or the bound,
   * 0.05 by default; only some kinds have one.
   *
   * @throws UsageException if the text is not a distribution
   */
  public static Distribution parse(String text) {
    String[] parts = text.split(":", 2);
    Suggestion.expectKnown("unknown distribution", parts[0], names());
    Kind kind = Kind.valueOf(parts[0].toUpperCase(Locale.ROOT).replace('-', '_'));
    if (!kind.isScaled()) {
      if (parts.length > 1) {
        throw new UsageException(kind + " has no scale; leave it out");
      }
      return new Distribution(kind, Double.NaN);
    }
    double scale = parts.length > 1 ? Decimal.real(parts[1]) : USUAL_SCALE;
    if (!(scale > 0 && scale < Float.MAX_VALUE)) {
      throw new UsageException("expected a scale above 0 after the colon");
    }
    return new Distribution(kind, scale);
  }

  /**
   * Draws weights.
   *
   * @param random advanced
   * @param fanIn number of inputs of a unit
   * @param fanOut number of outputs of a unit
   * @param target receives weights from index {@code from} to {@code to − 1}; modified
   */
  void draw(
      UniformRandomProvider random, double fanIn, double fanOut, float[] target, int from, int to) {
    var gaussian = ZigguratSampler.NormalizedGaussian.of(random);
    double deviation = deviation(fanIn, fanOut);
    for (int i = from; i < to; i++) {
      target[i] =
          (float)
              switch (kind) {
                case ZEROS -> 0;
                case UNIFORM -> deviation * (2 * random.nextDouble() - 1);
                case HE_UNIFORM, GLOROT_UNIFORM, LECUN_UNIFORM ->
                    Math.sqrt(3) * deviation * (2 * random.nextDouble() - 1);
                case TRUNCATED_NORMAL -> deviation * truncated(gaussian);
                default -> deviation * gaussian.sample();
              };
    }
  }

  private double deviation(double fanIn, double fanOut) {
    return switch (kind) {
      case HE_NORMAL, HE_UNIFORM -> Math.sqrt(2 / fanIn);
      case GLOROT_NORMAL, GLOROT_UNIFORM -> Math.sqrt(2 / (fanIn + fanOut));
      case LECUN_NORMAL, LECUN_UNIFORM -> Math.sqrt(1 / fanIn);
      default -> scale;
    };
  }

  private static double truncated(ZigguratSampler.NormalizedGaussian gaussian) {
    double value = gaussian.sample();
    while (Math.abs(value) > 2) {
      value = gaussian.sample();
    }
    return value;
  }
}
