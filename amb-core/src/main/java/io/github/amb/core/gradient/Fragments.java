package io.github.amb.core.gradient;

/**
 * Parts of a flat vector that are exchanged in turn: whole blocks, one after the other, of nearly
 * equal size. It is the turn of fragment {@code (t − 1) mod P} in step t.
 */
public final class Fragments {
  private final int[] ofBlock;
  private final int count;

  /**
   * Cuts a layout.
   *
   * @param most number of fragments wanted; there are fewer if blocks are too few or too large
   */
  public Fragments(Layout layout, int most) {
    ofBlock = new int[layout.blocks().size()];
    int fragment = -1;
    long last = -1;
    for (int i = 0; i < ofBlock.length; i++) {
      Block block = layout.blocks().get(i);
      long part = (block.offset() + block.length() / 2L) * most / Math.max(1, layout.size());
      fragment += part == last ? 0 : 1;
      last = part;
      ofBlock[i] = fragment;
    }
    count = Math.max(1, fragment + 1);
  }

  /** Number of fragments, P. */
  public int count() {
    return count;
  }

  /** The fragment whose turn it is in a step, from 0. */
  public int of(long step) {
    return Math.floorMod(step - 1, count);
  }

  /** Number of the fragment of a block, from 0. */
  public int ofBlock(int block) {
    return ofBlock[block];
  }

  /**
   * Whether it is the turn of a block's fragment in one of some steps.
   *
   * @param from the first step; 0 if all blocks are meant
   * @param to the step after the last one
   */
  public boolean has(int block, long from, long to) {
    return count == 1 || from <= 0 || Math.floorMod(ofBlock[block] - of(from), count) < to - from;
  }
}
