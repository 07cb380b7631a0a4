package io.github.amb.core.codec.link;

import io.github.amb.core.codec.block.MalformedEncodingException;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.MalformedMessageException;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.Work;
import io.github.amb.core.gradient.Layout;

/**
 * Encodes vectors before an engine sends them and decodes them on receipt, so that schemes work
 * without knowledge of codecs.
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
  private final PackedBytes packed = new PackedBytes();
  private final boolean plainUplink;

  CodecCommunicator(Communicator engine, Clock clock, Codings codings, Layout layout) {
    super(engine);
    this.clock = clock;
    size = layout.size();
    uplinkEntries = codings.uplink().encodedEntries(layout);
    downlinkEntries = codings.downlink().encodedEntries(layout);
    denseSteps = codings.uplink().denseSteps();
    plainUplink = codings.uplink().isNone();
  }

  /**
   * Sends the message of {@code length} bytes that {@code encoder} made of {@code message}'s
   * payload.
   */
  final void send(int to, Message message, VectorEncoder encoder, int length, long deadline) {
    super.send(to, packed.pack(encoder.message(), length, out.resetLike(message)), deadline);
  }

  /**
   * Broadcasts the message of {@code length} bytes that {@code encoder} made of {@code message}'s
   * payload.
   */
  final void broadcast(Message message, VectorEncoder encoder, int length, long deadline) {
    super.broadcast(packed.pack(encoder.message(), length, out.resetLike(message)), deadline);
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
    byte[] message = packed.unpack(in);
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

  /** Always false: an engine's memory cannot hold the payload, as its encoded form is sent. */
  @Override
  public final boolean lend(int to, Message message, int length) {
    return false;
  }

  /** Not if gradients are encoded here: such messages cannot be summed on the way. */
  @Override
  public final boolean reduces(int length) {
    return plainUplink && super.reduces(length);
  }
}
