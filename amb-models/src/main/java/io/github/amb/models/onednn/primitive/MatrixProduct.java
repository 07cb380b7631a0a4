package io.github.amb.models.onednn.primitive;

import static org.bytedeco.dnnl.global.dnnl.dnnl_sgemm;

import java.util.Arrays;
import org.bytedeco.javacpp.FloatPointer;

/** oneDNN's product of large square matrices, whose speed is close to the processor's highest. */
public final class MatrixProduct {
  private static final int SIZE = 1024;
  private static final double OPERATIONS = 2.0 * SIZE * SIZE * SIZE;
  private static final int WARM_UP = 2;
  private static final int MIN = 5;

  private MatrixProduct() {}

  /**
   * Floating-point operations per second of the fastest of several products, on as many threads as
   * the native library has.
   *
   * @param seconds how long to repeat the product, at least 5 times
   * @throws IllegalStateException if oneDNN has no build for this host
   */
  public static double operationsPerSecond(double seconds) {
    if (!OneDnn.isAvailable()) {
      throw new IllegalStateException("expected a host with oneDNN, found none for it");
    }
    try (Arena arena = new Arena()) {
      FloatPointer a = matrix(arena, 0.5f);
      FloatPointer b = matrix(arena, 0.25f);
      FloatPointer c = matrix(arena, 0f);
      long start = System.nanoTime();
      long fastest = Long.MAX_VALUE;
      for (int i = 0; i < WARM_UP + MIN || System.nanoTime() - start < 1e9 * seconds; i++) {
        long before = System.nanoTime();
        multiply(a, b, c);
        fastest = Math.min(fastest, System.nanoTime() - before);
      }
      return 1e9 * OPERATIONS / fastest;
    }
  }

  private static FloatPointer matrix(Arena arena, float value) {
    float[] values = new float[SIZE * SIZE];
    Arrays.fill(values, value);
    FloatPointer matrix = new FloatPointer(arena.allocate((long) values.length * Float.BYTES));
    return matrix.put(values, 0, values.length);
  }

  private static void multiply(FloatPointer a, FloatPointer b, FloatPointer c) {
    byte plain = 'N';
    int status = dnnl_sgemm(plain, plain, SIZE, SIZE, SIZE, 1f, a, SIZE, b, SIZE, 0f, c, SIZE);
    OneDnn.check(status, "multiply matrices");
  }
}
