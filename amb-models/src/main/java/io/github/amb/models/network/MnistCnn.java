package io.github.amb.models.network;

import io.github.amb.models.data.ImageShape;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;

/**
 * The convolutional network of TensorFlow 1's MNIST tutorial, without dropout: two 5x5
 * convolutions, each with pooling, and 1024 hidden units; 3,274,634 parameters.
 */
final class MnistCnn implements NetworkDefinition {
  @Override
  public String name() {
    return "mnist-cnn";
  }

  @Override
  public ImageShape input() {
    return new ImageShape(1, 28, 28);
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
        .dense("fc1", 1024)
        .softmax("fc2", classes());
  }
}
