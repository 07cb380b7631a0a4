package io.github.amb.core.update;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Rules against sums over the whole history in double precision, and their invariants. */
class UpdateRulePropertyTest {
  private static final double W = 0.5;

  @Provide
  Arbitrary<List<Double>> gradients() {
    return Arbitraries.doubles().between(-10, 10).ofScale(4).list().ofMinSize(1).ofMaxSize(30);
  }

  @Property(tries = 300)
  void sgdIsTheSumOfGradients(
      @ForAll("gradients") List<Double> gradients,
      @ForAll @DoubleRange(min = 0.01, max = 1) double rate) {
    double sum = gradients.stream().mapToDouble(g -> g).sum();
    // A step rounds the gradient, the product and the difference, each below the scale.
    double roundings = 3.0 * gradients.size() * scale(gradients, rate);
    assertClose(W - rate * sum, run("sgd", gradients, rate), roundings);
  }

  @Property(tries = 300)
  void momentumIsADiscountedSumOfGradients(
      @ForAll("gradients") List<Double> gradients,
      @ForAll @DoubleRange(min = 0.01, max = 1) double rate) {
    double w = W;
    for (int t = 0; t < gradients.size(); t++) {
      for (int k = 0; k <= t; k++) {
        w -= rate * Math.pow(0.9, t - k) * gradients.get(k);
      }
    }
    // The sum's error e is at most 0.9 e + 3 u |m|, hence 30 u |m|; a step adds it, and 10 of its
    // own.
    double roundings = 40.0 * gradients.size() * scale(gradients, rate);
    assertClose(w, run("mom", gradients, rate), roundings);
  }

  @Property(tries = 300)
  void rmsPropDividesByTheRootOfADiscountedMeanSquare(
      @ForAll("gradients") List<Double> gradients,
      @ForAll @DoubleRange(min = 0.01, max = 1) double rate) {
    double w = W;
    for (int t = 0; t < gradients.size(); t++) {
      double square = Math.pow(0.9, t + 1) + discounted(gradients, t, 0.9, 2);
      w -= rate * gradients.get(t) / Math.sqrt(square + 1e-10);
    }
    // In step t the mean square has 3 t relative errors, its root half of them; |g| / root ≤ √10.
    int n = gradients.size();
    double quotients = Math.sqrt(10) * rate * (1.5 * n * (n + 1) / 2 + 5 * n);
    assertClose(w, run("rms", gradients, rate), quotients + n * (1 + Math.sqrt(10) * n * rate));
  }

  /** Algorithm 1 of the paper, whose ε is ε̂ / √(1 − β₂ᵗ). */
  @Property(tries = 300)
  void adamDividesUnbiasedMoments(
      @ForAll("gradients") List<Double> gradients,
      @ForAll @DoubleRange(min = 0.01, max = 1) double rate) {
    double w = W;
    for (int t = 0; t < gradients.size(); t++) {
      double unbias1 = 1 - Math.pow(0.9, t + 1);
      double unbias2 = 1 - Math.pow(0.999, t + 1);
      double m = discounted(gradients, t, 0.9, 1) / unbias1;
      double v = discounted(gradients, t, 0.999, 2) / unbias2;
      w -= rate * m / (Math.sqrt(v) + 1e-8 / Math.sqrt(unbias2));
    }
    // In step t: |m| ≤ max |g|, with 30 errors as in momentum's; √v ≥ max |g| / √(1.03 t) as each
    // square counts 0.001 at least 0.999³⁰; v has 3 t relative errors, its root half of them.
    int n = gradients.size();
    double roundings = n * (1 + n * rate);
    for (int t = 1; t <= n; t++) {
      roundings += rate * Math.sqrt(1.03 * t) * (30 + 1.5 * t + 5);
    }
    assertClose(w, run("adm", gradients, rate), roundings);
  }

  @Property(tries = 100)
  void anyPartitionOfTheVectorGivesTheSameBits(
      @ForAll @Size(min = 1, max = 100) List<@DoubleRange(min = -5, max = 5) Double> gradient,
      @ForAll @IntRange(max = 100) int cut) {
    int n = gradient.size();
    int middle = Math.min(cut, n);
    for (UpdateRules.Entry entry : UpdateRules.ALL.all()) {
      UpdateRule whole = entry.create(n);
      UpdateRule parts = entry.create(n);
      float[] w = new float[n];
      float[] same = new float[n];
      for (int t = 0; t < 3; t++) {
        whole.beginStep();
        whole.apply(w, floats(gradient), 0, n, 0.1);
        parts.beginStep();
        parts.apply(same, floats(gradient), middle, n, 0.1);
        parts.apply(same, floats(gradient), 0, middle, 0.1);
      }
      assertArrayEquals(w, same, entry.name());
    }
  }

  private static double discounted(List<Double> gradients, int t, double decay, int power) {
    double sum = 0;
    for (int k = 0; k <= t; k++) {
      sum += (1 - decay) * Math.pow(decay, t - k) * Math.pow(gradients.get(k), power);
    }
    return sum;
  }

  private static double run(String name, List<Double> gradients, double rate) {
    UpdateRule rule = UpdateRules.named(name).create(1);
    float[] w = {(float) W};
    for (double g : gradients) {
      rule.beginStep();
      rule.apply(w, new float[] {(float) g}, 0, 1, rate);
    }
    return w[0];
  }

  /** The largest magnitude that the parameter can pass through. */
  private static double scale(List<Double> gradients, double rate) {
    return 1 + rate * gradients.stream().mapToDouble(Math::abs).sum();
  }

  /**
   * @param roundings how many units of round-off the result may be off
   */
  private static void assertClose(double expected, double actual, double roundings) {
    assertEquals(expected, actual, 0x1p-24 * roundings);
  }

  private static float[] floats(List<Double> values) {
    float[] floats = new float[values.size()];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = values.get(i).floatValue();
    }
    return floats;
  }
}
