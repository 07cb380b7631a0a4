package io.github.amb.core.codec.block;

/** A block codec whose encoded blocks can be added without decoding them. */
public interface AddableBlockCodec extends BlockCodec {
  /**
   * Appends the sum of two blocks of one step to {@code out}. Each of the two is an encoded block
   * or such a sum. Addition is commutative, and associative but for rounding. {@link #decode} reads
   * the sum.
   *
   * @throws MalformedEncodingException if the bytes are not two blocks of this shape, or stem from
   *     too many messages
   */
  void add(ByteSource left, ByteSource right, ByteSink out);
}
