package io.github.amb.core.codec;

import io.github.amb.core.gradient.Layout;

/**
 * A codec with everything that a user can say of it.
 *
 * @param text what the user typed; both ends must have the same
 * @param codec the codec, with error feedback if asked for
 * @param policy which blocks it encodes
 * @param stage a compressor after it
 */
public record Coding(String text, Codec codec, BlockPolicy policy, WireStage stage) {
  /** Vectors as they are, without messages of our own. */
  public static final Coding NONE =
      new Coding("none", Plain.INSTANCE, BlockPolicy.ALL, WireStage.NONE);

  /** Vectors as they are, in messages: what an encoder sends to start from. */
  static final Coding PLAIN = new Coding("plain", Plain.INSTANCE, BlockPolicy.ALL, WireStage.NONE);

  /** Whether vectors go as they are, without messages of our own. */
  public boolean isNone() {
    return equals(NONE);
  }

  /** Number of entries that the codec encodes; all others are sent as they are. */
  public int encodedEntries(Layout layout) {
    return layout.blocks().stream().filter(policy::encodes).mapToInt(block -> block.length()).sum();
  }
}
