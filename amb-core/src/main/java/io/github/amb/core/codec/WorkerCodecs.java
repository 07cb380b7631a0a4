package io.github.amb.core.codec;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Frame;
import io.github.amb.core.engine.Work;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.Streams;
import io.github.amb.core.state.StateRegistry;
import io.github.amb.core.update.NonFiniteGradientException;

/** A worker's side: encodes gradients and deltas, decodes parameters. */
final class WorkerCodecs extends CodecCommunicator {
  private final VectorEncoder uplink; // null if gradients are not encoded
  private final Replica parameters; // null if parameters are not encoded
  private final int uplinkEntries;
  private final int downlinkEntries;
  private final int size;

  WorkerCodecs(
      Communicator engine,
      Clock clock,
      Codings codings,
      Layout layout,
      Streams streams,
      StateRegistry state) {
    super(engine, clock);
    Coding up = codings.uplink();
    Coding down = codings.downlink();
    uplink = up.isNone() ? null : new VectorEncoder(layout, up, streams, UPLINK, engine.rank());
    parameters = down.isNone() ? null : new Replica(layout, down, streams);
    uplinkEntries = up.encodedEntries(layout);
    downlinkEntries = down.encodedEntries(layout);
    size = layout.size();
    if (uplink != null) {
      state.register(UPLINK, uplink);
    }
    if (parameters != null) {
      state.register(DOWNLINK, parameters);
    }
  }

  private boolean encodes(Frame frame) {
    return uplink != null && frame.isResult();
  }

  @Override
  public void send(int to, Frame frame, long deadline) {
    if (!encodes(frame)) {
      super.send(to, frame, deadline);
      return;
    }
    int length = encode(frame);
    charge(Work.ENCODING, uplinkEntries);
    send(to, frame, uplink, length, deadline);
  }

  private int encode(Frame frame) {
    try {
      return uplink.encode(frame.values(), frame.step());
    } catch (NonFiniteGradientException e) {
      throw e.of(frame.asResult().firstExample(), frame.examples()).at(e.rank(), frame.step());
    }
  }

  @Override
  boolean decodes(Frame.Kind kind) {
    return parameters != null && kind == Frame.Kind.PARAMETERS;
  }

  @Override
  void decode(byte[] message, int available, Frame into) {
    parameters.advance(message, available, into.step());
    charge(Work.DECODING, downlinkEntries);
    System.arraycopy(parameters.values(), 0, into.ensureCapacity(size), 0, size);
  }
}
