package io.github.amb.models.network;

import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.network.GraphBuilder.Node;
import io.github.amb.models.network.GraphBuilder.Window;

/**
 * Residual networks that normalize before each convolution, as in Gluon's model zoo (He et al.:
 * "Identity Mappings in Deep Residual Networks", 2016).
 */
final class ResNetV2 {
  static final NetworkDefinition RESNET_50 =
      NetworkDefinition.of("resnet50-v2", new ImageShape(1, 28, 28), ResNetV2::layers)
          .with(Norm.BATCH)
          .with(new InputRule.AtLeast(8));

  private ResNetV2() {}

  private static Architecture layers(Requirements needs) {
    Node x =
        new GraphBuilder(needs)
            .input()
            .inputNorm()
            .normalizedConvolution("conv0", Window.of(7, 2, 3), 64)
            .normRelu()
            .maxPool("pool0", Window.of(3, 2, 1));
    return ResidualStages.preactivated(x, ResNetV2::bottleneck, 256, 3, 4, 6, 3);
  }

  private static Node bottleneck(Node x, String name, int channels, int stride) {
    return x.normalizedConvolution(name + "-conv1", Window.of(1, 1, 0), channels / 4)
        .normRelu()
        .normalizedConvolution(name + "-conv2", Window.of(3, stride, 1), channels / 4)
        .normRelu()
        .normalizedConvolution(name + "-conv3", Window.of(1, 1, 0), channels);
  }
}
