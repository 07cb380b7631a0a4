package io.github.amb.models.network;

import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.dl4j.Architecture;

/**
 * LeNet in the form of Caffe and ATOMO: two 5x5 convolutions without padding, each with pooling,
 * and 500 hidden units; 431,080 parameters (LeCun et al.: "Gradient-based learning applied to
 * document recognition", 1998).
 */
final class LeNet {
  static final NetworkDefinition DEFINITION =
      NetworkDefinition.of("lenet", new ImageShape(1, 28, 28), LeNet::layers);

  private LeNet() {}

  private static Architecture layers(Requirements requirements) {
    return new LayerStack(requirements)
        .innerConvolution("conv1", 5, 20)
        .norm("conv1")
        .poolingRelu("pool1")
        .innerConvolution("conv2", 5, 50)
        .norm("conv2")
        .poolingRelu("pool2")
        .normalizedDense("fc1", 500)
        .softmax("fc2");
  }
}
