package io.github.amb.core.codec.link;

import io.github.amb.core.codec.Codec;
import io.github.amb.core.codec.block.BlockPolicy;
import io.github.amb.core.codec.block.Plain;
import io.github.amb.core.codec.block.WireStage;
import io.github.amb.core.gradient.Layout;

/**
 * A codec with all user options.
 *
 * @param text what the user typed; both ends of a connection must have the same
 * @param codec the codec, with error feedback if requested
 * @param policy the blocks that it encodes
 * @param stage a general compressor that is applied to the encoded blocks
 */
public record Coding(String text, Codec codec, BlockPolicy policy, WireStage stage) {
  /** Vectors are sent in 32 bits per entry, as the engine's payload, without a header. */
  public static final Coding NONE =
      new Coding("none", Plain.INSTANCE, BlockPolicy.ALL, WireStage.NONE);

  /** Vectors in 32 bits per entry, as messages with a header: an encoder's first message. */
  static final Coding PLAIN = new Coding("plain", Plain.INSTANCE, BlockPolicy.ALL, WireStage.NONE);

  /** Whether vectors are sent as the engine's payload, without a header. */
  public boolean isNone() {
    return equals(NONE);
  }

  /** Number of entries of the flat vector that the codec encodes; the others take 32 bits each. */
  public int encodedEntries(Layout layout) {
    return layout.blocks().stream().filter(policy::encodes).mapToInt(block -> block.length()).sum();
  }
}
