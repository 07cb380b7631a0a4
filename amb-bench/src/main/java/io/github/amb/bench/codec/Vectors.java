package io.github.amb.bench.codec;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.Streams;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/** Layouts, and vectors whose entries are distributed as those of gradients often are. */
final class Vectors {
  /** In place of a number of entries: the MNIST CNN of AdaComp, 421,642 parameters. */
  static final String CNN = "cnn";

  static final Streams STREAMS = new Streams(1);

  private Vectors() {}

  /**
   * @param size a number of entries, one nearly square block, or {@link #CNN}
   */
  static Layout layout(String size) {
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

  private static void add(List<Block> blocks, String name, int... shape) {
    int offset = blocks.isEmpty() ? 0 : blocks.get(blocks.size() - 1).end();
    Block weight = new Block(name + ".W", Block.Kind.WEIGHT, offset, shape);
    blocks.add(weight);
    blocks.add(new Block(name + ".b", Block.Kind.BIAS, weight.end(), shape[0]));
  }

  /** Entries of a Laplace distribution. */
  static float[] laplace(int length) {
    return laplace(length, 0);
  }

  /** Entries of a Laplace distribution, others for every rank. */
  static float[] laplace(int length, int rank) {
    var random = STREAMS.stream("bench", rank, 0);
    var exponential = ZigguratSampler.Exponential.of(random);
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = (float) (exponential.sample() * (random.nextBoolean() ? 1 : -1));
    }
    return values;
  }
}
