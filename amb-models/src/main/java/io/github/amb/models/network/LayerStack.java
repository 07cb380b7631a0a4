package io.github.amb.models.network;

import io.github.amb.models.data.ImageShape;
import io.github.amb.models.dl4j.AccumulatingDense;
import io.github.amb.models.dl4j.AccumulatingSoftmax;
import io.github.amb.models.dl4j.Dl4jSetup;
import io.github.amb.models.dl4j.InputConvolution;
import io.github.amb.models.dl4j.PoolingRelu;
import org.deeplearning4j.nn.conf.ConvolutionMode;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.weights.WeightInit;
import org.nd4j.linalg.activations.Activation;

/**
 * Puts layers one on the other.
 *
 * <p>Weights before a ReLU are drawn from N(0, 2 / fan-in) (He et al., 2015), those before a
 * sigmoid or the softmax from N(0, 2 / (fan-in + fan-out)) (Glorot and Bengio, 2010); biases are 0.
 */
final class LayerStack {
  private final NeuralNetConfiguration.ListBuilder layers = Dl4jSetup.builder().list();
  private final ImageShape input;
  private boolean images;

  private LayerStack(ImageShape input) {
    this.input = input;
  }

  static LayerStack of(ImageShape input) {
    return new LayerStack(input);
  }

  /** Square convolution with stride 1, result as high and wide as the input, no activation. */
  LayerStack convolution(String name, int kernel, int channels) {
    layers.layer(
        images
            ? new ConvolutionLayer.Builder(kernel, kernel)
                .name(name)
                .nOut(channels)
                .convolutionMode(ConvolutionMode.Same)
                .activation(Activation.IDENTITY)
                .build()
            : InputConvolution.of(name, kernel, channels));
    images = true;
    return this;
  }

  /** ReLU and maximum over 2x2 with stride 2; odd heights and widths are rounded up. */
  LayerStack poolingRelu(String name) {
    layers.layer(PoolingRelu.of(name));
    return this;
  }

  /** Fully connected with ReLU. */
  LayerStack dense(String name, int units) {
    layers.layer(
        new AccumulatingDense.Builder().name(name).nOut(units).activation(Activation.RELU).build());
    return this;
  }

  /** Fully connected with the logistic function. */
  LayerStack sigmoidDense(String name, int units) {
    layers.layer(
        new AccumulatingDense.Builder()
            .name(name)
            .nOut(units)
            .activation(Activation.SIGMOID)
            .weightInit(WeightInit.XAVIER)
            .build());
    return this;
  }

  /** Fully connected output with softmax and cross-entropy; ends the stack. */
  MultiLayerConfiguration softmax(String name, int classes) {
    layers.layer(
        new AccumulatingSoftmax.Builder()
            .name(name)
            .nOut(classes)
            .weightInit(WeightInit.XAVIER)
            .build());
    return layers.setInputType(inputType()).build();
  }

  private InputType inputType() {
    return images
        ? InputType.convolutional(input.height(), input.width(), input.channels())
        : InputType.feedForward(input.size());
  }
}
