package io.github.amb.core.codec.link;

import io.github.amb.core.codec.Coding;
import io.github.amb.core.codec.block.BlockCodec;
import io.github.amb.core.codec.block.WireStage;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Fragments;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.CodecRandom;
import java.util.function.Function;

/** What both ends of a link make of a coding and a layout. */
abstract class VectorCoder {
  final Block[] blocks;
  final Fragments fragments;
  final BlockCodec[] codecs;
  final WireStage stage;
  final MessageHeader header;
  final CodecRandom draws;

  /**
   * @param draws random streams of the sender
   * @param codec what codes a block
   */
  VectorCoder(Layout layout, Coding coding, CodecRandom draws, Function<Block, BlockCodec> codec) {
    blocks = layout.blocks().toArray(Block[]::new);
    fragments = new Fragments(layout, coding.fragments());
    codecs = layout.blocks().stream().map(codec).toArray(BlockCodec[]::new);
    stage = coding.stage();
    header = new MessageHeader(coding.text(), layout);
    this.draws = draws;
  }
}
