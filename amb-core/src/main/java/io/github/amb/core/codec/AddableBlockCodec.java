package io.github.amb.core.codec;

/** A block codec whose encoded blocks can be added without decoding them. */
public interface AddableBlockCodec extends BlockCodec {
  /**
   * Appends the sum of two blocks of one step, each encoded or such a sum itself. Neither the order
   * of two blocks nor, but for rounding, that of several additions changes what is appended; {@link
   * #decode} reads it.
   *
   * @throws MalformedMessageException if the bytes are not two blocks of this shape, or of too many
   *     messages
   */
  void add(ByteSource left, ByteSource right, ByteSink out);
}
