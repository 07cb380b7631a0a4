package io.github.amb.core.gradient;

import java.util.List;

/**
 * The blocks of a flat parameter vector, in order and without gaps.
 *
 * @param blocks the first starts at 0, each next one where the one before ends
 */
public record Layout(List<Block> blocks) {
  /**
   * @throws IllegalArgumentException if a block does not start where the one before it ends
   */
  public Layout {
    blocks = List.copyOf(blocks);
    int end = 0;
    for (Block block : blocks) {
      if (block.offset() != end) {
        throw new IllegalArgumentException(
            "block %s: expected offset %d, found %d".formatted(block, end, block.offset()));
      }
      end = block.end();
    }
  }

  /** Number of entries of the flat vector, running statistics included. */
  public int size() {
    return blocks.isEmpty() ? 0 : blocks.get(blocks.size() - 1).end();
  }

  /**
   * The block that holds an entry.
   *
   * @param index in the flat vector, from 0 to less than {@link #size}
   */
  public Block blockAt(int index) {
    return blocks.stream().filter(block -> index < block.end()).findFirst().orElseThrow();
  }

  /** Number of parameters that the update rule changes. */
  public int trainable() {
    return blocks.stream()
        .filter(b -> b.kind() != Block.Kind.RUNNING_STATISTIC)
        .mapToInt(Block::length)
        .sum();
  }
}
