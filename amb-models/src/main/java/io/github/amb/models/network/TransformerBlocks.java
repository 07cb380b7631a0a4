package io.github.amb.models.network;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.plugin.EntryArguments;
import io.github.amb.models.dl4j.Gelu;
import io.github.amb.models.dl4j.SelfAttention;
import io.github.amb.models.dl4j.SequenceDense;
import io.github.amb.models.dl4j.SequenceNormalization;
import io.github.amb.models.network.GraphBuilder.Node;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Blocks of a transformer with normalization before attention and before the hidden layer, which is
 * four times as wide. Weights are drawn from N(0, 0.02²); those before a residual sum have a
 * deviation of 0.02 / √(2 layers).
 *
 * @param layers number of blocks of attention and hidden layer
 * @param heads number of heads of attention
 * @param width features of a position
 * @param biased whether dense layers and normalizations have biases
 * @param dropout share of values that dropout sets to 0
 */
record TransformerBlocks(int layers, int heads, int width, boolean biased, double dropout) {
  /** Of the initial weights. */
  static final double DEVIATION = 0.02;

  private static final int MAX_LAYERS = 1 << 10;
  private static final int MAX_SIZE = 1 << 16;

  TransformerBlocks {
    if (layers > MAX_LAYERS || width % heads != 0) {
      throw new UsageException(
          "expected at most %d layers and a width that the number of heads divides, found %d layers, %d heads and width %d",
          MAX_LAYERS, layers, heads, width);
    }
  }

  /**
   * The sizes of a transformer that a user gave, after {@code network NAME:}.
   *
   * @param names of the sizes, separated by commas
   * @param usual the default sizes, as many as names
   * @throws UsageException if some but not all are given
   */
  static List<Integer> sizes(
      EntryArguments given, String network, String names, List<Integer> usual) {
    List<Integer> sizes = given.counts(usual, 1, MAX_SIZE);
    if (sizes.size() != usual.size()) {
      String example = usual.stream().map(String::valueOf).collect(Collectors.joining(","));
      throw new UsageException(
          "network %s: expected %s, as %s, found %s", network, names, example, sizes);
    }
    return sizes;
  }

  /** The share of values that dropout sets to 0, as a user gave it. */
  static double dropout(EntryArguments given) {
    return given.named("dropout", 0, v -> v >= 0 && v < 1, "from 0 to less than 1");
  }

  /**
   * The blocks and a last normalization.
   *
   * @param first sequences of this width
   * @param name of their layer
   * @param causal whether a position attends to itself and those before it alone
   */
  Node after(Node first, String name, boolean causal) {
    Node x = dropped(first, name);
    for (int i = 1; i <= layers; i++) {
      String block = "block" + i;
      Node inner = dense(norm(x, block + "-norm1"), block + "-qkv", 3 * width, DEVIATION);
      inner = inner.then(block + "-attention", new SelfAttention(heads, causal, 1 - dropout));
      x = x.plus(block + "-sum1", residual(inner, block + "-projection"));
      Node hidden = dense(norm(x, block + "-norm2"), block + "-hidden", 4 * width, DEVIATION);
      hidden = hidden.activation("gelu", new Gelu(false));
      x = x.plus(block + "-sum2", residual(hidden, block + "-output"));
    }
    return norm(x, "norm");
  }

  private Node norm(Node x, String name) {
    return x.then(name, new SequenceNormalization(biased));
  }

  private Node dense(Node x, String name, int outputs, double deviation) {
    return x.then(name, new SequenceDense(outputs, biased, deviation));
  }

  private Node residual(Node x, String name) {
    return dropped(dense(x, name, width, DEVIATION / Math.sqrt(2.0 * layers)), name);
  }

  private Node dropped(Node x, String name) {
    return dropout > 0 ? x.dropout(name + "-dropout", 1 - dropout) : x;
  }
}
