package io.github.amb.models.network;

import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.network.GraphBuilder.Node;
import io.github.amb.models.network.GraphBuilder.Window;
import java.util.function.Function;

/**
 * Residual networks. A block is the sum of a body and a shortcut. Each stage of blocks has half the
 * height and width of the one before and twice its channels.
 *
 * <p>Version 1, for large images, is as in Gluon's model zoo (He et al.: "Deep Residual Learning
 * for Image Recognition", 2016). Unlike the paper, Gluon has the stride in a bottleneck's first
 * convolution and biases in its 1x1 convolutions. Version 2 normalizes before each convolution (He
 * et al.: "Identity Mappings in Deep Residual Networks", 2016).
 *
 * <p>The others are for images of 32x32. They start with a 3x3 convolution without pooling. The
 * networks of 32 and 110 layers are the CIFAR networks of the first paper's section 4.2, with 16,
 * 32 and 64 channels. Their shortcuts add channels of zeros. The networks of 18, 50 and 152 layers
 * have the paper's ImageNet blocks and channels, with 1x1 convolutions as shortcuts, as in papers
 * on compression such as ATOMO's. WRN-28-2 has 28 layers and is twice as wide as the CIFAR networks
 * (Zagoruyko and Komodakis: "Wide Residual Networks", 2016); 1,595,320 parameters for the 1,000
 * classes of ImageNet at 32x32.
 */
final class ResidualNetworks {
  private static final ImageShape LARGE = new ImageShape(1, 28, 28);
  private static final ImageShape SMALL = new ImageShape(3, 32, 32);

  static final NetworkDefinition RESNET_18_V1 =
      definition("resnet18-v1", LARGE, v1(ResidualNetworks::basic, 64, 2, 2, 2, 2));
  static final NetworkDefinition RESNET_50_V1 =
      definition("resnet50-v1", LARGE, v1(ResidualNetworks::gluonBottleneck, 256, 3, 4, 6, 3));
  static final NetworkDefinition RESNET_50_V2 =
      definition("resnet50-v2", LARGE, ResidualNetworks::v2);
  static final NetworkDefinition RESNET_18 =
      definition("resnet18", SMALL, wide(ResidualNetworks::basic, 64, 2, 2, 2, 2));
  static final NetworkDefinition RESNET_32 = definition("resnet32", SMALL, narrow(5));
  static final NetworkDefinition RESNET_50 =
      definition("resnet50", SMALL, wide(ResidualNetworks::bottleneck, 256, 3, 4, 6, 3));
  static final NetworkDefinition RESNET_110 = definition("resnet110", SMALL, narrow(18));
  static final NetworkDefinition RESNET_152 =
      definition("resnet152", SMALL, wide(ResidualNetworks::bottleneck, 256, 3, 8, 36, 3));
  static final NetworkDefinition WRN_28_2 =
      definition("wrn-28-2", SMALL, ResidualNetworks::wrn).withClasses(1000);

  private ResidualNetworks() {}

  private static NetworkDefinition definition(
      String name, ImageShape input, Function<Requirements, Architecture> layers) {
    return NetworkDefinition.of(name, input, layers)
        .with(Norm.BATCH)
        .with(new InputRule.AtLeast(8));
  }

  private static Function<Requirements, Architecture> v1(Body body, int width, int... blocks) {
    return needs -> stages(pooled(new GraphBuilder(needs).input()), body, width, blocks);
  }

  private static Architecture v2(Requirements needs) {
    Node x = pooled(new GraphBuilder(needs).input().inputNorm());
    return preactivated(x, ResidualNetworks::bottleneck, 256, 3, 4, 6, 3);
  }

  private static Function<Requirements, Architecture> wide(Body body, int width, int... blocks) {
    return needs -> stages(first(needs, 64).normRelu(), body, width, blocks);
  }

  private static Function<Requirements, Architecture> narrow(int blocks) {
    return needs -> narrow(first(needs, 16).normRelu(), blocks);
  }

  private static Architecture wrn(Requirements needs) {
    return preactivated(first(needs, 16), ResidualNetworks::basic, 2 * 16, 4, 4, 4);
  }

  private static Node pooled(Node input) {
    return input
        .normalizedConvolution("conv0", Window.of(7, 2, 3), 64)
        .normRelu()
        .maxPool("pool0", Window.of(3, 2, 1));
  }

  private static Node first(Requirements needs, int channels) {
    return new GraphBuilder(needs)
        .input()
        .normalizedConvolution("conv0", Window.of(3, 1, 1), channels);
  }

  /** The name of a block, both counted from 0. */
  static String name(int stage, int block) {
    return "stage%s-block%s".formatted(stage + 1, block + 1);
  }

  private static int stride(int stage, int block) {
    return stage > 0 && block == 0 ? 2 : 1;
  }

  private static Architecture narrow(Node first, int blocks) {
    Node x = first;
    for (int stage = 0; stage < 3; stage++) {
      for (int block = 0; block < blocks; block++) {
        String name = name(stage, block);
        int stride = stride(stage, block);
        Node body = basic(x, name, 16 << stage, stride).norm();
        Node shortcut = stride == 2 ? x.halvedWithZeroChannels(name + "-shortcut") : x;
        x = body.plus(name + "-sum", shortcut).relu();
      }
    }
    return x.globalAverage().softmax("fc");
  }

  /**
   * Completes a network whose blocks end in ReLU.
   *
   * @param first with 64 channels
   * @param width channels of the first stage
   * @param blocks numbers of blocks of the stages
   */
  private static Architecture stages(Node first, Body body, int width, int... blocks) {
    Node x = first;
    int before = 64;
    for (int stage = 0; stage < blocks.length; stage++) {
      int channels = width << stage;
      for (int block = 0; block < blocks[stage]; block++) {
        String name = name(stage, block);
        int stride = stride(stage, block);
        Node result = body.of(x, name, channels, stride).norm();
        Node shortcut = before == channels ? x : shortcut(x, name, channels, stride).norm();
        x = result.plus(name + "-sum", shortcut).relu();
        before = channels;
      }
    }
    return x.globalAverage().softmax("fc");
  }

  /**
   * Completes a network whose blocks begin with normalization and ReLU.
   *
   * @param width channels of the first stage
   * @param blocks numbers of blocks of the stages
   */
  private static Architecture preactivated(Node first, Body body, int width, int... blocks) {
    Node x = first;
    for (int stage = 0; stage < blocks.length; stage++) {
      int channels = width << stage;
      for (int block = 0; block < blocks[stage]; block++) {
        String name = name(stage, block);
        int stride = stride(stage, block);
        Node active = x.normRelu();
        Node result = body.of(active, name, channels, stride);
        Node shortcut = block == 0 ? shortcut(active, name, channels, stride) : x;
        x = result.plus(name + "-sum", shortcut);
      }
    }
    return x.normRelu().globalAverage().softmax("fc");
  }

  private static Node shortcut(Node x, String name, int channels, int stride) {
    return x.normalizedConvolution(name + "-shortcut", Window.of(1, stride, 0), channels);
  }

  /** Layers of a block, without the normalization after the last one. */
  private interface Body {
    Node of(Node x, String name, int channels, int stride);
  }

  /** Two 3x3 convolutions. */
  private static Node basic(Node x, String name, int channels, int stride) {
    return x.normalizedConvolution(name + "-conv1", Window.of(3, stride, 1), channels)
        .normRelu()
        .normalizedConvolution(name + "-conv2", Window.of(3, 1, 1), channels);
  }

  private static Node bottleneck(Node x, String name, int channels, int stride) {
    return x.normalizedConvolution(name + "-conv1", Window.of(1, 1, 0), channels / 4)
        .normRelu()
        .normalizedConvolution(name + "-conv2", Window.of(3, stride, 1), channels / 4)
        .normRelu()
        .normalizedConvolution(name + "-conv3", Window.of(1, 1, 0), channels);
  }

  private static Node gluonBottleneck(Node x, String name, int channels, int stride) {
    return x.convolution(name + "-conv1", Window.of(1, stride, 0), channels / 4)
        .normRelu()
        .normalizedConvolution(name + "-conv2", Window.of(3, 1, 1), channels / 4)
        .normRelu()
        .convolution(name + "-conv3", Window.of(1, 1, 0), channels);
  }
}
