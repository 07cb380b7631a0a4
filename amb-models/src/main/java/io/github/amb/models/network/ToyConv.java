package io.github.amb.models.network;

import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.dl4j.Architecture;

/** A small convolutional network for the toy data; 57,866 parameters. */
final class ToyConv {
  static final NetworkDefinition DEFINITION =
      NetworkDefinition.of("toy-conv", new ImageShape(1, 10, 10), ToyConv::layers);

  private ToyConv() {}

  private static Architecture layers(Requirements requirements) {
    return new LayerStack(requirements)
        .convolution("conv1", 5, 32)
        .norm("conv1")
        .poolingRelu("pool1")
        .convolution("conv2", 5, 64)
        .norm("conv2")
        .poolingRelu("pool2")
        .softmax("fc1");
  }
}
