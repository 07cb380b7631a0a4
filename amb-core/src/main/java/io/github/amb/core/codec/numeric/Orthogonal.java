package io.github.amb.core.codec.numeric;

/** Modified Gram-Schmidt. */
public final class Orthogonal {
  private static final double NEGLIGIBLE = 1e-12;

  private Orthogonal() {}

  /**
   * Orthonormalizes vectors in place, each twice for accuracy. A vector that depends on those
   * before it becomes zero.
   *
   * @param vectors {@code count} vectors of {@code length} entries each, one after the other;
   *     modified
   */
  public static void columns(float[] vectors, int length, int count) {
    double[] vector = new double[length];
    for (int k = 0; k < count; k++) {
      double before = 0;
      for (int i = 0; i < length; i++) {
        vector[i] = vectors[k * length + i];
        before += vector[i] * vector[i];
      }
      for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < k; j++) {
          removePart(vector, vectors, j * length);
        }
      }
      double after = 0;
      for (double entry : vector) {
        after += entry * entry;
      }
      double scale = after > NEGLIGIBLE * before && after > 0 ? 1 / Math.sqrt(after) : 0;
      for (int i = 0; i < length; i++) {
        vectors[k * length + i] = (float) (vector[i] * scale);
      }
    }
  }

  private static void removePart(double[] vector, float[] vectors, int from) {
    double dot = 0;
    for (int i = 0; i < vector.length; i++) {
      dot += vector[i] * vectors[from + i];
    }
    for (int i = 0; i < vector.length; i++) {
      vector[i] -= dot * vectors[from + i];
    }
  }
}
