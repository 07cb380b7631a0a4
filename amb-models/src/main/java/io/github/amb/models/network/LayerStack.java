package io.github.amb.models.network;

import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.Targets;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.dl4j.SequenceConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.deeplearning4j.nn.conf.ConvolutionMode;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.ActivationLayer;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.DropoutLayer;
import org.deeplearning4j.nn.conf.layers.Layer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.conf.layers.SubsamplingLayer;
import org.deeplearning4j.nn.weights.WeightInit;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/**
 * Builds networks that are sequences of layers.
 *
 * <p>Weights before a ReLU are drawn from N(0, 2 / fan-in) (He et al., 2015), those before a
 * sigmoid or the softmax from N(0, 2 / (fan-in + fan-out)) (Glorot and Bengio, 2010). Biases are 0.
 */
final class LayerStack {
  private final List<Layer> layers = new ArrayList<>();
  private final Requirements requirements;
  private boolean images;

  LayerStack(Requirements requirements) {
    this.requirements = requirements;
  }

  /**
   * Square convolution with stride 1 and without activation; the result has the input's height and
   * width.
   */
  LayerStack convolution(String name, int kernel, int channels) {
    return add(builder(name, kernel, channels).convolutionMode(ConvolutionMode.Same));
  }

  /** Square convolution with stride 1 and without padding or activation. */
  LayerStack innerConvolution(String name, int kernel, int channels) {
    return add(builder(name, kernel, channels).convolutionMode(ConvolutionMode.Truncate));
  }

  /**
   * Square convolution with stride 1 and without activation, with biases only if the network has no
   * normalization.
   */
  LayerStack normalizedConvolution(String name, int kernel, int channels) {
    var convolution = builder(name, kernel, channels).convolutionMode(ConvolutionMode.Same);
    return add(convolution.hasBias(requirements.norm() == Norm.NONE));
  }

  private LayerStack add(ConvolutionLayer.Builder convolution) {
    layers.add(convolution.build());
    images = true;
    return this;
  }

  private static ConvolutionLayer.Builder builder(String name, int kernel, int channels) {
    return new ConvolutionLayer.Builder(kernel, kernel)
        .name(name)
        .nOut(channels)
        .activation(Activation.IDENTITY);
  }

  /** Normalizes the result of layer {@code of}, unless the network has no normalization. */
  LayerStack norm(String of) {
    if (requirements.norm() != Norm.NONE) {
      layers.add(requirements.norm().layer(of + "-norm"));
    }
    return this;
  }

  /**
   * Maximum over 2x2 with stride 2, odd heights and widths rounded up, then ReLU. The two commute,
   * and this order does a quarter of the work.
   */
  LayerStack poolingRelu(String name) {
    layers.add(
        new SubsamplingLayer.Builder(SubsamplingLayer.PoolingType.MAX)
            .name(name)
            .kernelSize(2, 2)
            .stride(2, 2)
            .convolutionMode(ConvolutionMode.Same)
            .build());
    return activation(name, Activation.RELU);
  }

  private LayerStack activation(String of, Activation activation) {
    layers.add(
        new ActivationLayer.Builder()
            .name(of + "-" + activation.name().toLowerCase(Locale.ROOT))
            .activation(activation)
            .build());
    return this;
  }

  /** Fully connected with ReLU. */
  LayerStack dense(String name, int units) {
    return dense(name, units, Activation.RELU, WeightInit.RELU);
  }

  /** Fully connected, normalization if the network has one, then ReLU. */
  LayerStack normalizedDense(String name, int units) {
    return normalized(name, units, Activation.RELU, WeightInit.RELU);
  }

  /** Fully connected, normalization if the network has one, then the logistic function. */
  LayerStack normalizedSigmoidDense(String name, int units) {
    return normalized(name, units, Activation.SIGMOID, WeightInit.XAVIER);
  }

  private LayerStack normalized(String name, int units, Activation activation, WeightInit init) {
    if (requirements.norm() == Norm.NONE) {
      return dense(name, units, activation, init);
    }
    return dense(name, units, Activation.IDENTITY, init).norm(name).activation(name, activation);
  }

  private LayerStack dense(String name, int units, Activation activation, WeightInit init) {
    layers.add(
        new DenseLayer.Builder()
            .name(name)
            .nOut(units)
            .activation(activation)
            .weightInit(init)
            .build());
    return this;
  }

  /**
   * Keeps each value with probability {@code keep} and divides it by that; sets it to 0 otherwise.
   */
  LayerStack dropout(String name, double keep) {
    layers.add(new DropoutLayer.Builder(keep).name(name).build());
    return this;
  }

  /** Completes the network with a fully connected output, softmax and cross-entropy. */
  Architecture softmax(String name) {
    return softmax(name, WeightInit.XAVIER);
  }

  /**
   * Completes the network with a fully connected output whose initial weights are 0, softmax and
   * cross-entropy.
   */
  Architecture softmaxFromZero(String name) {
    if (requirements.targets() == Targets.NUMBERS) {
      throw new UsageException(
          "network logistic-regression: expected classes or labels, found numbers to predict; choose linear-regression");
    }
    return softmax(name, WeightInit.ZERO);
  }

  private Architecture softmax(String name, WeightInit init) {
    return output(
        new OutputLayer.Builder(requirements.loss().function())
            .name(name)
            .nOut(requirements.outputs())
            .activation(requirements.loss().activation())
            .weightInit(init)
            .build());
  }

  /**
   * Completes the network with a fully connected output whose initial weights are 0, and the
   * squared error: one for the number of the class, or one for each number to predict.
   */
  Architecture leastSquares(String name) {
    return output(
        new OutputLayer.Builder(LossFunction.MSE)
            .name(name)
            .nOut(requirements.targets() == Targets.CLASS ? 1 : requirements.classes())
            .activation(Activation.IDENTITY)
            .weightInit(WeightInit.ZERO)
            .build());
  }

  private Architecture output(OutputLayer layer) {
    layers.add(layer);
    return Architecture.of(SequenceConfiguration.of(layers, inputType()), requirements.input());
  }

  private InputType inputType() {
    var input = requirements.input();
    return images
        ? InputType.convolutional(input.height(), input.width(), input.channels())
        : InputType.feedForward(input.size());
  }
}
