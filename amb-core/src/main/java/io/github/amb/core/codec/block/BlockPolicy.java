package io.github.amb.core.codec.block;

import io.github.amb.core.gradient.Block;

/**
 * Selects the blocks that the codec encodes. Other blocks, and all running statistics, are sent in
 * 32 bits per entry.
 *
 * @param biases whether biases are encoded
 * @param minLength minimum number of entries of an encoded block
 */
public record BlockPolicy(boolean biases, int minLength) {
  private static final int TINY = 256;

  /** All trainable blocks. */
  public static final BlockPolicy ALL = new BlockPolicy(true, 1);

  /** Weight blocks, except tiny ones, on which a codec saves next to nothing. */
  public static final BlockPolicy LARGE_WEIGHTS = new BlockPolicy(false, TINY);

  /** Whether {@code block} is encoded. */
  public boolean encodes(Block block) {
    boolean kind = block.kind() == Block.Kind.WEIGHT || biases && block.kind() == Block.Kind.BIAS;
    return kind && block.length() >= minLength;
  }
}
