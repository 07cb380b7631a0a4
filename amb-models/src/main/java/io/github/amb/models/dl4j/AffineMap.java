package io.github.amb.models.dl4j;

import static org.bytedeco.openblas.global.openblas.CblasNoTrans;
import static org.bytedeco.openblas.global.openblas.CblasRowMajor;
import static org.bytedeco.openblas.global.openblas.CblasTrans;
import static org.bytedeco.openblas.global.openblas.cblas_scopy;
import static org.bytedeco.openblas.global.openblas.cblas_sgemm;
import static org.bytedeco.openblas.global.openblas.cblas_sgemv;

import java.util.Arrays;
import java.util.Map;
import org.bytedeco.javacpp.FloatPointer;
import org.deeplearning4j.nn.params.DefaultParamInitializer;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * {@code Z = X·W + 1·bᵀ} and its gradients, on the memory of a network's parameters.
 *
 * <p>DL4J keeps W of a dense layer, [in, out], in column-major order, which is [out, in] in
 * row-major order; every matrix below is row-major.
 */
final class AffineMap {
  private final int in;
  private final int out;
  private final FloatPointer weights;
  private final FloatPointer bias;
  private FloatPointer weightGradient;
  private FloatPointer biasGradient;
  private FloatPointer ones = new FloatPointer();

  /**
   * @param parameters W and b of a layer; W gives the sizes
   */
  AffineMap(Map<String, INDArray> parameters) {
    INDArray w = parameters.get(DefaultParamInitializer.WEIGHT_KEY);
    this.in = Math.toIntExact(w.size(0));
    this.out = Math.toIntExact(w.size(1));
    this.weights = pointer(w);
    this.bias = pointer(parameters.get(DefaultParamInitializer.BIAS_KEY));
  }

  /**
   * Says where gradients go.
   *
   * @param gradients views of the gradient vector for W and b
   */
  void gradients(Map<String, INDArray> gradients) {
    weightGradient = pointer(gradients.get(DefaultParamInitializer.WEIGHT_KEY));
    biasGradient = pointer(gradients.get(DefaultParamInitializer.BIAS_KEY));
  }

  /**
   * @param x [n, in]
   * @param z [n, out]; overwritten
   */
  void forward(INDArray x, INDArray z) {
    int n = Math.toIntExact(x.size(0));
    FloatPointer result = pointer(z);
    for (int row = 0; row < n; row++) {
      cblas_scopy(out, bias, 1, result.position((long) row * out), 1);
    }
    cblas_sgemm(
        CblasRowMajor,
        CblasNoTrans,
        CblasTrans,
        n,
        out,
        in,
        1f,
        pointer(x),
        in,
        weights,
        in,
        1f,
        result.position(0),
        out);
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
    FloatPointer d = pointer(delta);
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
        pointer(x),
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
    int n = Math.toIntExact(delta.size(0));
    cblas_sgemm(
        CblasRowMajor,
        CblasNoTrans,
        CblasNoTrans,
        n,
        in,
        out,
        1f,
        pointer(delta),
        out,
        weights,
        in,
        0f,
        pointer(inputGradient),
        in);
  }

  int inputs() {
    return in;
  }

  int outputs() {
    return out;
  }

  /** The array itself if it is row-major without gaps, otherwise such a copy. */
  static INDArray rowMajor(INDArray matrix) {
    boolean dense =
        matrix.stride(1) == 1 && (matrix.size(0) == 1 || matrix.stride(0) == matrix.size(1));
    return dense ? matrix : matrix.dup('c');
  }

  /** Address of an array's first entry; valid while the array's memory is. */
  static FloatPointer pointer(INDArray array) {
    return (FloatPointer) array.data().addressPointer();
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
