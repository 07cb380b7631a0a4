package io.github.amb.models.network;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.plugin.EntryArguments;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.dl4j.Architecture;
import io.github.amb.models.dl4j.SequenceMean;
import io.github.amb.models.dl4j.SequencePatches;
import io.github.amb.models.network.GraphBuilder.Node;
import io.github.amb.models.network.GraphBuilder.Window;
import java.util.List;
import java.util.function.Function;

/**
 * Vision transformers (Dosovitskiy et al.: "An Image is Worth 16x16 Words", 2021), with the mean of
 * all positions in place of a class token (Beyer et al.: "Better Plain ViT Baselines for
 * ImageNet-1k", 2022).
 */
final class VisionTransformers {
  private static final List<Integer> USUAL = List.of(6, 4, 128, 4);

  static final NetworkDefinition VIT =
      NetworkDefinition.of("vit", new ImageShape(3, 32, 32), none -> null)
          .with(new InputRule.AtLeast(1))
          .withArguments(
              "[:LAYERS=6,HEADS=4,WIDTH=128,PATCH=4][,dropout=0]", VisionTransformers::of);

  private VisionTransformers() {}

  private static Function<Requirements, Architecture> of(EntryArguments arguments) {
    List<Integer> sizes =
        TransformerBlocks.sizes(arguments, "vit", "LAYERS,HEADS,WIDTH,PATCH", USUAL);
    double dropout = TransformerBlocks.dropout(arguments);
    var blocks = new TransformerBlocks(sizes.get(0), sizes.get(1), sizes.get(2), true, dropout);
    int patch = sizes.get(3);
    return needs -> {
      ImageShape image = needs.input();
      if (image.height() % patch != 0 || image.width() % patch != 0) {
        throw new UsageException(
            "network vit: expected a PATCH that divides height and width of %s, found %d",
            image, patch);
      }
      Node x =
          new GraphBuilder(needs)
              .input()
              .convolution("patches", Window.of(patch, patch, 0), blocks.width())
              .then("positions", new SequencePatches(TransformerBlocks.DEVIATION));
      return blocks.after(x, "positions", false).then("mean", new SequenceMean()).softmax("fc");
    };
  }
}
