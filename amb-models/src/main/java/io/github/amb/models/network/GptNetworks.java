package io.github.amb.models.network;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.plugin.EntryArguments;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.dl4j.Gelu;
import io.github.amb.models.dl4j.SelfAttention;
import io.github.amb.models.dl4j.SequenceDense;
import io.github.amb.models.dl4j.SequenceEmbedding;
import io.github.amb.models.dl4j.SequenceNormalization;
import io.github.amb.models.dl4j.TiedOutput;
import io.github.amb.models.network.GraphBuilder.Node;
import java.util.List;

/**
 * GPT-2's network (Radford et al.: "Language Models are Unsupervised Multitask Learners", 2019) as
 * nanoGPT has it: normalization before attention and before the hidden layer, which is four times
 * as wide; the embedding of tokens is the output's matrix, too. Weights are drawn from N(0, 0.02²);
 * those before a residual sum have a deviation of 0.02 / √(2 layers).
 *
 * @param layers number of blocks of attention and hidden layer
 * @param heads number of heads of attention
 * @param width features of a position
 * @param context maximum number of tokens
 * @param biased whether dense layers and normalizations have biases
 * @param dropout share of values that dropout sets to 0
 */
record GptNetworks(int layers, int heads, int width, int context, boolean biased, double dropout)
    implements NetworkDefinition.OfTokens {
  private static final double DEVIATION = 0.02;
  private static final int MAX_LAYERS = 1 << 10;
  private static final int MAX = 1 << 16;
  private static final String EMBEDDING = "embedding";

  /** nanoGPT's network for processors. */
  private static final GptNetworks NANO = new GptNetworks(4, 4, 128, 64, false, 0);

  private static final NetworkDefinition CHARACTERS =
      NetworkDefinition.of("gpt", new ImageShape(1, 1, NANO.context), NANO)
          .withClasses(65)
          .with(new InputRule.Tokens(NANO.context));

  static final NetworkDefinition GPT =
      CHARACTERS.withArguments(
          "[:LAYERS=4,HEADS=4,WIDTH=128,CONTEXT=64][,bias][,dropout=0]", GptNetworks::of);

  static final NetworkDefinition NANO_GPT = CHARACTERS.renamed("nano-gpt");

  private static GptNetworks of(EntryArguments arguments) {
    List<Integer> sizes =
        arguments.counts(List.of(NANO.layers, NANO.heads, NANO.width, NANO.context), 1, MAX);
    boolean biased = arguments.flag("bias");
    double dropout = arguments.named("dropout", 0, v -> v >= 0 && v < 1, "from 0 to less than 1");
    if (sizes.size() != 4 || sizes.get(0) > MAX_LAYERS || sizes.get(2) % sizes.get(1) != 0) {
      throw new UsageException(
          "network gpt: expected LAYERS,HEADS,WIDTH,CONTEXT, with at most %d layers and a WIDTH that HEADS divides, as 4,4,128,64, found %s",
          MAX_LAYERS, sizes);
    }
    return new GptNetworks(sizes.get(0), sizes.get(1), sizes.get(2), sizes.get(3), biased, dropout);
  }

  @Override
  public Architecture apply(Requirements needs) {
    var embedding = new SequenceEmbedding(needs.classes(), width, context, DEVIATION);
    Node x = dropped(GraphBuilder.ofVectors(needs).input().then(EMBEDDING, embedding), EMBEDDING);
    for (int i = 1; i <= layers; i++) {
      String name = "block" + i;
      Node inner = dense(norm(x, name + "-norm1"), name + "-qkv", 3 * width, DEVIATION);
      inner = inner.then(name + "-attention", new SelfAttention(heads, true, 1 - dropout));
      x = x.plus(name + "-sum1", residual(inner, name + "-projection"));
      Node hidden = dense(norm(x, name + "-norm2"), name + "-hidden", 4 * width, DEVIATION);
      hidden = hidden.activation("gelu", new Gelu(false));
      x = x.plus(name + "-sum2", residual(hidden, name + "-output"));
    }
    return norm(x, "norm").output("output", new TiedOutput(EMBEDDING, needs.classes()));
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
