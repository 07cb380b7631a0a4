package io.github.amb.models.dl4j;

import static org.bytedeco.openblas.global.openblas.CblasNoTrans;
import static org.bytedeco.openblas.global.openblas.CblasRowMajor;
import static org.bytedeco.openblas.global.openblas.CblasTrans;
import static org.bytedeco.openblas.global.openblas.cblas_sgemm;
import static org.bytedeco.openblas.global.openblas.cblas_sgemv;

import java.util.Arrays;
import java.util.Map;
import org.bytedeco.javacpp.FloatPointer;
import org.deeplearning4j.nn.params.DefaultParamInitializer;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/**
 * {@code Z = X·W + 1·bᵀ} and its gradients, on the memory of a network's parameters.
 *
 * <p>DL4J keeps W of a dense layer, [in, out], in column-major order, which is [out, in] in
 * row-major order; every matrix below is row-major.
 */
final class AffineMap {
  /** Entries of W from which oneDNN, slower to call, is the faster one for a few examples. */
  private static final long LARGE = 1 << 18;

  private final int in;
  private final int out;
  private final INDArray matrix;
  private final FloatPointer weights;
  private final FloatPointer bias;
  private FloatPointer weightGradient;
  private FloatPointer biasGradient;
  private FloatPointer ones = new FloatPointer();
  private FloatPointer scratch = new FloatPointer();
  private float[] transposed = {};
  private float[] results = {};
  private final float[] biases;

  /**
   * @param parameters W and b of a layer; W gives the sizes
   */
  AffineMap(Map<String, INDArray> parameters) {
    INDArray w = parameters.get(DefaultParamInitializer.WEIGHT_KEY);
    this.in = Math.toIntExact(w.size(0));
    this.out = Math.toIntExact(w.size(1));
    this.matrix = w.transpose();
    this.weights = NativeArrays.pointer(w);
    this.biases = new float[out];
    this.bias = NativeArrays.pointer(parameters.get(DefaultParamInitializer.BIAS_KEY));
  }

  /**
   * Says where gradients go.
   *
   * @param gradients views of the gradient vector for W and b
   */
  void gradients(Map<String, INDArray> gradients) {
    weightGradient = NativeArrays.pointer(gradients.get(DefaultParamInitializer.WEIGHT_KEY));
    biasGradient = NativeArrays.pointer(gradients.get(DefaultParamInitializer.BIAS_KEY));
  }

  /**
   * Computes Zᵀ first: with few examples BLAS then goes through W once, in the order of its memory.
   *
   * @param x [n, in]
   * @param z [n, out]; overwritten
   */
  void forward(INDArray x, INDArray z) {
    int n = Math.toIntExact(x.size(0));
    reserve(n * out);
    cblas_sgemm(
        CblasRowMajor,
        CblasNoTrans,
        CblasTrans,
        out,
        n,
        in,
        1f,
        weights,
        in,
        NativeArrays.pointer(x),
        in,
        0f,
        scratch,
        n);
    scratch.get(transposed, 0, n * out);
    bias.get(biases, 0, out);
    for (int j = 0; j < out; j++) {
      for (int i = 0; i < n; i++) {
        results[i * out + j] = transposed[j * n + i] + biases[j];
      }
    }
    NativeArrays.pointer(z).put(results, 0, n * out);
  }

  private void reserve(int size) {
    if (transposed.length < size) {
      transposed = new float[size];
      results = new float[size];
      scratch = new FloatPointer(size);
    }
  }

  /**
   * Gradients of W and b: {@code Xᵀ·Δ} and {@code Δᵀ·1}.
   *
   * @param x [n, in]
   * @param delta gradient of the loss sum by Z, [n, out]
   * @param add true to add to the gradient vector, false to replace what is there
   */
  void gradient(INDArray x, INDArray delta, boolean add) {
    int n = Math.toIntExact(x.size(0));
    float beta = add ? 1f : 0f;
    FloatPointer d = NativeArrays.pointer(delta);
    cblas_sgemm(
        CblasRowMajor,
        CblasTrans,
        CblasNoTrans,
        out,
        in,
        n,
        1f,
        d,
        out,
        NativeArrays.pointer(x),
        in,
        beta,
        weightGradient,
        in);
    cblas_sgemv(CblasRowMajor, CblasTrans, n, out, 1f, d, out, ones(n), 1, beta, biasGradient, 1);
  }

  /**
   * Gradient by the input: {@code Δ·Wᵀ}.
   *
   * @param delta [n, out]
   * @param inputGradient [n, in]; overwritten
   */
  void inputGradient(INDArray delta, INDArray inputGradient) {
    if ((long) in * out >= LARGE) {
      Nd4j.matmul(delta, matrix, inputGradient, false, false, false);
      return;
    }
    int n = Math.toIntExact(delta.size(0));
    cblas_sgemm(
        CblasRowMajor,
        CblasNoTrans,
        CblasNoTrans,
        n,
        in,
        out,
        1f,
        NativeArrays.pointer(delta),
        out,
        weights,
        in,
        0f,
        NativeArrays.pointer(inputGradient),
        in);
  }

  int inputs() {
    return in;
  }

  int outputs() {
    return out;
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
