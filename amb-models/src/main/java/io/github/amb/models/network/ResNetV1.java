package io.github.amb.models.network;

import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.network.GraphBuilder.Node;
import io.github.amb.models.network.GraphBuilder.Window;

/**
 * Residual networks for large images, as in Gluon's model zoo (He et al.: "Deep Residual Learning
 * for Image Recognition", 2016). Unlike the paper, Gluon has the stride in a bottleneck's first
 * convolution and biases in its 1x1 convolutions.
 */
final class ResNetV1 {
  static final NetworkDefinition RESNET_18 = definition("resnet18-v1", false, 2, 2, 2, 2);
  static final NetworkDefinition RESNET_50 = definition("resnet50-v1", true, 3, 4, 6, 3);

  private ResNetV1() {}

  private static NetworkDefinition definition(String name, boolean bottleneck, int... blocks) {
    ResidualStages.Body body = bottleneck ? ResNetV1::bottleneck : ResidualStages::basic;
    int width = bottleneck ? 256 : 64;
    return NetworkDefinition.of(
            name,
            new ImageShape(1, 28, 28),
            needs -> ResidualStages.of(first(needs), body, width, blocks))
        .with(Norm.BATCH)
        .with(new InputRule.AtLeast(8));
  }

  private static Node first(Requirements needs) {
    return new GraphBuilder(needs)
        .input()
        .normalizedConvolution("conv0", Window.of(7, 2, 3), 64)
        .normRelu()
        .maxPool("pool0", Window.of(3, 2, 1));
  }

  private static Node bottleneck(Node x, String name, int channels, int stride) {
    return x.convolution(name + "-conv1", Window.of(1, stride, 0), channels / 4)
        .normRelu()
        .normalizedConvolution(name + "-conv2", Window.of(3, 1, 1), channels / 4)
        .normRelu()
        .convolution(name + "-conv3", Window.of(1, 1, 0), channels)
        .norm();
  }
}
