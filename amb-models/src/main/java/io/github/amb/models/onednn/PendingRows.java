package io.github.amb.models.onednn;

import static org.bytedeco.dnnl.global.dnnl.dnnl_sgemm;

import io.github.amb.models.onednn.primitive.Formats;
import io.github.amb.models.onednn.primitive.OneDnn;
import io.github.amb.models.onednn.primitive.Operation;
import io.github.amb.models.onednn.primitive.Precision;
import io.github.amb.models.onednn.primitive.Tensor;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.javacpp.BytePointer;
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

  /** Rows that are put off in bfloat16 are filled up with zeros to a multiple of this. */
  private static final int PAD = 32;

  private final GradientVector gradient;
  private final Precision precision;
  private final int in;
  private final int out;
  private final Tensor weightGradient;
  private final Tensor biasGradient;
  private final BytePointer inputs;
  private final BytePointer deltas;
  private final Map<List<Object>, Product> products = new HashMap<>();
  private FloatPointer ones = new FloatPointer();
  private int rows;
  private boolean empty = true;

  /**
   * @param gradient the gradient vector
   * @param weights index of W, [out, in], in it
   * @param bias index of the bias in it; −1 for none
   * @param in number of inputs of the layer
   * @param out number of outputs of the layer
   */
  PendingRows(GradientVector gradient, int weights, int bias, int in, int out) {
    this.gradient = gradient;
    this.in = in;
    this.out = out;
    precision = gradient.precision;
    weightGradient = gradient.vector.view(weights, Formats.rowMajor(out, in));
    biasGradient = bias < 0 ? null : gradient.vector.view(bias, Formats.rowMajor(1, out));
    inputs = gradient.arena.allocate(bytes(MAX, in));
    deltas = gradient.arena.allocate(bytes(MAX, out));
  }

  private long bytes(int n, int columns) {
    return (long) n * columns * precision.bytes();
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
   * @param x [n, in], row-major, in the gradient's precision
   * @param delta [n, out], the same
   */
  void add(Tensor x, Tensor delta, int n) {
    if (rows + n > MAX) {
      flush();
    }
    if (n > MAX / 2) {
      multiply(x.data(), delta.data(), n);
      return;
    }
    Pointer.memcpy(inputs.getPointer(bytes(rows, in)), x.data(), bytes(n, in));
    Pointer.memcpy(deltas.getPointer(bytes(rows, out)), delta.data(), bytes(n, out));
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
      int n = precision == Precision.FP32 ? rows : (rows + PAD - 1) / PAD * PAD;
      Pointer.memset(inputs.getPointer(bytes(rows, in)), 0, bytes(n - rows, in));
      Pointer.memset(deltas.getPointer(bytes(rows, out)), 0, bytes(n - rows, out));
      multiply(new FloatPointer(inputs), new FloatPointer(deltas), n);
      rows = 0;
    }
  }

  private void multiply(FloatPointer x, FloatPointer delta, int n) {
    if (precision == Precision.FP32) {
      multiplyExactly(x, delta, n);
    } else {
      products.computeIfAbsent(List.of(n, empty), key -> new Product(n, empty)).run(x, delta);
    }
    empty = false;
  }

  /** The same in another precision than fp32, with operations for one number of rows. */
  private final class Product {
    private final Tensor x;
    private final Tensor turned;
    private final Tensor delta;
    private final Tensor summing;
    private final List<Operation> operations = new ArrayList<>();

    Product(int n, boolean first) {
      x = new Tensor(Formats.rowMajor(precision, n, in));
      delta = new Tensor(Formats.rowMajor(precision, n, out));
      long[] size = {out, n};
      turned = new Tensor(Formats.strided(precision, size, new long[] {1, out}));
      operations.add(gradient.primitives.product(turned, x, weightGradient, !first));
      summing = new Tensor(Formats.rowMajor(precision, 1, n), gradient.arena.allocate(bytes(n, 1)));
      if (biasGradient != null) {
        Tensor source = new Tensor(Formats.rowMajor(1, n), ones(n));
        gradient.primitives.reorder(source, summing).run();
        source.close();
        operations.add(gradient.primitives.product(summing, delta, biasGradient, !first));
      }
    }

    void run(FloatPointer inputs, FloatPointer deltas) {
      x.moveTo(inputs, 0);
      turned.moveTo(deltas, 0);
      delta.moveTo(deltas, 0);
      operations.forEach(Operation::run);
    }

    void close() {
      List.of(x, turned, delta, summing).forEach(Tensor::close);
    }
  }

  void close() {
    products.values().forEach(Product::close);
  }

  private void multiplyExactly(FloatPointer x, FloatPointer delta, int n) {
    float beta = empty ? 0f : 1f;
    product(TRANSPOSED, out, in, n, delta, out, x, beta, weightGradient.data());
    if (biasGradient != null) {
      product(AS_IT_IS, 1, out, n, ones(n), n, delta, beta, biasGradient.data());
    }
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
