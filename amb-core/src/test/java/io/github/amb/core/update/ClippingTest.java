package io.github.amb.core.update;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import java.nio.FloatBuffer;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ClippingTest {
  private static final Layout LAYOUT =
      new Layout(
          List.of(
              new Block("W", Block.Kind.WEIGHT, 0, 1),
              new Block("b", Block.Kind.BIAS, 1, 1),
              new Block("mean", Block.Kind.RUNNING_STATISTIC, 2, 1)));

  /**
   * Of two examples the mean gradient is (3, 4), of norm 5, to which PyTorch adds 10⁻⁶. The
   * statistic takes no part.
   */
  @Test
  void theMeanGradientHasTheNormGiven() {
    float factor = (float) (2.5 / (5 + 1e-6));
    assertArrayEquals(
        new float[] {-3 * factor, -4 * factor, -100},
        step(new Clipping(2.5, Double.POSITIVE_INFINITY)));
  }

  @Test
  void aSmallerNormStaysAsItIs() {
    assertArrayEquals(
        new float[] {-3, -4, -100}, step(new Clipping(5.1, Double.POSITIVE_INFINITY)));
    assertArrayEquals(new float[] {-3, -4, -100}, step(Clipping.NONE));
  }

  @Test
  void eachEntryIsCutToTheValueGiven() {
    assertArrayEquals(
        new float[] {-3, -3.5f, -100}, step(new Clipping(Double.POSITIVE_INFINITY, 3.5)));
  }

  private static float[] step(Clipping clipping) {
    var update = new MasterUpdate(LAYOUT, new Sgd(), WeightDecay.NONE, clipping, null);
    float[] w = new float[3];
    FloatBuffer[] sums = {FloatBuffer.wrap(new float[] {6, 8, 200})};
    update.apply(w, sums, new int[] {1}, 1, 2, 1);
    return w;
  }

  /** The penalty's gradient, 0.5 · 2, is added to what is left of 3 and 4 but for 10⁻⁶ of it. */
  @Test
  void weightDecayIsNotClipped() {
    Clipping clipping = new Clipping(2.5, Double.POSITIVE_INFINITY);
    var update = new MasterUpdate(LAYOUT, new Sgd(), new WeightDecay(0.5), clipping, null);
    float[] w = {2, 2, 0};
    update.apply(
        w, new FloatBuffer[] {FloatBuffer.wrap(new float[] {3, 4, 0})}, new int[1], 1, 1, 1);
    assertArrayEquals(new float[] {2 - 1.5f - 1, 0, 0}, w, 1e-6f);
  }

  /** Rounding of the factor, and of each product: 2⁻²³ of the norm. */
  @Property(tries = 200)
  void anyGradientEndsWithinTheNormAndKeepsItsDirection(
      @ForAll @Size(min = 1, max = 50) List<@DoubleRange(min = -1e3, max = 1e3) Double> gradient,
      @ForAll @DoubleRange(min = 0.01, max = 1e3) double norm) {
    int n = gradient.size();
    var layout = new Layout(List.of(new Block("W", Block.Kind.WEIGHT, 0, n)));
    Clipping clipping = new Clipping(norm, Double.POSITIVE_INFINITY);
    float[] g = new float[n];
    double squares = 0;
    for (int i = 0; i < n; i++) {
      g[i] = gradient.get(i).floatValue();
      squares += (double) g[i] * g[i];
    }
    double expected = Math.min(1, norm / (Math.sqrt(squares) + 1e-6));
    float[] w = new float[n];
    new MasterUpdate(layout, new Sgd(), WeightDecay.NONE, clipping, null)
        .apply(w, new FloatBuffer[] {FloatBuffer.wrap(g)}, new int[] {1}, 1, 1, 1);
    for (int i = 0; i < n; i++) {
      assertEquals(-g[i] * expected, w[i], Math.abs(g[i]) * 0x1p-22 + Float.MIN_NORMAL);
    }
  }

  @Test
  void onlyPositiveNumbersAreLimits() {
    assertThrows(IllegalArgumentException.class, () -> new Clipping(0, 1));
    assertThrows(IllegalArgumentException.class, () -> new Clipping(1, Double.NaN));
  }
}
