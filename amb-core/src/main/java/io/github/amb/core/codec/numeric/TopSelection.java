package io.github.amb.core.codec.numeric;

import io.github.amb.core.gradient.Finite;
import java.util.Arrays;

/**
 * Finds the entries of largest magnitude, exactly by radix selection or approximately by sampling.
 */
public final class TopSelection {
  private static final int HIGH_SHIFT = 20;
  private static final int MIDDLE_SHIFT = 10;
  private static final int HIGH_BINS = 1 << (31 - HIGH_SHIFT);
  private static final int BINS = 1 << MIDDLE_SHIFT;
  private static final int STRIDE = 101;
  private static final int SMALLEST_SAMPLE = 512;
  private static final double FEWEST = 0.8;
  private static final double MAX = 1.3;

  private final int length;
  private final int[] histogram = new int[HIGH_BINS];
  private final int[] indices;
  private final float[] sample;
  private int count;
  private int ties;

  /**
   * @param length number of entries to select from
   */
  public TopSelection(int length) {
    this.length = length;
    indices = new int[length];
    sample = new float[length / STRIDE + 1];
  }

  /** Indices selected last, ascending; the first {@link #count} are valid. Not a copy. */
  public int[] indices() {
    return indices;
  }

  public int count() {
    return count;
  }

  /**
   * Selects the {@code k} entries of largest magnitude. Of equal ones, the first are selected.
   *
   * @param values entries from index {@code from} on are considered; not modified
   * @param k 0 to {@code length}
   */
  public void exact(float[] values, int from, int k) {
    count = 0;
    if (k == 0) {
      return;
    }
    int bound = bound(values, from, length, k);
    for (int i = 0; i < length && count < k; i++) {
      int magnitude = magnitude(values[from + i]);
      if (magnitude > bound || magnitude == bound && ties-- > 0) {
        indices[count++] = i;
      }
    }
  }

  /**
   * Selects about {@code k} entries, from {@value #FEWEST} k to {@value #MAX} k: those above a
   * bound that is estimated from a strided sample. Entries that are not finite are selected.
   *
   * <p>Lin et al.: "Deep Gradient Compression", ICLR 2018.
   *
   * @param values entries from index {@code from} on are considered; not modified
   */
  public void sampled(float[] values, int from, int k) {
    int size = length / STRIDE;
    if (size < SMALLEST_SAMPLE || k == length) {
      exact(values, from, k);
      return;
    }
    for (int i = 0; i < size; i++) {
      sample[i] = values[from + i * STRIDE];
    }
    int share = Math.max(1, (int) ((long) k * size / length));
    above(values, from, bound(sample, 0, size, share));
    if (count < FEWEST * k || count > MAX * k) {
      exact(values, from, k);
    }
  }

  /** Selects all entries whose magnitude, as bits, is larger than {@code bound}, and all NaNs. */
  public void above(float[] values, int from, int bound) {
    float least = Float.intBitsToFloat(bound);
    int selected = 0;
    for (int i = 0; i < length; i++) {
      if (!(Math.abs(values[from + i]) <= least)) {
        indices[selected++] = i;
      }
    }
    count = selected;
  }

  private static int magnitude(float value) {
    return Float.floatToRawIntBits(value) & Finite.MAGNITUDE;
  }

  /**
   * Returns the bits of the {@code k}-th largest magnitude of {@code length} values, and sets
   * {@link #ties} to the number of entries equal to it among the k largest.
   */
  private int bound(float[] values, int from, int length, int k) {
    Arrays.fill(histogram, 0);
    for (int i = from; i < from + length; i++) {
      histogram[magnitude(values[i]) >>> HIGH_SHIFT]++;
    }
    ties = k;
    int high = binOfRank(HIGH_BINS);
    int prefix = high << MIDDLE_SHIFT | refine(values, from, length, high, MIDDLE_SHIFT);
    return prefix << MIDDLE_SHIFT | refine(values, from, length, prefix, 0);
  }

  /** Finds the next bits of the bound; the bits found before are {@code prefix}. */
  private int refine(float[] values, int from, int length, int prefix, int shift) {
    Arrays.fill(histogram, 0, BINS, 0);
    for (int i = from; i < from + length; i++) {
      int magnitude = magnitude(values[i]);
      if (magnitude >>> shift + MIDDLE_SHIFT == prefix) {
        histogram[magnitude >>> shift & BINS - 1]++;
      }
    }
    return binOfRank(BINS);
  }

  /**
   * Finds the bin of the {@link #ties}-th largest entry; {@link #ties} becomes its rank in the bin.
   */
  private int binOfRank(int bins) {
    int bin = bins - 1;
    for (; histogram[bin] < ties; bin--) {
      ties -= histogram[bin];
    }
    return bin;
  }
}
