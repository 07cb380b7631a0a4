package io.github.amb.models.network;

import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.dl4j.Architecture;

/**
 * The network of AdaComp's experiments: two 3x3 convolutions, each with pooling, and 128 hidden
 * units; 421,642 parameters.
 */
final class AdaCompCnn {
  static final NetworkDefinition DEFINITION =
      NetworkDefinition.of("adacomp-cnn", new ImageShape(1, 28, 28), AdaCompCnn::layers);

  private AdaCompCnn() {}

  private static Architecture layers(Requirements requirements) {
    return new LayerStack(requirements)
        .convolution("conv1", 3, 32)
        .norm("conv1")
        .poolingRelu("pool1")
        .convolution("conv2", 3, 64)
        .norm("conv2")
        .poolingRelu("pool2")
        .normalizedDense("fc1", 128)
        .softmax("fc2");
  }
}
