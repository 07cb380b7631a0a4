package io.github.amb.models.onednn;

import static org.bytedeco.dnnl.global.dnnl.dnnl_sgemm;

import io.github.amb.models.onednn.primitive.Arena;
import io.github.amb.models.onednn.primitive.Formats;
import io.github.amb.models.onednn.primitive.OneDnn;
import io.github.amb.models.onednn.primitive.Tensor;
import java.nio.FloatBuffer;
import java.util.Arrays;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.Pointer;

/**
 * The gradient of a dense layer, {@code W += Δᵀ·X}, deferred until there are enough rows.
 *
 * <p>With few rows, reading W takes as long as the multiplication. So inputs X and gradients Δ are
 * kept until there are {@link #MAX} rows or the sum is requested. At the end, the remaining product
 * has fewer than {@link #MAX} rows, however large the batch is.
 */
final class PendingRows {
  /** Number of rows from which on multiplication, not memory, determines the time. */
  static final int MAX = 128;

  private static final byte AS_IT_IS = 'N';
  private static final byte TRANSPOSED = 'T';

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
   * @param weights index of W, [out, in], in it
   * @param bias index of the bias in it; −1 for none
   * @param in number of inputs of the layer
   * @param out number of outputs of the layer
   */
  PendingRows(Arena arena, FlatVector vector, int weights, int bias, int in, int out) {
    this.in = in;
    this.out = out;
    weightGradient = vector.view(weights, Formats.rowMajor(out, in));
    biasGradient = bias < 0 ? null : vector.view(bias, Formats.rowMajor(out));
    inputs = new FloatPointer(arena.allocate((long) MAX * in * Float.BYTES));
    deltas = new FloatPointer(arena.allocate((long) MAX * out * Float.BYTES));
  }

  /** Number of entries of the gradient vector that this sum covers. */
  int count() {
    return out * in + (biasGradient == null ? 0 : out);
  }

  /** Starts a new sum. */
  void clear() {
    rows = 0;
    empty = true;
  }

  /**
   * Adds the products of n rows, now or later.
   *
   * @param x [n, in], row-major
   * @param delta [n, out], row-major
   */
  void add(FloatPointer x, FloatPointer delta, int n) {
    if (rows + n > MAX) {
      flush();
    }
    if (n > MAX / 2) {
      multiply(x, delta, n);
      return;
    }
    Pointer.memcpy(inputs.getPointer((long) rows * in), x, (long) n * in * Float.BYTES);
    Pointer.memcpy(deltas.getPointer((long) rows * out), delta, (long) n * out * Float.BYTES);
    rows += n;
  }

  /** The gradient of W, to add to; a product that is deferred will be added, too. */
  FloatBuffer added() {
    if (empty) {
      weightGradient.clear();
    }
    empty = false;
    return weightGradient.buffer();
  }

  /** Performs the deferred product. */
  void flush() {
    if (rows > 0) {
      multiply(inputs, deltas, rows);
      rows = 0;
    }
  }

  private void multiply(FloatPointer x, FloatPointer delta, int n) {
    float beta = empty ? 0f : 1f;
    product(TRANSPOSED, out, in, n, delta, out, x, beta, weightGradient.data());
    if (biasGradient != null) {
      product(AS_IT_IS, 1, out, n, ones(n), n, delta, beta, biasGradient.data());
    }
    empty = false;
  }

  /** {@code c = op(a)·b + beta·c}, c of m rows and n columns, op(a) of k columns, row-major. */
  private static void product(
      byte op,
      int m,
      int n,
      int k,
      FloatPointer a,
      int aColumns,
      FloatPointer b,
      float beta,
      FloatPointer c) {
    OneDnn.check(
        dnnl_sgemm(op, AS_IT_IS, m, n, k, 1f, a, aColumns, b, n, beta, c, n), "multiply matrices");
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
