package io.github.amb.models.network;

import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.network.GraphBuilder.Node;
import io.github.amb.models.network.GraphBuilder.Window;
import java.util.function.Function;

/**
 * Residual networks for images of 32x32. They start with a 3x3 convolution without pooling.
 *
 * <p>The networks of 32 and 110 layers are the CIFAR networks of He et al. ("Deep Residual Learning
 * for Image Recognition", 2016, section 4.2), with 16, 32 and 64 channels. Their shortcuts add
 * channels of zeros. The networks of 18, 50 and 152 layers have the paper's ImageNet blocks and
 * channels, with 1x1 convolutions as shortcuts, as in papers on compression such as ATOMO's.
 */
final class CifarResNet {
  static final NetworkDefinition RESNET_18 = wide("resnet18", false, 2, 2, 2, 2);
  static final NetworkDefinition RESNET_32 = narrow("resnet32", 5);
  static final NetworkDefinition RESNET_50 = wide("resnet50", true, 3, 4, 6, 3);
  static final NetworkDefinition RESNET_110 = narrow("resnet110", 18);
  static final NetworkDefinition RESNET_152 = wide("resnet152", true, 3, 8, 36, 3);

  private CifarResNet() {}

  private static NetworkDefinition wide(String name, boolean bottleneck, int... blocks) {
    ResidualStages.Body body = bottleneck ? CifarResNet::bottleneck : ResidualStages::basic;
    int width = bottleneck ? 256 : 64;
    return definition(name, needs -> ResidualStages.of(first(needs, 64), body, width, blocks));
  }

  private static NetworkDefinition narrow(String name, int blocks) {
    return definition(name, needs -> narrowLayers(needs, blocks));
  }

  private static NetworkDefinition definition(
      String name, Function<Requirements, Architecture> layers) {
    return NetworkDefinition.of(name, new ImageShape(3, 32, 32), layers)
        .with(Norm.BATCH)
        .with(new InputRule.AtLeast(8));
  }

  private static Architecture narrowLayers(Requirements needs, int blocks) {
    Node x = first(needs, 16);
    for (int stage = 0; stage < 3; stage++) {
      for (int block = 0; block < blocks; block++) {
        String name = ResidualStages.name(stage, block);
        boolean halves = stage > 0 && block == 0;
        Node body = ResidualStages.basic(x, name, 16 << stage, halves ? 2 : 1);
        Node shortcut = halves ? x.halvedWithZeroChannels(name + "-shortcut") : x;
        x = body.plus(name + "-sum", shortcut).relu();
      }
    }
    return x.globalAverage().softmax("fc");
  }

  private static Node first(Requirements needs, int channels) {
    return new GraphBuilder(needs)
        .input()
        .normalizedConvolution("conv0", Window.of(3, 1, 1), channels)
        .normRelu();
  }

  private static Node bottleneck(Node x, String name, int channels, int stride) {
    return x.normalizedConvolution(name + "-conv1", Window.of(1, 1, 0), channels / 4)
        .normRelu()
        .normalizedConvolution(name + "-conv2", Window.of(3, stride, 1), channels / 4)
        .normRelu()
        .normalizedConvolution(name + "-conv3", Window.of(1, 1, 0), channels)
        .norm();
  }
}
