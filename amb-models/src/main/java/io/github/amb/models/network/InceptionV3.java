package io.github.amb.models.network;

import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.network.GraphBuilder.Node;
import io.github.amb.models.network.GraphBuilder.Window;

/**
 * Inception v3 as in Gluon's model zoo, without the auxiliary classifier (Szegedy et al.:
 * "Rethinking the Inception Architecture for Computer Vision", 2016).
 */
record InceptionV3(GraphBuilder graph) {
  static final NetworkDefinition DEFINITION =
      NetworkDefinition.of("inception-v3", new ImageShape(1, 299, 299), InceptionV3::layers)
          .with(Norm.BATCH)
          .with(new InputRule.ScaledTo(299));

  private static final double KEEP = 0.5;
  private static final Window ONE = Window.of(1, 1, 0);
  private static final Window HALVE = Window.of(3, 2, 0);

  private static Architecture layers(Requirements needs) {
    var network = new InceptionV3(new GraphBuilder(needs));
    return network.mixed(network.stem()).globalAverage().dropout("dropout", KEEP).softmax("fc");
  }

  private Node stem() {
    Node x = unit(graph.input(), "conv1", HALVE, 32);
    x = unit(x, "conv2", Window.of(3, 1, 0), 32);
    x = unit(x, "conv3", Window.of(3, 1, 1), 64).maxPool("pool1", HALVE);
    x = unit(x, "conv4", ONE, 80);
    return unit(x, "conv5", Window.of(3, 1, 0), 192).maxPool("pool2", HALVE);
  }

  private Node mixed(Node start) {
    Node x = mixedA(start, "a1", 32);
    x = mixedA(x, "a2", 64);
    x = mixedA(x, "a3", 64);
    x = reductionB(x, "b");
    x = mixedC(x, "c1", 128);
    x = mixedC(x, "c2", 160);
    x = mixedC(x, "c3", 160);
    x = mixedC(x, "c4", 192);
    x = reductionD(x, "d");
    x = mixedE(x, "e1");
    return mixedE(x, "e2");
  }

  /** Convolution, normalization, ReLU. */
  private static Node unit(Node x, String name, Window window, int channels) {
    return x.normalizedConvolution(name, window, channels).normRelu();
  }

  private static Node pooled(Node x, String name, int channels) {
    Node mean = x.averagePool(name + "-pool", Window.of(3, 1, 1));
    return unit(mean, name + "-pool-conv", ONE, channels);
  }

  private Node mixedA(Node x, String name, int poolChannels) {
    Node one = unit(x, name + "-1x1", ONE, 64);
    Node five = unit(x, name + "-5x5-1", ONE, 48);
    five = unit(five, name + "-5x5-2", Window.same(5, 5), 64);
    Node three = unit(x, name + "-3x3-1", ONE, 64);
    three = unit(three, name + "-3x3-2", Window.same(3, 3), 96);
    three = unit(three, name + "-3x3-3", Window.same(3, 3), 96);
    return graph.concatenation(name, one, five, three, pooled(x, name, poolChannels));
  }

  private Node reductionB(Node x, String name) {
    Node three = unit(x, name + "-3x3", HALVE, 384);
    Node twice = unit(x, name + "-twice-1", ONE, 64);
    twice = unit(twice, name + "-twice-2", Window.same(3, 3), 96);
    twice = unit(twice, name + "-twice-3", HALVE, 96);
    return graph.concatenation(name, three, twice, x.maxPool(name + "-pool", HALVE));
  }

  private Node mixedC(Node x, String name, int channels) {
    Node one = unit(x, name + "-1x1", ONE, 192);
    Node seven = unit(x, name + "-7x7-1", ONE, channels);
    seven = unit(seven, name + "-7x7-2", Window.same(1, 7), channels);
    seven = unit(seven, name + "-7x7-3", Window.same(7, 1), 192);
    Node twice = unit(x, name + "-twice-1", ONE, channels);
    twice = unit(twice, name + "-twice-2", Window.same(7, 1), channels);
    twice = unit(twice, name + "-twice-3", Window.same(1, 7), channels);
    twice = unit(twice, name + "-twice-4", Window.same(7, 1), channels);
    twice = unit(twice, name + "-twice-5", Window.same(1, 7), 192);
    return graph.concatenation(name, one, seven, twice, pooled(x, name, 192));
  }

  private Node reductionD(Node x, String name) {
    Node three = unit(x, name + "-3x3-1", ONE, 192);
    three = unit(three, name + "-3x3-2", HALVE, 320);
    Node seven = unit(x, name + "-7x7-1", ONE, 192);
    seven = unit(seven, name + "-7x7-2", Window.same(1, 7), 192);
    seven = unit(seven, name + "-7x7-3", Window.same(7, 1), 192);
    seven = unit(seven, name + "-7x7-4", HALVE, 192);
    return graph.concatenation(name, three, seven, x.maxPool(name + "-pool", HALVE));
  }

  private Node mixedE(Node x, String name) {
    Node one = unit(x, name + "-1x1", ONE, 320);
    Node three = unit(x, name + "-3x3-1", ONE, 384);
    Node twice = unit(x, name + "-twice-1", ONE, 448);
    twice = unit(twice, name + "-twice-2", Window.same(3, 3), 384);
    return graph.concatenation(
        name,
        one,
        crossed(three, name + "-3x3"),
        crossed(twice, name + "-twice"),
        pooled(x, name, 192));
  }

  private Node crossed(Node x, String name) {
    Node row = unit(x, name + "-row", Window.same(1, 3), 384);
    return graph.concatenation(name, row, unit(x, name + "-column", Window.same(3, 1), 384));
  }
}
