package io.github.amb.core.codec.link;

import io.github.amb.core.codec.block.MalformedEncodingException;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.MalformedMessageException;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.Work;
import io.github.amb.core.gradient.Layout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;

/**
 * Encodes vectors before an engine sends them and decodes them on receipt, so that schemes work
 * without knowledge of codecs. The bytes of a message travel as the bits of floats, the engines'
 * payload. Such floats are copied, never computed with.
 */
abstract class CodecCommunicator extends ForwardingCommunicator {
  /** Prefix of the random streams of gradients and deltas. */
  static final String UPLINK = "uplink";

  /** Prefix of the random streams of parameters. */
  static final String DOWNLINK = "downlink";

  /** Prefix of the random streams of what workers send to each other. */
  static final String PEERS = "peers";

  final int size;
  final int uplinkEntries;
  final int downlinkEntries;
  final long denseSteps;
  private final Clock clock;
  private final Message out = new Message();
  private final Message in = new Message();
  private byte[] bytes = {};
  private byte[] received = {};
  private FloatBuffer floats = FloatBuffer.allocate(0);

  CodecCommunicator(Communicator engine, Clock clock, Codings codings, Layout layout) {
    super(engine);
    this.clock = clock;
    size = layout.size();
    uplinkEntries = codings.uplink().encodedEntries(layout);
    downlinkEntries = codings.downlink().encodedEntries(layout);
    denseSteps = codings.uplink().denseSteps();
  }

  /**
   * Sends the message of {@code length} bytes that {@code encoder} made of {@code message}'s
   * payload.
   */
  final void send(int to, Message message, VectorEncoder encoder, int length, long deadline) {
    super.send(to, pack(message, encoder.message(), length), deadline);
  }

  /**
   * Broadcasts the message of {@code length} bytes that {@code encoder} made of {@code message}'s
   * payload.
   */
  final void broadcast(Message message, VectorEncoder encoder, int length, long deadline) {
    super.broadcast(pack(message, encoder.message(), length), deadline);
  }

  private Message pack(Message message, byte[] encoded, int length) {
    out.resetLike(message);
    int count = (length + Float.BYTES - 1) / Float.BYTES;
    float[] payload = out.ensureCapacity(count);
    view(encoded).get(0, payload, 0, count);
    return out;
  }

  private FloatBuffer view(byte[] encoded) {
    if (encoded != bytes) {
      bytes = encoded;
      floats = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
    }
    return floats;
  }

  /** Charges the clock for work on {@code entries} encoded entries. */
  final void charge(Work work, int entries) {
    clock.charge(work, entries);
  }

  /** Whether received messages of this kind are encoded. */
  abstract boolean decodes(Message.Kind kind);

  /**
   * Decodes a message.
   *
   * @param message the bytes received; not modified
   * @param available number of received bytes, up to three more than the message has
   * @param into receives the payload; its source and step are set
   * @throws MalformedEncodingException if the bytes are not a valid message
   */
  abstract void decode(byte[] message, int available, Message into);

  @Override
  public final boolean receive(int from, Message into, long deadline) {
    if (!super.receive(from, in, deadline)) {
      return false;
    }
    if (!decodes(in.kind())) {
      in.moveTo(into);
      return true;
    }
    int count = in.length();
    byte[] message = unpack(count);
    into.resetLike(in);
    in.release();
    try {
      decode(message, count * Float.BYTES, into);
    } catch (MalformedEncodingException e) {
      throw new MalformedMessageException(
          into.source(),
          "%s of step %d: %s".formatted(into.kind(), into.step(), e.getMessage()),
          e);
    }
    return true;
  }

  private byte[] unpack(int count) {
    int length = Math.multiplyExact(count, Float.BYTES);
    if (received.length < length) {
      received = new byte[length];
    }
    ByteBuffer.wrap(received)
        .order(ByteOrder.LITTLE_ENDIAN)
        .asFloatBuffer()
        .put(0, in.payload(), 0, count);
    return received;
  }

  /** Always false: an engine's memory cannot hold the payload, as its encoded form is sent. */
  @Override
  public final boolean lend(int to, Message message, int length) {
    return false;
  }

  /** Always false: encoded messages cannot be summed on the way. */
  @Override
  public final boolean reduces(int length) {
    return false;
  }
}
