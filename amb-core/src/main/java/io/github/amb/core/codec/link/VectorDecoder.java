package io.github.amb.core.codec.link;

import io.github.amb.core.codec.Coding;
import io.github.amb.core.codec.block.BlockCodec;
import io.github.amb.core.codec.block.ByteSource;
import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.codec.block.MalformedEncodingException;
import io.github.amb.core.codec.block.Plain;
import io.github.amb.core.codec.block.SparseBlockCodec;
import io.github.amb.core.codec.block.WireStage;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.CodecRandom;
import io.github.amb.core.random.Streams;

/** Decodes messages of {@link VectorEncoder}s of the same coding and layout. */
public final class VectorDecoder extends VectorCoder {
  /** Upper bound of the encoded bytes per entry, and per block, of every codec. */
  private static final int MAX_BYTES_PER_ENTRY = 16;

  private static final int MAX_BYTES_PER_BLOCK = 1 << 16;

  private final ByteSource source = new ByteSource();
  private final long maxBytes;
  private byte[] body = {};
  private long from;
  private long to;

  /**
   * @param layout of the vectors
   * @param coding of the messages
   * @param streams the run's random streams
   * @param link direction of the messages, the same as at the encoders
   */
  public VectorDecoder(Layout layout, Coding coding, Streams streams, String link) {
    super(layout, coding, new CodecRandom(streams, link, 0), block -> open(block, coding));
    maxBytes =
        (long) MAX_BYTES_PER_ENTRY * layout.size() + (long) MAX_BYTES_PER_BLOCK * blocks.length;
  }

  private static BlockCodec open(Block block, Coding coding) {
    Codec codec = coding.policy().encodes(block) ? coding.codec().receiver() : Plain.INSTANCE;
    return codec.open(block.shape());
  }

  /**
   * Decodes a message. Entries that it does not have stay as they are.
   *
   * @param message not modified
   * @param available number of received bytes, up to three more than the message has
   * @param step of the message
   * @param values receives the flat vector; modified, also if this fails
   * @throws MalformedEncodingException if this is not a message of this coding and layout
   */
  public void decode(byte[] message, int available, long step, float[] values) {
    decode(message, available, step, values, step, step + 1);
  }

  /**
   * As {@link #decode(byte[], int, long, float[])}, of the fragments whose turn it is in some
   * steps.
   *
   * @param from the first of these steps; 0 for the whole vector
   * @param to the step after the last one
   */
  void decode(byte[] message, int available, long step, float[] values, long from, long to) {
    this.from = from;
    this.to = to;
    int length = header.check(message, available);
    unpack(message, length);
    draws.message(step);
    for (int i = 0; i < blocks.length; i++) {
      if (!has(i)) {
        continue;
      }
      Block block = blocks[i];
      draws.block(block.name());
      try {
        codecs[i].decode(source, draws, values, block.offset());
      } catch (MalformedEncodingException e) {
        throw new MalformedEncodingException("block " + block.name() + ": " + e.getMessage(), e);
      }
    }
    source.expectEnd();
  }

  /** Whether an unchecked message says that it is of this coding. */
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
    if (size < 0 || size > maxBytes) {
      throw new MalformedEncodingException(
          "expected up to %d bytes of blocks, found %d".formatted(maxBytes, size));
    }
    if (body.length < size) {
      body = new byte[size];
    }
    stage.unpack(message, MessageHeader.BYTES, length, body, size);
    source.wrap(body, 0, size);
  }

  /** Whether the last message had a block. */
  boolean has(int index) {
    return fragments.has(index, from, to);
  }

  /** Number of blocks. */
  int blocks() {
    return blocks.length;
  }

  /** Block {@code index}. */
  Block block(int index) {
    return blocks[index];
  }

  /**
   * The codec of block {@code index}; a {@link SparseBlockCodec} knows the entries it has decoded.
   */
  BlockCodec codec(int index) {
    return codecs[index];
  }
}
