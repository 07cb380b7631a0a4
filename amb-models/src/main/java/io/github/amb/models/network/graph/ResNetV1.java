package io.github.amb.models.network.graph;

import io.github.amb.models.data.ImageShape;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.network.InputRule;
import io.github.amb.models.network.NetworkDefinition;
import io.github.amb.models.network.Norm;
import io.github.amb.models.network.Requirements;
import io.github.amb.models.network.graph.GraphBuilder.Node;
import io.github.amb.models.network.graph.GraphBuilder.Window;

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
    return NetworkDefinition.of(
            name, new ImageShape(1, 28, 28), needs -> layers(needs, bottleneck, blocks))
        .with(Norm.BATCH)
        .with(new InputRule.AtLeast(8));
  }

  private static Architecture layers(Requirements needs, boolean bottleneck, int[] blocks) {
    Node x =
        new GraphBuilder(needs)
            .input()
            .normalizedConvolution("conv0", Window.of(7, 2, 3), 64)
            .norm()
            .relu()
            .maxPool("pool0", Window.of(3, 2, 1));
    int before = 64;
    for (int stage = 0; stage < blocks.length; stage++) {
      int channels = (bottleneck ? 256 : 64) << stage;
      for (int block = 0; block < blocks[stage]; block++) {
        String name = "stage%s-block%s".formatted(stage + 1, block + 1);
        int stride = stage > 0 && block == 0 ? 2 : 1;
        Node body =
            bottleneck ? bottleneck(x, name, channels, stride) : basic(x, name, channels, stride);
        Node shortcut =
            before == channels
                ? x
                : x.normalizedConvolution(name + "-shortcut", Window.of(1, stride, 0), channels)
                    .norm();
        x = body.plus(name + "-sum", shortcut).relu();
        before = channels;
      }
    }
    return x.globalAverage().softmax("fc");
  }

  private static Node basic(Node x, String name, int channels, int stride) {
    return x.normalizedConvolution(name + "-conv1", Window.of(3, stride, 1), channels)
        .norm()
        .relu()
        .normalizedConvolution(name + "-conv2", Window.of(3, 1, 1), channels)
        .norm();
  }

  private static Node bottleneck(Node x, String name, int channels, int stride) {
    return x.convolution(name + "-conv1", Window.of(1, stride, 0), channels / 4)
        .norm()
        .relu()
        .normalizedConvolution(name + "-conv2", Window.of(3, 1, 1), channels / 4)
        .norm()
        .relu()
        .convolution(name + "-conv3", Window.of(1, 1, 0), channels)
        .norm();
  }
}
