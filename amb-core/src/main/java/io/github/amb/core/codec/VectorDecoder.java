package io.github.amb.core.codec;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.Streams;

/** Decodes the messages that {@link VectorEncoder}s of the same coding and layout made. */
public final class VectorDecoder {
  /** More than any codec takes per entry and per block. */
  private static final int MOST_BYTES_PER_ENTRY = 16;

  private static final int MOST_BYTES_PER_BLOCK = 1 << 16;

  private final Block[] blocks;
  private final BlockCodec[] codecs;
  private final WireStage stage;
  private final MessageHeader header;
  private final CodecRandom draws;
  private final ByteSource source = new ByteSource();
  private final long mostBytes;
  private byte[] body = {};

  /**
   * @param link as the encoders'
   */
  public VectorDecoder(Layout layout, Coding coding, Streams streams, String link) {
    blocks = layout.blocks().toArray(new Block[0]);
    codecs = new BlockCodec[blocks.length];
    Codec receiver = coding.codec().receiver();
    for (int i = 0; i < blocks.length; i++) {
      Codec codec = coding.policy().encodes(blocks[i]) ? receiver : Plain.INSTANCE;
      codecs[i] = codec.open(blocks[i].shape());
    }
    stage = coding.stage();
    header = new MessageHeader(coding.text(), layout);
    draws = new CodecRandom(streams, link, 0);
    mostBytes =
        (long) MOST_BYTES_PER_ENTRY * layout.size() + (long) MOST_BYTES_PER_BLOCK * blocks.length;
  }

  /**
   * Decodes a message.
   *
   * @param message not modified
   * @param available bytes that have come, up to three of them after the message's end
   * @param step the step that the message must be of
   * @param values receives the vector; modified, also if this fails
   * @throws MalformedMessageException if this is not a message of this coding, layout and step
   */
  public void decode(byte[] message, int available, long step, float[] values) {
    int length = header.check(message, available, step);
    unpack(message, length);
    draws.message(step);
    for (int i = 0; i < blocks.length; i++) {
      Block block = blocks[i];
      draws.block(block.name());
      try {
        codecs[i].decode(source, draws, values, block.offset());
      } catch (MalformedMessageException e) {
        throw new MalformedMessageException("block " + block.name() + ": " + e.getMessage(), e);
      }
    }
    source.expectEnd();
  }

  /** Whether a message claims to be of this coding, and not of another one. */
  boolean isMeant(byte[] message, int available) {
    return header.isOfCodec(message, available);
  }

  private void unpack(byte[] message, int length) {
    if (stage == WireStage.NONE) {
      MessageHeader.expectBody(message, length);
      source.wrap(message, MessageHeader.BYTES, length);
      return;
    }
    int size = MessageHeader.body(message);
    if (size < 0 || size > mostBytes) {
      throw new MalformedMessageException(
          "expected up to %d bytes of blocks, found %d".formatted(mostBytes, size));
    }
    if (body.length < size) {
      body = new byte[size];
    }
    stage.unpack(message, MessageHeader.BYTES, length, body, size);
    source.wrap(body, 0, size);
  }

  /** How many blocks there are. */
  int blocks() {
    return blocks.length;
  }

  /** Block {@code index}. */
  Block block(int index) {
    return blocks[index];
  }

  /** The codec of block {@code index}, which knows the entries it has decoded if it is sparse. */
  BlockCodec codec(int index) {
    return codecs[index];
  }
}
