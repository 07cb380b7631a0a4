package io.github.amb.bench.harness;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

/** Repeated measurements of one quantity. */
@JsonPropertyOrder({"median", "p90", "min", "max", "count"})
public final class Sample {
  private final double[] sorted;

  private Sample(double[] sorted) {
    this.sorted = sorted;
  }

  /**
   * Creates a sample.
   *
   * @param values in any order; not modified
   * @throws IllegalArgumentException if there are none
   */
  public static Sample of(double... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("expected at least 1 measurement, found none");
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return new Sample(sorted);
  }

  /** The ratios of measurements of the same turns: {@code above[i] / below[i]}. */
  public static Sample ratio(double[] above, double[] below) {
    double[] ratios = new double[above.length];
    Arrays.setAll(ratios, i -> above[i] / below[i]);
    return of(ratios);
  }

  /** A sample of converted measurements. */
  public Sample map(DoubleUnaryOperator conversion) {
    return of(Arrays.stream(sorted).map(conversion).toArray());
  }

  /** The median; of an even number, the mean of the two in the middle. */
  @JsonProperty
  public double median() {
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  /** The smallest measurement that is at least as large as 90 % of all (nearest rank). */
  @JsonProperty
  public double p90() {
    return sorted[(int) Math.ceil(0.9 * sorted.length) - 1];
  }

  @JsonProperty
  public double min() {
    return sorted[0];
  }

  @JsonProperty
  public double max() {
    return sorted[sorted.length - 1];
  }

  /** The measurements, smallest first. */
  public List<Double> values() {
    return Arrays.stream(sorted).boxed().toList();
  }

  /** Number of measurements. */
  @JsonProperty
  public int count() {
    return sorted.length;
  }
}
