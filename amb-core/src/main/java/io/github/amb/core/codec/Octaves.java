package io.github.amb.core.codec;

/**
 * Clusters of magnitudes that all senders have in common without telling each other: every octave
 * in 1, 2 or 4 equal parts. The cluster of a float is its exponent and the leading bits of its
 * fraction; the next eight bits say where in the cluster it is.
 *
 * @param bits of the fraction that tell clusters apart, 0 to 2
 */
record Octaves(int bits) {
  private static final int FRACTION_BITS = 23;
  private static final int PLACE_BITS = 8;
  private static final int EXPONENTS = 256;

  /** The largest {@link #place}. */
  static final int LAST_PLACE = (1 << PLACE_BITS) - 1;

  /** The clusters of finite magnitudes are those below. */
  int count() {
    return EXPONENTS - 1 << bits;
  }

  /** Numbers of clusters and signs are those below. */
  int signed() {
    return 2 * EXPONENTS << bits;
  }

  /** The first cluster of normal floats. */
  int first() {
    return 1 << bits;
  }

  /** Number of a cluster's positive values. */
  int positive(int cluster) {
    return cluster;
  }

  /** Number of a cluster's negative values. */
  int negative(int cluster) {
    return cluster + (EXPONENTS << bits);
  }

  /** Number of the cluster and the sign of a finite value. */
  int ofSigned(float value) {
    return Float.floatToRawIntBits(value) >>> FRACTION_BITS - bits;
  }

  /** Which of the 256 equal parts of its cluster a magnitude is in. */
  int place(float value) {
    return Float.floatToRawIntBits(value) >>> FRACTION_BITS - bits - PLACE_BITS & LAST_PLACE;
  }

  /** The least magnitude of a cluster. */
  double least(int cluster) {
    return Float.intBitsToFloat(cluster << FRACTION_BITS - bits);
  }

  /** The largest magnitude of a cluster less the least: at most 2^−bits of the least. */
  double width(int cluster) {
    return Math.scalb((double) Math.ulp((float) least(cluster)), FRACTION_BITS - bits);
  }

  /**
   * A mean magnitude.
   *
   * @param place mean of {@link #place}
   */
  float at(int cluster, double place) {
    return (float) (least(cluster) + (place + 0.5) / (LAST_PLACE + 1) * width(cluster));
  }
}
