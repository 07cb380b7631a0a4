package io.github.amb.core.codec.link;

import io.github.amb.core.codec.Codec;
import io.github.amb.core.codec.block.AddableBlockCodec;
import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.ByteSource;
import io.github.amb.core.codec.block.MalformedEncodingException;
import io.github.amb.core.codec.block.Plain;
import io.github.amb.core.codec.block.WireStage;
import io.github.amb.core.command.UsageException;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;

/**
 * Adds encoded messages of one step without decoding them. The messages must come from {@link
 * VectorEncoder}s of the same coding and layout. A {@link VectorDecoder} reads the sum.
 */
public final class VectorAdder {
  private final Block[] blocks;
  private final AddableBlockCodec[] codecs;
  private final MessageHeader header;
  private final ByteSource left = new ByteSource();
  private final ByteSource right = new ByteSource();
  private final ByteSink message = new ByteSink();

  /**
   * @param layout of the vectors
   * @param coding of the messages
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

  /**
   * Whether messages of this coding can be added: the codec is addable, and no wire stage follows.
   */
  public static boolean adds(Coding coding) {
    return coding.codec().isAddable() && coding.stage() == WireStage.NONE;
  }

  /**
   * Adds two messages, each of which may be a sum.
   *
   * @param a not modified
   * @param aLength bytes of {@code a}
   * @param b not modified
   * @param bLength bytes of {@code b}
   * @param step the step of both messages
   * @return bytes of the sum, which {@link #message} holds until the next call
   * @throws MalformedEncodingException if one is not a message of this coding, layout and step
   */
  public int add(byte[] a, int aLength, byte[] b, int bLength, long step) {
    open(left, a, aLength, step);
    open(right, b, bLength, step);
    message.clear();
    message.skip(MessageHeader.BYTES);
    for (int i = 0; i < blocks.length; i++) {
      try {
        codecs[i].add(left, right, message);
      } catch (MalformedEncodingException e) {
        throw new MalformedEncodingException(
            "block " + blocks[i].name() + ": " + e.getMessage(), e);
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
