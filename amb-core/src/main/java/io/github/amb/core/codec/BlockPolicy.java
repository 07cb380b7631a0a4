package io.github.amb.core.codec;

import io.github.amb.core.gradient.Block;

/**
 * Which blocks are encoded by the codec; the others are sent as they are. Running statistics always
 * are.
 *
 * @param biases whether biases are encoded
 * @param minLength the fewest entries of an encoded block
 */
public record BlockPolicy(boolean biases, int minLength) {
  private static final int TINY = 256;

  /** All trainable blocks. */
  public static final BlockPolicy ALL = new BlockPolicy(true, 1);

  /** Weights, but for tiny blocks, where a codec saves next to nothing. */
  public static final BlockPolicy LARGE_WEIGHTS = new BlockPolicy(false, TINY);

  /** Whether {@code block} is encoded. */
  public boolean encodes(Block block) {
    boolean kind = block.kind() == Block.Kind.WEIGHT || biases && block.kind() == Block.Kind.BIAS;
    return kind && block.length() >= minLength;
  }
}
