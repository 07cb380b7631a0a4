package io.github.amb.core.codec.block;

/** A block codec that knows which entries it has decoded; all other entries are zero. */
public interface SparseBlockCodec extends BlockCodec {
  /**
   * Indices within the block of the entries decoded last, ascending; the first {@link #count} are
   * valid. Not a copy.
   */
  int[] indices();

  /** Number of entries decoded last. */
  int count();
}
