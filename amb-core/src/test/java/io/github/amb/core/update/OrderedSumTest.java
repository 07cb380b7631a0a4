package io.github.amb.core.update;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.FloatBuffer;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class OrderedSumTest {
  private static FloatBuffer[] vectors(float[]... vectors) {
    FloatBuffer[] buffers = new FloatBuffer[vectors.length];
    for (int k = 0; k < vectors.length; k++) {
      buffers[k] = FloatBuffer.wrap(vectors[k]);
    }
    return buffers;
  }

  @Property(tries = 100)
  void entriesAreAddedInTheOrderGiven(
      @ForAll @IntRange(min = 1, max = 5) int count,
      @ForAll @IntRange(min = 1, max = 40) int length,
      @ForAll long seed) {
    Random random = new Random(seed);
    float[][] vectors = new float[count][length + 3];
    for (float[] vector : vectors) {
      for (int i = 0; i < vector.length; i++) {
        vector[i] = (float) (random.nextGaussian() * Math.pow(10, random.nextInt(8)));
      }
    }
    OrderedSum sum = new OrderedSum(length);
    sum.form(vectors(vectors), count, 3, length);
    for (int i = 0; i < length; i++) {
      float expected = vectors[0][3 + i];
      for (int k = 1; k < count; k++) {
        expected += vectors[k][3 + i];
      }
      assertEquals(expected, sum.values()[i]);
    }
  }

  @Property(tries = 100)
  void oneEntryThatIsNotFiniteIsNoticedWhereverItIs(
      @ForAll @IntRange(min = 1, max = 40) int length, @ForAll @IntRange(max = 39) int at) {
    OrderedSum sum = new OrderedSum(40);
    float[] vector = new float[40];
    vector[at] = Float.NEGATIVE_INFINITY;
    sum.form(vectors(vector), 1, 0, 40);
    assertEquals(at >= length, sum.isFinite(length));
  }

  @Test
  void theLastNonFiniteVectorIsTheCause() {
    FloatBuffer[] vectors =
        vectors(
            new float[] {Float.NaN, Float.MAX_VALUE, 1},
            new float[] {Float.POSITIVE_INFINITY, Float.MAX_VALUE, 1},
            new float[] {1, 1, 1});
    assertEquals(1, OrderedSum.nonFinite(vectors, 3, 0));
    assertEquals(0, OrderedSum.nonFinite(vectors, 3, 1));
    OrderedSum sum = new OrderedSum(3);
    sum.form(vectors, 3, 2, 1);
    assertTrue(sum.isFinite(1));
    sum.form(vectors, 3, 1, 1);
    assertFalse(sum.isFinite(1));
  }
}
