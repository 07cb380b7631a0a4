package io.github.amb.core.codec;

import java.util.Arrays;

/** Bins of magnitudes with about equally many entries each, and the mean of every bin. */
public final class Quantiles {
  private static final int MAX_SAMPLES = 8192;

  private final int bins;
  private final float[] sample = new float[MAX_SAMPLES];
  private final float[] upper;
  private final float[] means;

  public Quantiles(int bins) {
    this.bins = bins;
    upper = new float[bins];
    means = new float[bins];
  }

  /**
   * Chooses bins for some entries of a block.
   *
   * @param values flat vector in which the block starts at {@code from}; not modified
   * @param indices the first {@code count} are indices within the block; not modified
   */
  public void fit(float[] values, int from, int[] indices, int count) {
    int stride = Math.max(1, (count + MAX_SAMPLES - 1) / MAX_SAMPLES);
    int size = 0;
    for (int i = 0; i < count; i += stride) {
      sample[size++] = Math.abs(values[from + indices[i]]);
    }
    Arrays.sort(sample, 0, size);
    for (int bin = 0; bin < bins; bin++) {
      int begin = (int) ((long) size * bin / bins);
      int end = (int) ((long) size * (bin + 1) / bins);
      double sum = 0;
      for (int i = begin; i < end; i++) {
        sum += sample[i];
      }
      float last = end == 0 ? 0 : sample[end - 1];
      upper[bin] = last;
      means[bin] = end > begin ? (float) (sum / (end - begin)) : last;
    }
  }

  /** The bin of a magnitude. */
  public int bin(float magnitude) {
    int low = 0;
    int high = bins - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (magnitude <= upper[middle]) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** Mean magnitude of each bin. Not a copy. */
  public float[] means() {
    return means;
  }
}
