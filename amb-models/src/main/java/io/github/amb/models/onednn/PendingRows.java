package io.github.amb.models.onednn;

import static org.bytedeco.openblas.global.openblas.CblasNoTrans;
import static org.bytedeco.openblas.global.openblas.CblasRowMajor;
import static org.bytedeco.openblas.global.openblas.CblasTrans;
import static org.bytedeco.openblas.global.openblas.cblas_sgemm;
import static org.bytedeco.openblas.global.openblas.cblas_sgemv;

import java.util.Arrays;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.Pointer;

/**
 * Gradient of a dense layer, {@code W += Δᵀ·X}, put off until there are rows enough.
 *
 * <p>A product of few rows takes as long to go through W as to multiply. So inputs X and gradients
 * Δ are kept until {@link #MOST} rows are there or the sum is asked for: what is left to do at the
 * end is the product of fewer than {@link #MOST} rows, whatever the batch.
 */
final class PendingRows {
  /** From here on the product, not memory, decides the time. */
  static final int MOST = 128;

  private final int weights;
  private final int in;
  private final int out;
  private final Tensor weightGradient;
  private final Tensor biasGradient;
  private final FloatPointer inputs;
  private final FloatPointer deltas;
  private FloatPointer ones = new FloatPointer();
  private int rows;
  private boolean empty = true;

  /**
   * @param vector the gradient vector
   * @param weights place of W, [out, in], in it
   * @param bias place of the bias; −1 for none
   */
  PendingRows(Arena arena, FlatVector vector, int weights, int bias, int in, int out) {
    this.weights = weights;
    this.in = in;
    this.out = out;
    weightGradient = vector.view(weights, Formats.rowMajor(out, in));
    biasGradient = bias < 0 ? null : vector.view(bias, Formats.rowMajor(out));
    inputs = new FloatPointer(arena.allocate((long) MOST * in * Float.BYTES).start());
    deltas = new FloatPointer(arena.allocate((long) MOST * out * Float.BYTES).start());
  }

  /** Entries of the gradient vector that it is the sum of. */
  int count() {
    return out * in + (biasGradient == null ? 0 : out);
  }

  boolean isAt(int offset) {
    return weights == offset;
  }

  /** Starts a new sum. */
  void clear() {
    rows = 0;
    empty = true;
  }

  /**
   * Adds the products of some rows, at once or later.
   *
   * @param x [n, in], row-major
   * @param delta [n, out], row-major
   */
  void add(FloatPointer x, FloatPointer delta, int n) {
    if (rows + n > MOST) {
      flush();
    }
    if (n > MOST / 2) {
      multiply(x, delta, n);
      return;
    }
    Pointer.memcpy(inputs.getPointer((long) rows * in), x, (long) n * in * Float.BYTES);
    Pointer.memcpy(deltas.getPointer((long) rows * out), delta, (long) n * out * Float.BYTES);
    rows += n;
  }

  /** Makes the product of what was put off. */
  void flush() {
    if (rows > 0) {
      multiply(inputs, deltas, rows);
      rows = 0;
    }
  }

  private void multiply(FloatPointer x, FloatPointer delta, int n) {
    float beta = empty ? 0f : 1f;
    cblas_sgemm(
        CblasRowMajor,
        CblasTrans,
        CblasNoTrans,
        out,
        in,
        n,
        1f,
        delta,
        out,
        x,
        in,
        beta,
        weightGradient.data(),
        in);
    if (biasGradient != null) {
      cblas_sgemv(
          CblasRowMajor,
          CblasTrans,
          n,
          out,
          1f,
          delta,
          out,
          ones(n),
          1,
          beta,
          biasGradient.data(),
          1);
    }
    empty = false;
  }

  private FloatPointer ones(int n) {
    if (ones.capacity() < n) {
      float[] values = new float[n];
      Arrays.fill(values, 1f);
      ones = new FloatPointer(values);
    }
    return ones;
  }
}
