package io.github.amb.models.dl4j;

import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;
import org.deeplearning4j.nn.conf.layers.BaseOutputLayer;
import org.deeplearning4j.nn.conf.layers.BatchNormalization;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.DepthwiseConvolution2D;
import org.deeplearning4j.nn.conf.layers.FeedForwardLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.RnnOutputLayer;
import org.deeplearning4j.nn.weights.IWeightInit;
import org.deeplearning4j.nn.weights.WeightInitConstant;
import org.deeplearning4j.nn.weights.WeightInitRelu;
import org.deeplearning4j.nn.weights.WeightInitXavier;

/**
 * Draws the parameters of one layer in the order and from the distributions of DL4J. Weights are 0,
 * or from N(0, 2 / fan-in) (He et al., 2015) or N(0, 2 / (fan-in + fan-out)) (Glorot and Bengio,
 * 2010). A convolution's fan-out is divided by the product of its strides. A depthwise one's fan-in
 * counts all channels, where a chosen distribution counts the one of a unit. Biases are as
 * configured.
 */
final class LayerDraw {
  private static final IWeightInit ZERO = new WeightInitConstant(0);

  private final UniformRandomProvider random;
  private final Initialization chosen;
  private final float[] target;
  private int position;

  /**
   * @param random advanced
   * @param chosen distributions of weights; null for those of the layer
   * @param target receives the parameters; modified
   * @param offset index of the layer's first parameter
   */
  LayerDraw(UniformRandomProvider random, Initialization chosen, float[] target, int offset) {
    this.random = random;
    this.chosen = chosen;
    this.target = target;
    position = offset;
  }

  /** Draws the parameters; returns false, without drawing, for an unknown layer or distribution. */
  boolean draw(Layer layer) {
    // Exact types: a subclass may have other parameters.
    Class<?> type = layer.getClass();
    if (type == BatchNormalization.class) {
      return normalization((BatchNormalization) layer);
    } else if (type == GroupNormalization.class) {
      int channels = (int) ((FeedForwardLayer) layer).getNOut();
      fill(1, channels);
      fill(0, channels);
      return true;
    } else if (type == ConvolutionLayer.class || type == DepthwiseConvolution2D.class) {
      return convolution((ConvolutionLayer) layer, type == DepthwiseConvolution2D.class);
    } else if (type == DenseLayer.class) {
      DenseLayer dense = (DenseLayer) layer;
      return !dense.hasLayerNorm() && dense(dense, dense.hasBias());
    }
    if (layer instanceof SequenceLayer sequence) {
      sequence(sequence);
      return true;
    }
    return (type == OutputLayer.class || type == RnnOutputLayer.class)
        && dense((FeedForwardLayer) layer, ((BaseOutputLayer) layer).hasBias());
  }

  private void sequence(SequenceLayer layer) {
    for (SequenceLayer.Parameter parameter : layer.parameters()) {
      int count = Math.toIntExact(parameter.length());
      if (parameter.deviation() == 0) {
        fill(parameter.mean(), count);
      } else {
        long[] shape = parameter.shape();
        var own = new Distribution(Distribution.Kind.NORMAL, parameter.deviation());
        draw(chosen == null ? own : chosen.dense(), shape[1], shape[0], count);
      }
    }
  }

  private boolean normalization(BatchNormalization layer) {
    if (!layer.isUseLogStd()) {
      return false;
    }
    int channels = (int) layer.getNOut();
    if (!layer.isLockGammaBeta()) {
      fill(layer.getGamma(), channels);
      fill(layer.getBeta(), channels);
    }
    // Means, and logarithms of the standard deviations, of N(0, 1).
    fill(0, 2 * channels);
    return true;
  }

  private boolean convolution(ConvolutionLayer layer, boolean depthwise) {
    int[] kernel = layer.getKernelSize();
    int[] stride = layer.getStride();
    double window = kernel[0] * kernel[1];
    double in = layer.getNIn() * window;
    double perInput = depthwise ? ((DepthwiseConvolution2D) layer).getDepthMultiplier() : 0;
    double out = (depthwise ? perInput : layer.getNOut()) * window / (stride[0] * stride[1]);
    Distribution own = own(layer.getWeightInitFn());
    if (chosen == null && own == null) {
      return false;
    }
    if (layer.hasBias()) {
      fill(layer.getBiasInit(), (int) layer.getNOut());
    }
    int count = (int) (in * (depthwise ? perInput : layer.getNOut()));
    if (chosen == null) {
      draw(own, in, out, count);
    } else {
      double fanIn = depthwise ? window : in;
      draw(chosen.convolutions(), fanIn, out * stride[0] * stride[1], count);
    }
    return true;
  }

  private boolean dense(FeedForwardLayer layer, boolean biased) {
    Distribution weights = chosen == null ? own(layer.getWeightInitFn()) : chosen.dense();
    if (weights == null) {
      return false;
    }
    int count = Math.toIntExact(layer.getNIn() * layer.getNOut());
    draw(weights, layer.getNIn(), layer.getNOut(), count);
    if (biased) {
      fill(layer.getBiasInit(), (int) layer.getNOut());
    }
    return true;
  }

  /** The distribution of a layer's weights as DL4J names it; null for an unknown one. */
  private static Distribution own(IWeightInit init) {
    if (init.equals(ZERO)) {
      return new Distribution(Distribution.Kind.ZEROS, Double.NaN);
    }
    if (init instanceof WeightInitRelu) {
      return new Distribution(Distribution.Kind.HE_NORMAL, Double.NaN);
    }
    return init instanceof WeightInitXavier
        ? new Distribution(Distribution.Kind.GLOROT_NORMAL, Double.NaN)
        : null;
  }

  private void draw(Distribution distribution, double fanIn, double fanOut, int count) {
    distribution.draw(random, fanIn, fanOut, target, position, position + count);
    position += count;
  }

  private void fill(double value, int count) {
    Arrays.fill(target, position, position += count, (float) value);
  }
}
