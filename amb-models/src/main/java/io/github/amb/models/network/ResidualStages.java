package io.github.amb.models.network;

import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.network.GraphBuilder.Node;
import io.github.amb.models.network.GraphBuilder.Window;

/**
 * The stages of residual networks. Each has half the height and width of the one before and twice
 * its channels. A block is the sum of a body and a shortcut.
 */
final class ResidualStages {
  /** Layers of a block. */
  interface Body {
    Node of(Node x, String name, int channels, int stride);
  }

  private ResidualStages() {}

  static String name(int stage, int block) {
    return "stage%s-block%s".formatted(stage + 1, block + 1);
  }

  private static int stride(int stage, int block) {
    return stage > 0 && block == 0 ? 2 : 1;
  }

  /**
   * Completes a network whose blocks end in ReLU.
   *
   * @param first with 64 channels
   * @param width channels of the first stage
   * @param blocks numbers of blocks of the stages
   */
  static Architecture of(Node first, Body body, int width, int... blocks) {
    Node x = first;
    int before = 64;
    for (int stage = 0; stage < blocks.length; stage++) {
      int channels = width << stage;
      for (int block = 0; block < blocks[stage]; block++) {
        String name = name(stage, block);
        int stride = stride(stage, block);
        Node result = body.of(x, name, channels, stride);
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
  static Architecture preactivated(Node first, Body body, int width, int... blocks) {
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

  /** Two 3x3 convolutions. */
  static Node basic(Node x, String name, int channels, int stride) {
    return x.normalizedConvolution(name + "-conv1", Window.of(3, stride, 1), channels)
        .normRelu()
        .normalizedConvolution(name + "-conv2", Window.of(3, 1, 1), channels)
        .norm();
  }
}
