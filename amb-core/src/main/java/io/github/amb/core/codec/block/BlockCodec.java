package io.github.amb.core.codec.block;

import io.github.amb.core.random.CodecRandom;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;

/** Encodes and decodes one block at one rank. Used by one thread at a time. */
public interface BlockCodec extends Checkpointed {
  /**
   * Whether {@link #encode} throws {@link NonFiniteEntryException} for entries that are not finite,
   * so that callers need not check them first.
   */
  default boolean rejectsNonFinite() {
    return false;
  }

  /**
   * Appends the block to a message.
   *
   * @param values flat vector with finite entries, in which the block starts at {@code from}; not
   *     modified
   * @param draws source of the message's random choices
   * @param out receives the bytes
   * @throws NonFiniteEntryException if this codec {@link #rejectsNonFinite} and an entry is not
   *     finite, or if the encoding would overflow
   */
  void encode(float[] values, int from, CodecRandom draws, ByteSink out);

  /**
   * Reads one block that {@link #encode} appended. The result does not depend on state from earlier
   * messages.
   *
   * @param draws {@link CodecRandom#shared} gives the random numbers that {@link #encode} had;
   *     {@link CodecRandom#own} does not
   * @param values flat vector in which the block starts at {@code from}; all entries of the block
   *     are overwritten
   * @throws MalformedEncodingException if the bytes are not a block of this shape
   */
  void decode(ByteSource in, CodecRandom draws, float[] values, int from);

  /** Visits the state that is kept between messages, such as residuals. */
  @Override
  default void visit(StateVisitor state) {}
}
