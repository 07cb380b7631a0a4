package io.github.amb.models.network;

import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.network.GraphBuilder.Node;
import io.github.amb.models.network.GraphBuilder.Window;

/**
 * MobileNet as in Gluon's model zoo, with width multiplier 1 (Howard et al.: "MobileNets", 2017).
 */
final class MobileNetV1 {
  static final NetworkDefinition DEFINITION =
      NetworkDefinition.of("mobilenet-v1", new ImageShape(1, 28, 28), MobileNetV1::layers)
          .with(Norm.BATCH)
          .with(new InputRule.AtLeast(8));

  private static final int[] CHANNELS = {
    64, 128, 128, 256, 256, 512, 512, 512, 512, 512, 512, 1024, 1024
  };
  private static final int[] STRIDES = {1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1};

  private MobileNetV1() {}

  private static Architecture layers(Requirements needs) {
    Node x =
        new GraphBuilder(needs)
            .input()
            .normalizedConvolution("conv0", Window.of(3, 2, 1), 32)
            .normRelu();
    for (int i = 0; i < CHANNELS.length; i++) {
      x =
          x.depthwise("depthwise" + (i + 1), Window.of(3, STRIDES[i], 1))
              .normRelu()
              .normalizedConvolution("pointwise" + (i + 1), Window.of(1, 1, 0), CHANNELS[i])
              .normRelu();
    }
    return x.globalAverage().softmax("fc");
  }
}
