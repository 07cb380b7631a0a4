package io.github.amb.models.network;

import io.github.amb.models.data.ImageShape;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;

/** A small convolutional network for the toy data; 57,866 parameters. */
final class ToyConv implements NetworkDefinition {
  @Override
  public String name() {
    return "toy-conv";
  }

  @Override
  public ImageShape input() {
    return new ImageShape(1, 10, 10);
  }

  @Override
  public int classes() {
    return 10;
  }

  @Override
  public MultiLayerConfiguration configuration() {
    return LayerStack.of(input())
        .convolution("conv1", 5, 32)
        .poolingRelu("pool1")
        .convolution("conv2", 5, 64)
        .poolingRelu("pool2")
        .softmax("fc1", classes());
  }
}
