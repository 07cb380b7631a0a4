package io.github.amb.core.codec;

/**
 * Clusters of magnitudes that every process derives in the same way: each octave has 1, 2 or 4
 * equal parts. A float's cluster is its exponent and the leading bits of its fraction. The next
 * eight bits are its place within the cluster.
 *
 * @param bits leading bits of the fraction that select a cluster, 0 to 2
 */
public record Octaves(int bits) {
  private static final int FRACTION_BITS = 23;
  private static final int PLACE_BITS = 8;
  private static final int EXPONENTS = 256;

  /** The largest {@link #place}. */
  static final int LAST_PLACE = (1 << PLACE_BITS) - 1;

  /** Number of clusters of finite magnitudes. */
  int count() {
    return EXPONENTS - 1 << bits;
  }

  /** Number of pairs of cluster and sign. */
  int signed() {
    return 2 * EXPONENTS << bits;
  }

  /** The first cluster of normal (not subnormal) floats. */
  int first() {
    return 1 << bits;
  }

  /** Index of the pair of {@code cluster} and positive sign. */
  int positive(int cluster) {
    return cluster;
  }

  /** Index of the pair of {@code cluster} and negative sign. */
  int negative(int cluster) {
    return cluster + (EXPONENTS << bits);
  }

  /** Index of the pair of cluster and sign of a finite value. */
  int ofSigned(float value) {
    return Float.floatToRawIntBits(value) >>> FRACTION_BITS - bits;
  }

  /** The place of a magnitude in its cluster, 0 to {@link #LAST_PLACE}. */
  int place(float value) {
    return Float.floatToRawIntBits(value) >>> FRACTION_BITS - bits - PLACE_BITS & LAST_PLACE;
  }

  /** The smallest magnitude of a cluster. */
  double least(int cluster) {
    return Float.intBitsToFloat(cluster << FRACTION_BITS - bits);
  }

  /** The largest magnitude of a cluster minus the smallest: at most 2^−bits of the smallest. */
  double width(int cluster) {
    return Math.scalb((double) Math.ulp((float) least(cluster)), FRACTION_BITS - bits);
  }

  /**
   * The magnitude at a place of a cluster.
   *
   * @param place a mean of {@link #place}s
   */
  float at(int cluster, double place) {
    return (float) (least(cluster) + (place + 0.5) / (LAST_PLACE + 1) * width(cluster));
  }
}
