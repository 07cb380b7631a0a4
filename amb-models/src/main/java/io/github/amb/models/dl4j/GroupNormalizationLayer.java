package io.github.amb.models.dl4j;

import java.lang.ref.Reference;
import java.util.Arrays;
import org.bytedeco.javacpp.FloatPointer;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.gradient.DefaultGradient;
import org.deeplearning4j.nn.gradient.Gradient;
import org.deeplearning4j.nn.layers.BaseLayer;
import org.deeplearning4j.nn.workspace.ArrayType;
import org.deeplearning4j.nn.workspace.LayerWorkspaceMgr;
import org.nd4j.common.primitives.Pair;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;

/**
 * Computes {@link GroupNormalization}, example by example: {@code y = γ x̂ + β} with {@code x̂ = (x
 * − μ) / √(σ² + ε)}, where μ and σ² are the mean and variance of the example's group.
 */
final class GroupNormalizationLayer extends BaseLayer<GroupNormalization> {
  private static final long serialVersionUID = 1L;

  private int groups;
  private int pixels;
  private int size; // number of entries of an example

  private transient float[] gamma = {};
  private transient float[] beta = {};
  private transient float[] gammaSums = {};
  private transient float[] betaSums = {};
  private transient float[] example = {};
  private transient float[] upstream = {};

  /** x̂ of the examples of the last forward pass, for the backward pass. */
  private transient float[] normalized = {};

  /** 1 / √(σ² + ε) of each group of these examples. */
  private transient float[] scales = {};

  GroupNormalizationLayer(NeuralNetConfiguration conf, DataType type) {
    super(conf, type);
  }

  private void prepare() {
    int channels = Math.toIntExact(layerConf().getNOut());
    int rows = Math.toIntExact(input.size(0));
    groups = input.rank() == 4 ? GroupNormalization.groups(channels) : 1;
    size = Math.toIntExact(input.length()) / rows;
    pixels = size / channels;
    if (example.length != size) {
      example = new float[size];
      upstream = new float[size];
      gamma = new float[channels];
      beta = new float[channels];
      gammaSums = new float[channels];
      betaSums = new float[channels];
    }
    if (normalized.length < rows * size) {
      normalized = new float[rows * size];
      scales = new float[rows * groups];
    }
    NativeArrays.pointer(getParam(ScaleAndShift.GAMMA)).get(gamma, 0, channels);
    NativeArrays.pointer(getParam(ScaleAndShift.BETA)).get(beta, 0, channels);
  }

  @Override
  public INDArray activate(boolean training, LayerWorkspaceMgr workspaces) {
    assertInputSet(false);
    applyDropOutIfNecessary(training, workspaces);
    prepare();
    INDArray result =
        workspaces.createUninitialized(ArrayType.ACTIVATIONS, dataType, input.shape(), 'c');
    INDArray rows = NativeArrays.rowMajor(input);
    FloatPointer in = NativeArrays.pointer(rows);
    FloatPointer out = NativeArrays.pointer(result);
    for (int row = 0; row < input.size(0); row++) {
      in.position((long) row * size).get(example, 0, size);
      for (int group = 0; group < groups; group++) {
        normalize(row, group);
      }
      scaleAndShift(row * size);
      out.position((long) row * size).put(example, 0, size);
    }
    Reference.reachabilityFence(rows);
    return result;
  }

  private void normalize(int row, int group) {
    int length = size / groups;
    int from = group * length;
    double sum = 0;
    for (int i = from; i < from + length; i++) {
      sum += example[i];
    }
    double mean = sum / length;
    double squares = 0;
    for (int i = from; i < from + length; i++) {
      double centered = example[i] - mean;
      squares += centered * centered;
    }
    float scale = (float) (1 / Math.sqrt(squares / length + GroupNormalization.EPSILON));
    float center = (float) mean;
    int start = row * size;
    for (int i = from; i < from + length; i++) {
      normalized[start + i] = (example[i] - center) * scale;
    }
    scales[row * groups + group] = scale;
  }

  private void scaleAndShift(int start) {
    for (int channel = 0; channel < gamma.length; channel++) {
      float scale = gamma[channel];
      float shift = beta[channel];
      for (int i = channel * pixels; i < (channel + 1) * pixels; i++) {
        example[i] = normalized[start + i] * scale + shift;
      }
    }
  }

  @Override
  public Pair<Gradient, INDArray> backpropGradient(INDArray epsilon, LayerWorkspaceMgr workspaces) {
    assertInputSet(true);
    INDArray result =
        workspaces.createUninitialized(ArrayType.ACTIVATION_GRAD, dataType, input.shape(), 'c');
    INDArray rows = NativeArrays.rowMajor(epsilon);
    FloatPointer in = NativeArrays.pointer(rows);
    FloatPointer out = NativeArrays.pointer(result);
    Arrays.fill(gammaSums, 0);
    Arrays.fill(betaSums, 0);
    for (int row = 0; row < input.size(0); row++) {
      in.position((long) row * size).get(upstream, 0, size);
      addParameterGradients(row * size);
      for (int group = 0; group < groups; group++) {
        inputGradient(row, group);
      }
      out.position((long) row * size).put(example, 0, size);
    }
    Reference.reachabilityFence(rows);
    Gradient gradient = new DefaultGradient();
    gradient.gradientForVariable().putAll(gradientViews);
    NativeArrays.pointer(gradientViews.get(ScaleAndShift.GAMMA)).put(gammaSums, 0, gamma.length);
    NativeArrays.pointer(gradientViews.get(ScaleAndShift.BETA)).put(betaSums, 0, beta.length);
    return new Pair<>(gradient, backpropDropOutIfPresent(result));
  }

  /**
   * Adds the gradients with respect to γ and β, and replaces the upstream gradient by that with
   * respect to x̂.
   */
  private void addParameterGradients(int start) {
    for (int channel = 0; channel < gamma.length; channel++) {
      float scale = gamma[channel];
      double gammaSum = 0;
      double betaSum = 0;
      for (int i = channel * pixels; i < (channel + 1) * pixels; i++) {
        gammaSum += upstream[i] * normalized[start + i];
        betaSum += upstream[i];
        upstream[i] *= scale;
      }
      gammaSums[channel] += (float) gammaSum;
      betaSums[channel] += (float) betaSum;
    }
  }

  /**
   * {@code dx = (d − mean(d) − x̂ · mean(d · x̂)) / √(σ² + ε)}, where d is the gradient with
   * respect to x̂.
   */
  private void inputGradient(int row, int group) {
    int length = size / groups;
    int from = group * length;
    int start = row * size;
    double sum = 0;
    double product = 0;
    for (int i = from; i < from + length; i++) {
      sum += upstream[i];
      product += upstream[i] * normalized[start + i];
    }
    float scale = scales[row * groups + group];
    float meanGradient = (float) (sum / length);
    float meanProduct = (float) (product / length);
    for (int i = from; i < from + length; i++) {
      example[i] = scale * (upstream[i] - meanGradient - normalized[start + i] * meanProduct);
    }
  }

  @Override
  public boolean isPretrainLayer() {
    return false;
  }
}
