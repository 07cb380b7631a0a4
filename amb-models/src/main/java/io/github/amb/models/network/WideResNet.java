package io.github.amb.models.network;

import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.network.GraphBuilder.Node;
import io.github.amb.models.network.GraphBuilder.Window;

/**
 * WRN-28-2: a residual network of 28 layers, twice as wide as the CIFAR networks (Zagoruyko and
 * Komodakis: "Wide Residual Networks", 2016); 1,595,320 parameters for the 1,000 classes of
 * ImageNet at 32x32.
 */
final class WideResNet {
  static final NetworkDefinition WRN_28_2 =
      NetworkDefinition.of("wrn-28-2", new ImageShape(3, 32, 32), WideResNet::layers)
          .with(Norm.BATCH)
          .with(new InputRule.AtLeast(8))
          .withClasses(1000);

  private WideResNet() {}

  private static Architecture layers(Requirements needs) {
    Node x = new GraphBuilder(needs).input().normalizedConvolution("conv0", Window.of(3, 1, 1), 16);
    return ResidualStages.preactivated(x, WideResNet::body, 2 * 16, 4, 4, 4);
  }

  private static Node body(Node x, String name, int channels, int stride) {
    return x.normalizedConvolution(name + "-conv1", Window.of(3, stride, 1), channels)
        .normRelu()
        .normalizedConvolution(name + "-conv2", Window.of(3, 1, 1), channels);
  }
}
