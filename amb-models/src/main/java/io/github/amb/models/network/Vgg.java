package io.github.amb.models.network;

import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.network.GraphBuilder.Node;
import io.github.amb.models.network.GraphBuilder.Window;

/**
 * VGG networks for images of 32x32: their convolutions with batch normalization, then two hidden
 * layers of 512 units with dropout (Simonyan and Zisserman: "Very Deep Convolutional Networks for
 * Large-Scale Image Recognition", 2015), as ATOMO trains them.
 */
final class Vgg {
  static final NetworkDefinition VGG_11 = definition("vgg11", 1, 1, 2, 2, 2);
  static final NetworkDefinition VGG_13 = definition("vgg13", 2, 2, 2, 2, 2);
  static final NetworkDefinition VGG_16 = definition("vgg16", 2, 2, 3, 3, 3);
  static final NetworkDefinition VGG_19 = definition("vgg19", 2, 2, 4, 4, 4);

  private static final int[] CHANNELS = {64, 128, 256, 512, 512};
  private static final double KEEP = 0.5;

  private Vgg() {}

  private static NetworkDefinition definition(String name, int... convolutions) {
    return NetworkDefinition.of(
            name, new ImageShape(3, 32, 32), needs -> layers(needs, convolutions))
        .with(Norm.BATCH)
        .with(new InputRule.AtLeast(32));
  }

  private static Architecture layers(Requirements needs, int[] convolutions) {
    Node x = new GraphBuilder(needs).input();
    for (int stage = 0; stage < CHANNELS.length; stage++) {
      for (int i = 1; i <= convolutions[stage]; i++) {
        String name = "conv%s-%s".formatted(stage + 1, i);
        x = x.convolution(name, Window.of(3, 1, 1), CHANNELS[stage]).normRelu();
      }
      x = x.maxPool("pool" + (stage + 1), Window.of(2, 2, 0));
    }
    for (int layer = 1; layer <= 2; layer++) {
      x = x.dropout("dropout" + layer, KEEP).dense("fc" + layer, 512).relu();
    }
    return x.softmax("fc3");
  }
}
