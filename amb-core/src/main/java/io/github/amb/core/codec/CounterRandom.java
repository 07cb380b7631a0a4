package io.github.amb.core.codec;

import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Random bits that are a function of a key and of how many came before, so that the JIT vectorizes
 * the loop that makes them.
 *
 * <p>Salmon et al.: "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011; the function is two
 * rounds of Wellons' 32-bit hash of low bias ("lowbias32", 2018), keyed between them.
 */
final class CounterRandom {
  private static final int[] PLACES = new int[Reinterpretation.MOST];

  static {
    Arrays.setAll(PLACES, i -> i);
  }

  private int counter;
  private int key;

  /** Takes another key, and starts over. */
  void key(UniformRandomProvider random) {
    counter = random.nextInt();
    key = random.nextInt();
  }

  /**
   * Random bits.
   *
   * @param bits the first {@code count}, at most {@value Reinterpretation#MOST}, are overwritten
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
