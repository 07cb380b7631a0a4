package io.github.amb.core.codec.numeric;

import io.github.amb.core.codec.block.Reinterpretation;
import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * A counter-based random generator: the bits are a function of a key and a counter, so the JIT
 * vectorizes the loop that makes them.
 *
 * <p>Salmon et al.: "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011. The function is two
 * rounds of Wellons' 32-bit hash of low bias ("lowbias32", 2018), keyed between the rounds.
 */
final class CounterRandom {
  private static final int[] PLACES = new int[Reinterpretation.MAX];

  static {
    Arrays.setAll(PLACES, i -> i);
  }

  private int counter;
  private int key;

  /** Draws a new key from {@code random}, which is advanced, and resets the counter. */
  void key(UniformRandomProvider random) {
    counter = random.nextInt();
    key = random.nextInt();
  }

  /**
   * Generates random bits.
   *
   * @param bits receives 32 random bits in each of the first {@code count} entries
   * @param count at most {@value Reinterpretation#MAX}
   */
  void next(int[] bits, int count) {
    int start = counter;
    int between = key;
    for (int i = 0; i < count; i++) {
      int x = PLACES[i] + start;
      x = (x ^ (x >>> 16)) * 0x7FEB352D;
      x = (x ^ (x >>> 15)) * 0x846CA68B;
      x = (x ^ (x >>> 16)) + between;
      x = (x ^ (x >>> 16)) * 0x7FEB352D;
      x = (x ^ (x >>> 15)) * 0x846CA68B;
      bits[i] = x ^ (x >>> 16);
    }
    counter += count;
  }
}
