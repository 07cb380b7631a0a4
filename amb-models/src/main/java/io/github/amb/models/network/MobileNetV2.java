package io.github.amb.models.network;

import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.network.GraphBuilder.Node;
import io.github.amb.models.network.GraphBuilder.Window;

/**
 * MobileNet V2 as in Gluon's model zoo, with width multiplier 1 (Sandler et al.: "MobileNetV2:
 * Inverted Residuals and Linear Bottlenecks", 2018). As there, the first block has an expansion
 * layer with factor 1, and the output has no biases.
 */
final class MobileNetV2 {
  static final NetworkDefinition DEFINITION =
      NetworkDefinition.of("mobilenet-v2", new ImageShape(1, 28, 28), MobileNetV2::layers)
          .with(Norm.BATCH)
          .with(new InputRule.AtLeast(8));

  /** Channels, blocks, first stride and expansion of each stage. */
  private static final int[][] STAGES = {
    {16, 1, 1, 1},
    {24, 2, 2, 6},
    {32, 3, 2, 6},
    {64, 4, 2, 6},
    {96, 3, 1, 6},
    {160, 3, 2, 6},
    {320, 1, 1, 6}
  };

  private MobileNetV2() {}

  private static Architecture layers(Requirements needs) {
    Node x =
        new GraphBuilder(needs)
            .input()
            .normalizedConvolution("conv0", Window.of(3, 2, 1), 32)
            .norm()
            .relu6();
    int before = 32;
    for (int stage = 0; stage < STAGES.length; stage++) {
      int channels = STAGES[stage][0];
      for (int block = 0; block < STAGES[stage][1]; block++) {
        String name = ResidualNetworks.name(stage, block);
        int stride = block == 0 ? STAGES[stage][2] : 1;
        Node y = block(x, name, before * STAGES[stage][3], channels, stride);
        x = stride == 1 && before == channels ? y.plus(name + "-sum", x) : y;
        before = channels;
      }
    }
    return x.normalizedConvolution("conv1", Window.of(1, 1, 0), 1280)
        .norm()
        .relu6()
        .globalAverage()
        .unbiasedSoftmax("fc");
  }

  private static Node block(Node x, String name, int expanded, int channels, int stride) {
    return x.normalizedConvolution(name + "-expand", Window.of(1, 1, 0), expanded)
        .norm()
        .relu6()
        .depthwise(name + "-depthwise", Window.of(3, stride, 1))
        .norm()
        .relu6()
        .normalizedConvolution(name + "-project", Window.of(1, 1, 0), channels)
        .norm();
  }
}
