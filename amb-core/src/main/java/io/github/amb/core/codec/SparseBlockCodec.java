package io.github.amb.core.codec;

/** A block codec that says which entries it has decoded; the others are zero. */
public interface SparseBlockCodec extends BlockCodec {
  /** Indices within the block of the last decoded entries, ascending; not a copy. */
  int[] indices();

  /** How many of {@link #indices} count. */
  int count();
}
