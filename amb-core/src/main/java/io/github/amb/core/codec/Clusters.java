package io.github.amb.core.codec;

import java.util.Arrays;

/**
 * Clusters of the values of a block, for either sign: the largest 5 % around the 95th percentile,
 * the others by k-means; and how many buckets each gets of a budget, by the entropy, the size and
 * the number of its values.
 */
final class Clusters {
  /** The fewest buckets of a cluster. */
  static final int LEAST_BUCKETS = 10;

  private static final int MOST_SAMPLES = 100_000;
  private static final double OUTLIERS = 0.05;
  private static final int ROUNDS = 10;
  private static final int HISTOGRAM = 100;

  private final int perSign;
  private final float[] sample = new float[MOST_SAMPLES];
  private final double[] prefix = new double[MOST_SAMPLES + 1];
  private final float[] centres;
  private final float[] bounds;
  private final double[] weights;
  private final int[] buckets;

  /**
   * @param perSign clusters for either sign, the outliers' among them, at least 2
   */
  Clusters(int perSign) {
    this.perSign = perSign;
    centres = new float[perSign];
    bounds = new float[2 * perSign];
    weights = new double[2 * perSign];
    buckets = new int[2 * perSign];
  }

  /** Number of clusters of both signs. */
  int count() {
    return 2 * perSign;
  }

  /** Buckets of a cluster. */
  int buckets(int cluster) {
    return buckets[cluster];
  }

  /** Finds clusters for {@code length} values, and shares {@code budget} buckets out. */
  void fit(float[] values, int from, int length, int budget) {
    Arrays.fill(weights, 0);
    for (int sign = 0; sign < 2; sign++) {
      fitSign(values, from, length, sign);
    }
    double total = 0;
    for (double weight : weights) {
      total += weight;
    }
    for (int j = 0; j < buckets.length; j++) {
      double share = total == 0 ? 0 : weights[j] / total;
      buckets[j] = Math.max(LEAST_BUCKETS, (int) Math.round(budget * share));
    }
  }

  private void fitSign(float[] values, int from, int length, int sign) {
    int stride = Math.max(1, (length + MOST_SAMPLES - 1) / MOST_SAMPLES);
    int size = 0;
    for (int i = 0; i < length; i += stride) {
      float value = values[from + i];
      if ((value < 0 ? 1 : 0) == sign) {
        sample[size++] = Math.abs(value);
      }
    }
    Arrays.sort(sample, 0, size);
    int ordinary = size - (int) (OUTLIERS * size);
    centre(ordinary, size);
    int at = sign * perSign;
    for (int j = 0; j < perSign; j++) {
      boolean last = j == perSign - 1;
      bounds[at + j] = last ? Float.POSITIVE_INFINITY : centres[j] / 2 + centres[j + 1] / 2;
    }
    weigh(at, size);
  }

  /** Lloyd's algorithm on what is sorted. */
  private void centre(int ordinary, int size) {
    for (int i = 0; i < size; i++) {
      prefix[i + 1] = prefix[i] + sample[i];
    }
    int k = perSign - 1;
    for (int j = 0; j < k; j++) {
      centres[j] = ordinary == 0 ? 0 : sample[(int) ((2L * j + 1) * ordinary / (2L * k))];
    }
    centres[k] = size == 0 ? 0 : sample[Math.min(ordinary, size - 1)];
    for (int round = 0; round < ROUNDS; round++) {
      int begin = 0;
      for (int j = 0; j < k; j++) {
        float bound = j == k - 1 ? Float.MAX_VALUE : centres[j] / 2 + centres[j + 1] / 2;
        int end = j == k - 1 ? ordinary : firstAbove(bound, begin, ordinary);
        if (end > begin) {
          centres[j] = (float) ((prefix[end] - prefix[begin]) / (end - begin));
        }
        begin = end;
      }
    }
    Arrays.sort(centres);
  }

  private int firstAbove(float bound, int begin, int end) {
    int found = Arrays.binarySearch(sample, begin, end, bound);
    int at = found < 0 ? -found - 1 : found;
    while (at < end && sample[at] <= bound) {
      at++;
    }
    return at;
  }

  /** Entropy of a histogram of the cluster, times centre, times share. */
  private void weigh(int at, int size) {
    int begin = 0;
    float largest = Math.max(centres[perSign - 1], Float.MIN_NORMAL);
    for (int j = 0; j < perSign; j++) {
      int end = j == perSign - 1 ? size : firstAbove(bounds[at + j], begin, size);
      if (end > begin) {
        double share = (double) (end - begin) / size;
        weights[at + j] = entropy(begin, end) * (centres[j] / largest) * share;
      }
      begin = end;
    }
  }

  private double entropy(int begin, int end) {
    int[] histogram = new int[HISTOGRAM];
    double least = sample[begin];
    double width = Math.max(sample[end - 1] - least, Float.MIN_NORMAL);
    for (int i = begin; i < end; i++) {
      histogram[(int) Math.min(HISTOGRAM - 1, (sample[i] - least) / width * HISTOGRAM)]++;
    }
    double entropy = 0;
    for (int count : histogram) {
      double p = (double) count / (end - begin);
      entropy -= count == 0 ? 0 : p * Math.log(p);
    }
    return entropy;
  }

  /** The cluster of a value: that of the nearest centre of its sign. */
  int of(float value) {
    int j = value < 0 ? perSign : 0;
    float magnitude = Math.abs(value);
    while (magnitude > bounds[j]) {
      j++;
    }
    return j;
  }
}
