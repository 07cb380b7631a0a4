package io.github.amb.models.network;

import io.github.amb.core.plugin.EntryArguments;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.dl4j.SequenceEmbedding;
import io.github.amb.models.dl4j.TiedOutput;
import io.github.amb.models.network.GraphBuilder.Node;
import java.util.List;

/**
 * GPT-2's network (Radford et al.: "Language Models are Unsupervised Multitask Learners", 2019) as
 * nanoGPT has it. The embedding of tokens is the output's matrix, too.
 *
 * @param blocks between the embedding and the output
 * @param context maximum number of tokens
 */
record GptNetworks(TransformerBlocks blocks, int context) implements NetworkDefinition.OfTokens {
  private static final List<Integer> NANO = List.of(4, 4, 128, 64);
  private static final String EMBEDDING = "embedding";

  /** nanoGPT's network for processors. */
  private static final NetworkDefinition CHARACTERS =
      NetworkDefinition.of("gpt", new ImageShape(1, 1, 64), of(NANO, false, 0))
          .withClasses(65)
          .with(new InputRule.Tokens(64));

  static final NetworkDefinition GPT =
      CHARACTERS.withArguments(
          "[:LAYERS=4,HEADS=4,WIDTH=128,CONTEXT=64][,bias][,dropout=0]", GptNetworks::of);

  static final NetworkDefinition NANO_GPT = CHARACTERS.renamed("nano-gpt");

  private static GptNetworks of(EntryArguments arguments) {
    List<Integer> sizes =
        TransformerBlocks.sizes(arguments, "gpt", "LAYERS,HEADS,WIDTH,CONTEXT", NANO);
    return of(sizes, arguments.flag("bias"), TransformerBlocks.dropout(arguments));
  }

  private static GptNetworks of(List<Integer> sizes, boolean biased, double dropout) {
    return new GptNetworks(
        new TransformerBlocks(sizes.get(0), sizes.get(1), sizes.get(2), biased, dropout),
        sizes.get(3));
  }

  @Override
  public Architecture apply(Requirements needs) {
    var embedding =
        new SequenceEmbedding(
            needs.classes(), blocks.width(), context, TransformerBlocks.DEVIATION);
    Node first = GraphBuilder.ofVectors(needs).input().then(EMBEDDING, embedding);
    return blocks
        .after(first, EMBEDDING, true)
        .output("output", new TiedOutput(EMBEDDING, needs.classes()));
  }
}
