package io.github.amb.core.codec;

import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;

/** Encodes and decodes one block at one rank. Used by one thread at a time. */
public interface BlockCodec extends Checkpointed {
  /**
   * Whether {@link #encode} notices entries that are not finite, so that nobody need look before.
   */
  default boolean refusesNonFinite() {
    return false;
  }

  /**
   * Appends the block to a message.
   *
   * @param values finite; the block starts at {@code from}; not modified
   * @throws NonFiniteEntryException if this codec {@link #refusesNonFinite} and an entry is not
   *     finite
   */
  void encode(float[] values, int from, CodecRandom draws, ByteSink out);

  /**
   * Reads what {@link #encode} appended; does not depend on what is remembered between messages.
   *
   * @param values the block starts at {@code from}; all its entries are overwritten
   * @throws MalformedMessageException if the bytes are not a block of this shape
   */
  void decode(ByteSource in, CodecRandom draws, float[] values, int from);

  /** Shows what is remembered between messages, such as residuals. */
  @Override
  default void visit(StateVisitor state) {}
}
