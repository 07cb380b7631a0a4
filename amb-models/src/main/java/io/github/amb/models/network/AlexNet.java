package io.github.amb.models.network;

import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.network.GraphBuilder.Window;

/**
 * AlexNet as in Gluon's model zoo (Krizhevsky: "One weird trick for parallelizing convolutional
 * neural networks", 2014).
 */
final class AlexNet {
  static final NetworkDefinition DEFINITION =
      NetworkDefinition.of("alexnet", new ImageShape(1, 224, 224), AlexNet::layers)
          .with(new InputRule.ScaledTo(224));

  private static final double KEEP = 0.5;

  private AlexNet() {}

  private static Architecture layers(Requirements needs) {
    Window pool = Window.of(3, 2, 0);
    return new GraphBuilder(needs)
        .input()
        .convolution("conv1", Window.of(11, 4, 2), 64)
        .normRelu()
        .maxPool("pool1", pool)
        .convolution("conv2", Window.of(5, 1, 2), 192)
        .normRelu()
        .maxPool("pool2", pool)
        .convolution("conv3", Window.of(3, 1, 1), 384)
        .normRelu()
        .convolution("conv4", Window.of(3, 1, 1), 256)
        .normRelu()
        .convolution("conv5", Window.of(3, 1, 1), 256)
        .normRelu()
        .maxPool("pool5", pool)
        .dense("fc1", 4096)
        .normRelu()
        .dropout("dropout1", KEEP)
        .dense("fc2", 4096)
        .normRelu()
        .dropout("dropout2", KEEP)
        .softmax("fc3");
  }
}
