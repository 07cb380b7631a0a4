package io.github.amb.core.codec;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;

/**
 * Adds messages that {@link VectorEncoder}s of the same coding and layout made in the same step,
 * without decoding them, as a rank between workers and the master could. A {@link VectorDecoder}
 * reads sums as it reads messages.
 */
public final class VectorAdder {
  private final Block[] blocks;
  private final AddableBlockCodec[] codecs;
  private final MessageHeader header;
  private final ByteSource left = new ByteSource();
  private final ByteSource right = new ByteSource();
  private final ByteSink message = new ByteSink();

  /**
   * @throws UsageException if messages of this coding cannot be added
   */
  public VectorAdder(Layout layout, Coding coding) {
    if (!adds(coding)) {
      throw new UsageException(
          "codec %s: expected one whose messages can be added, found %s"
              .formatted(
                  coding.text(),
                  coding.codec().isAddable() ? "a compressor after it" : "one that must decode"));
    }
    blocks = layout.blocks().toArray(new Block[0]);
    codecs = new AddableBlockCodec[blocks.length];
    Codec receiver = coding.codec().receiver();
    for (int i = 0; i < blocks.length; i++) {
      Codec codec = coding.policy().encodes(blocks[i]) ? receiver : Plain.INSTANCE;
      codecs[i] = (AddableBlockCodec) codec.open(blocks[i].shape());
    }
    header = new MessageHeader(coding.text(), layout);
  }

  /** Whether messages of this coding can be added: by the codec, and not compressed after it. */
  public static boolean adds(Coding coding) {
    return coding.codec().isAddable() && coding.stage() == WireStage.NONE;
  }

  /**
   * Adds two messages, either of which may be a sum.
   *
   * @param a not modified
   * @param aLength bytes of {@code a}
   * @param b not modified
   * @param bLength bytes of {@code b}
   * @param step the step that both must be of
   * @return bytes of the sum, which stays in {@link #message} until the next one
   * @throws MalformedMessageException if one is not a message of this coding, layout and step
   */
  public int add(byte[] a, int aLength, byte[] b, int bLength, long step) {
    open(left, a, aLength, step);
    open(right, b, bLength, step);
    message.clear();
    message.skip(MessageHeader.BYTES);
    for (int i = 0; i < blocks.length; i++) {
      try {
        codecs[i].add(left, right, message);
      } catch (MalformedMessageException e) {
        throw new MalformedMessageException("block " + blocks[i].name() + ": " + e.getMessage(), e);
      }
    }
    left.expectEnd();
    right.expectEnd();
    header.write(message.bytes(), message.length(), step, message.length() - MessageHeader.BYTES);
    return message.length();
  }

  private void open(ByteSource source, byte[] message, int available, long step) {
    int length = header.check(message, available, step);
    MessageHeader.expectBody(message, length);
    source.wrap(message, MessageHeader.BYTES, length);
  }

  /** The last sum; not a copy. */
  public byte[] message() {
    return message.bytes();
  }
}
