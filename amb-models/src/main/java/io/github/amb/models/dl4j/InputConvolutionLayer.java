package io.github.amb.models.dl4j;

import static org.bytedeco.openblas.global.openblas.CblasNoTrans;
import static org.bytedeco.openblas.global.openblas.CblasRowMajor;
import static org.bytedeco.openblas.global.openblas.CblasTrans;
import static org.bytedeco.openblas.global.openblas.cblas_sgemm;
import static org.bytedeco.openblas.global.openblas.cblas_sgemv;
import static org.bytedeco.openblas.global.openblas.cblas_sger;

import org.bytedeco.javacpp.FloatPointer;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.gradient.DefaultGradient;
import org.deeplearning4j.nn.gradient.Gradient;
import org.deeplearning4j.nn.layers.convolution.ConvolutionLayer;
import org.deeplearning4j.nn.params.ConvolutionParamInitializer;
import org.deeplearning4j.nn.workspace.ArrayType;
import org.deeplearning4j.nn.workspace.LayerWorkspaceMgr;
import org.nd4j.common.primitives.Pair;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * Computes what {@link InputConvolution} configures, image by image: {@code Z = W·C + b·1ᵀ} where
 * the columns of C are the patches under the kernel.
 */
final class InputConvolutionLayer extends ConvolutionLayer implements AccumulatingLayer {
  private static final long serialVersionUID = 1L;

  private transient PatchMatrix patches;
  private transient FloatPointer weights;
  private transient FloatPointer bias;
  private boolean add;

  InputConvolutionLayer(NeuralNetConfiguration conf, DataType type) {
    super(conf, type);
  }

  @Override
  public void accumulate(boolean add) {
    this.add = add;
  }

  private void prepare() {
    if (patches == null) {
      long[] shape = input.shape();
      INDArray w = getParam(ConvolutionParamInitializer.WEIGHT_KEY);
      patches = new PatchMatrix((int) shape[1], (int) shape[2], (int) shape[3], (int) w.size(2));
      weights = NativeArrays.pointer(w);
      bias = NativeArrays.pointer(getParam(ConvolutionParamInitializer.BIAS_KEY));
    }
  }

  @Override
  public INDArray activate(boolean training, LayerWorkspaceMgr workspaces) {
    assertInputSet(false);
    prepare();
    int count = (int) input.size(0);
    int channels = (int) layerConf().getNOut();
    int pixels = patches.pixels();
    int size = patches.patchSize();
    long[] shape = {count, channels, input.size(2), input.size(3)};
    INDArray z = workspaces.createUninitialized(ArrayType.ACTIVATIONS, dataType, shape, 'c');
    FloatPointer images = NativeArrays.pointer(NativeArrays.rowMajor(input));
    FloatPointer results = NativeArrays.pointer(z);
    for (int i = 0; i < count; i++) {
      FloatPointer c = patches.of(images, i);
      FloatPointer result = results.position((long) i * channels * pixels);
      cblas_sgemm(
          CblasRowMajor,
          CblasNoTrans,
          CblasNoTrans,
          channels,
          pixels,
          size,
          1f,
          weights,
          size,
          c,
          pixels,
          0f,
          result,
          pixels);
      cblas_sger(CblasRowMajor, channels, pixels, 1f, bias, 1, patches.ones(), 1, result, pixels);
    }
    return z;
  }

  @Override
  public Pair<Gradient, INDArray> backpropGradient(INDArray epsilon, LayerWorkspaceMgr workspaces) {
    assertInputSet(true);
    int count = (int) input.size(0);
    int channels = (int) layerConf().getNOut();
    int pixels = patches.pixels();
    int size = patches.patchSize();
    FloatPointer images = NativeArrays.pointer(NativeArrays.rowMajor(input));
    FloatPointer deltas = NativeArrays.pointer(NativeArrays.rowMajor(epsilon));
    FloatPointer w =
        NativeArrays.pointer(gradientViews.get(ConvolutionParamInitializer.WEIGHT_KEY));
    FloatPointer b = NativeArrays.pointer(gradientViews.get(ConvolutionParamInitializer.BIAS_KEY));
    for (int i = 0; i < count; i++) {
      float beta = add || i > 0 ? 1f : 0f;
      FloatPointer c = patches.of(images, i);
      FloatPointer delta = deltas.position((long) i * channels * pixels);
      cblas_sgemm(
          CblasRowMajor,
          CblasNoTrans,
          CblasTrans,
          channels,
          size,
          pixels,
          1f,
          delta,
          pixels,
          c,
          pixels,
          beta,
          w,
          size);
      cblas_sgemv(
          CblasRowMajor,
          CblasNoTrans,
          channels,
          pixels,
          1f,
          delta,
          pixels,
          patches.ones(),
          1,
          beta,
          b,
          1);
    }
    Gradient gradient = new DefaultGradient();
    gradient.gradientForVariable().putAll(gradientViews);
    return new Pair<>(gradient, null);
  }
}
