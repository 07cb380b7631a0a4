package io.github.amb.models.network;

import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.dl4j.Architecture;
import java.util.function.Function;

/** The listed networks that are sequences of layers of fixed sizes. */
final class SequentialNetworks {
  private static final ImageShape MNIST = new ImageShape(1, 28, 28);
  private static final ImageShape TOY = new ImageShape(1, 10, 10);

  /** Share of the hidden units that dropout keeps. */
  private static final double KEEP = 0.7;

  /**
   * The convolutional network of TensorFlow 1's MNIST tutorial, without dropout: two 5x5
   * convolutions, each with pooling, and 1024 hidden units; 3,274,634 parameters.
   */
  static final NetworkDefinition MNIST_CNN =
      of(
          "mnist-cnn",
          MNIST,
          layers ->
              pooled(pooled(layers, 1, 5, 32), 2, 5, 64)
                  .normalizedDense("fc1", 1024)
                  .softmax("fc2"));

  /**
   * The network of AMB's CIFAR-10 experiments: four convolutions and three hidden layers with batch
   * normalization and dropout; 4,607,178 trainable parameters.
   */
  static final NetworkDefinition CIFAR10_CNN =
      of("cifar10-cnn", new ImageShape(3, 32, 32), SequentialNetworks::cifar10Cnn).with(Norm.BATCH);

  /** A fully connected network for the toy data: 100-500-1000-500-10; 1,057,010 parameters. */
  static final NetworkDefinition TOY_FC =
      of(
          "toy-fc",
          TOY,
          layers ->
              layers
                  .normalizedDense("fc1", 500)
                  .normalizedDense("fc2", 1000)
                  .normalizedDense("fc3", 500)
                  .softmax("fc4"));

  /** A small convolutional network for the toy data; 57,866 parameters. */
  static final NetworkDefinition TOY_CONV =
      of("toy-conv", TOY, layers -> pooled(pooled(layers, 1, 5, 32), 2, 5, 64).softmax("fc1"));

  /** One hidden layer of 100 sigmoid units, 784-100-10; 79,510 parameters. */
  static final NetworkDefinition SIGMOID_MLP =
      of("sigmoid-mlp", MNIST, layers -> layers.normalizedSigmoidDense("fc1", 100).softmax("fc2"));

  /**
   * Logistic regression with cross-entropy: softmax of {@code W x + b}. Its loss is convex, and all
   * parameters are initially 0.
   */
  static final NetworkDefinition LOGISTIC =
      of("logistic-regression", MNIST, layers -> layers.softmaxFromZero("softmax"))
          .with(new InputRule.AtLeast(1))
          .withObjective(LinearObjective.USAGE, given -> LinearObjective.Kind.of(true, given));

  /** Linear regression with squared error: {@code ⟨w, x⟩ + b}. All parameters are initially 0. */
  static final NetworkDefinition LINEAR =
      of("linear-regression", TOY, layers -> layers.leastSquares("linear"))
          .with(new InputRule.AtLeast(1))
          .withClasses(2)
          .withObjective(LinearObjective.USAGE, given -> LinearObjective.Kind.of(false, given));

  /**
   * The network of AdaComp's experiments: two 3x3 convolutions, each with pooling, and 128 hidden
   * units; 421,642 parameters.
   */
  static final NetworkDefinition ADACOMP_CNN =
      of(
          "adacomp-cnn",
          MNIST,
          layers ->
              pooled(pooled(layers, 1, 3, 32), 2, 3, 64)
                  .normalizedDense("fc1", 128)
                  .softmax("fc2"));

  /**
   * LeNet in the form of Caffe and ATOMO: two 5x5 convolutions without padding, each with pooling,
   * and 500 hidden units; 431,080 parameters (LeCun et al.: "Gradient-based learning applied to
   * document recognition", 1998).
   */
  static final NetworkDefinition LENET =
      of(
          "lenet",
          MNIST,
          layers ->
              layers
                  .innerConvolution("conv1", 5, 20)
                  .norm("conv1")
                  .poolingRelu("pool1")
                  .innerConvolution("conv2", 5, 50)
                  .norm("conv2")
                  .poolingRelu("pool2")
                  .normalizedDense("fc1", 500)
                  .softmax("fc2"));

  private SequentialNetworks() {}

  private static NetworkDefinition of(
      String name, ImageShape input, Function<LayerStack, Architecture> layers) {
    return NetworkDefinition.of(name, input, needs -> layers.apply(new LayerStack(needs)));
  }

  private static LayerStack pooled(LayerStack layers, int number, int kernel, int channels) {
    String name = "conv" + number;
    return layers.convolution(name, kernel, channels).norm(name).poolingRelu("pool" + number);
  }

  private static Architecture cifar10Cnn(LayerStack layers) {
    int[] channels = {64, 128, 256, 512};
    for (int i = 1; i <= channels.length; i++) {
      layers
          .normalizedConvolution("conv" + i, i <= 2 ? 3 : 5, channels[i - 1])
          .poolingRelu("pool" + i)
          .norm("conv" + i);
    }
    for (int i = 1; i <= 3; i++) {
      layers.dense("fc" + i, 64 << i).dropout("dropout" + i, KEEP).norm("fc" + i);
    }
    return layers.softmax("fc4");
  }
}
