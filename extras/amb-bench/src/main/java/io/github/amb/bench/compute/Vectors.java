package io.github.amb.bench.compute;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.Streams;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/** Layouts, and vectors with a distribution that is typical of gradients. */
final class Vectors {
  /** Name of the layout of AdaComp's MNIST CNN, 421,642 parameters. */
  static final String CNN = "cnn";

  /** Name of the layout of CIFAR-10's ResNet-18, 11,173,962 parameters. */
  static final String RESNET = "resnet18";

  static final Streams STREAMS = new Streams(1);

  private Vectors() {}

  /**
   * The layout of a size.
   *
   * @param size a number of entries, for one nearly square block, or {@link #CNN} or {@link
   *     #RESNET}
   */
  static Layout layout(String size) {
    if (size.equals(RESNET)) {
      return resNet();
    }
    if (!size.equals(CNN)) {
      int length = Integer.parseInt(size);
      int rows = (int) Math.sqrt(length);
      while (length % rows != 0) {
        rows--;
      }
      return new Layout(List.of(new Block("w", Block.Kind.WEIGHT, 0, rows, length / rows)));
    }
    List<Block> blocks = new ArrayList<>();
    add(blocks, "conv1", 32, 1, 3, 3);
    add(blocks, "conv2", 64, 32, 3, 3);
    add(blocks, "fc1", 128, 3136);
    add(blocks, "fc2", 10, 128);
    return new Layout(blocks);
  }

  /** Convolutions with the two vectors of the normalization after each, then a dense layer. */
  private static Layout resNet() {
    List<Block> blocks = new ArrayList<>();
    addNormalized(blocks, "conv0", 64, 3, 3, 3);
    int before = 64;
    for (int stage = 0; stage < 4; stage++) {
      int channels = 64 << stage;
      for (int block = 0; block < 2; block++) {
        String name = "stage" + stage + "-" + block;
        addNormalized(blocks, name + "-conv1", channels, before, 3, 3);
        addNormalized(blocks, name + "-conv2", channels, channels, 3, 3);
        if (before != channels) {
          addNormalized(blocks, name + "-shortcut", channels, before, 1, 1);
        }
        before = channels;
      }
    }
    add(blocks, "fc", 10, 512);
    return new Layout(blocks);
  }

  /** Weights, and the two vectors of the normalization after them. */
  private static void addNormalized(List<Block> blocks, String name, int... shape) {
    add(blocks, name, "scale", 2 * shape[0], shape);
  }

  /** Weights and a bias. */
  private static void add(List<Block> blocks, String name, int... shape) {
    add(blocks, name, "b", shape[0], shape);
  }

  private static void add(
      List<Block> blocks, String name, String second, int length, int... shape) {
    int offset = blocks.isEmpty() ? 0 : blocks.get(blocks.size() - 1).end();
    Block weight = new Block(name + ".W", Block.Kind.WEIGHT, offset, shape);
    blocks.add(weight);
    blocks.add(new Block(name + "." + second, Block.Kind.BIAS, weight.end(), length));
  }

  /** {@code length} entries of a Laplace distribution. */
  static float[] laplace(int length) {
    var random = STREAMS.stream("bench", 0, 0);
    var exponential = ZigguratSampler.Exponential.of(random);
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = (float) (exponential.sample() * (random.nextBoolean() ? 1 : -1));
    }
    return values;
  }
}
