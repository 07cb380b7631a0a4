package io.github.amb.models.network;

import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.dl4j.Architecture;

/**
 * The convolutional network of TensorFlow 1's MNIST tutorial, without dropout: two 5x5
 * convolutions, each with pooling, and 1024 hidden units; 3,274,634 parameters.
 */
final class MnistCnn {
  static final NetworkDefinition DEFINITION =
      NetworkDefinition.of("mnist-cnn", new ImageShape(1, 28, 28), MnistCnn::layers);

  private MnistCnn() {}

  private static Architecture layers(Requirements requirements) {
    return new LayerStack(requirements)
        .convolution("conv1", 5, 32)
        .norm("conv1")
        .poolingRelu("pool1")
        .convolution("conv2", 5, 64)
        .norm("conv2")
        .poolingRelu("pool2")
        .normalizedDense("fc1", 1024)
        .softmax("fc2");
  }
}
