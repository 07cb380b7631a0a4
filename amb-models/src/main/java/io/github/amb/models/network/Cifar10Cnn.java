package io.github.amb.models.network;

import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.dl4j.Architecture;

/**
 * The network of AMB's CIFAR-10 experiments: four convolutions and three hidden layers with batch
 * normalization and dropout; 4,607,178 trainable parameters.
 */
final class Cifar10Cnn {
  static final NetworkDefinition DEFINITION =
      NetworkDefinition.of("cifar10-cnn", new ImageShape(3, 32, 32), Cifar10Cnn::layers)
          .with(Norm.BATCH);

  /** Share of the hidden units that dropout keeps. */
  private static final double KEEP = 0.7;

  private Cifar10Cnn() {}

  private static Architecture layers(Requirements requirements) {
    return new LayerStack(requirements)
        .normalizedConvolution("conv1", 3, 64)
        .poolingRelu("pool1")
        .norm("conv1")
        .normalizedConvolution("conv2", 3, 128)
        .poolingRelu("pool2")
        .norm("conv2")
        .normalizedConvolution("conv3", 5, 256)
        .poolingRelu("pool3")
        .norm("conv3")
        .normalizedConvolution("conv4", 5, 512)
        .poolingRelu("pool4")
        .norm("conv4")
        .dense("fc1", 128)
        .dropout("dropout1", KEEP)
        .norm("fc1")
        .dense("fc2", 256)
        .dropout("dropout2", KEEP)
        .norm("fc2")
        .dense("fc3", 512)
        .dropout("dropout3", KEEP)
        .norm("fc3")
        .softmax("fc4");
  }
}
