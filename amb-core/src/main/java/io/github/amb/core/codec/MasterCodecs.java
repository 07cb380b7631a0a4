package io.github.amb.core.codec;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Frame;
import io.github.amb.core.engine.Work;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.Streams;
import io.github.amb.core.state.StateRegistry;
import io.github.amb.core.update.MasterUpdate;

/** The master's side: encodes parameters, decodes gradients and deltas. */
final class MasterCodecs extends CodecCommunicator {
  private final VectorDecoder uplink; // null if gradients are not encoded
  private final Replicas workers; // null if parameters are not encoded
  private final Staleness staleness; // null unless the codec divides by it
  private final int uplinkEntries;
  private final int downlinkEntries;
  private final int size;

  MasterCodecs(
      Communicator engine,
      Clock clock,
      Codings codings,
      MasterUpdate update,
      Streams streams,
      StateRegistry state) {
    super(engine, clock);
    Layout layout = update.layout();
    Coding up = codings.uplink();
    Coding down = codings.downlink();
    uplink = up.isNone() ? null : new VectorDecoder(layout, up, streams, UPLINK);
    workers = down.isNone() ? null : new Replicas(layout, down, streams, engine.size());
    staleness = up.codec().isStalenessAware() ? new Staleness(layout, engine.size()) : null;
    uplinkEntries = up.encodedEntries(layout);
    downlinkEntries = down.encodedEntries(layout);
    size = layout.size();
    up.codec().hook().ifPresent(update::hook);
    if (staleness != null) {
      update.hook(staleness);
    }
    if (workers != null) {
      state.register(DOWNLINK, workers);
    }
  }

  @Override
  public void send(int to, Frame frame, long deadline) {
    boolean parameters = frame.kind() == Frame.Kind.PARAMETERS;
    if (parameters && staleness != null) {
      staleness.sent(to, frame.step());
    }
    if (parameters && workers != null) {
      sendTo(workers.ofOne(to), to, frame, deadline);
    } else {
      super.send(to, frame, deadline);
    }
  }

  private void sendTo(SharedReplica replica, int to, Frame frame, long deadline) {
    int length = replica.encode(frame.values(), frame.step());
    charge(Work.ENCODING, downlinkEntries);
    send(to, frame, replica.encoder(), length, deadline);
  }

  @Override
  public void broadcast(Frame frame, long deadline) {
    boolean parameters = frame.kind() == Frame.Kind.PARAMETERS;
    if (parameters && staleness != null) {
      for (int rank = 1; rank < size(); rank++) {
        staleness.sent(rank, frame.step());
      }
    }
    if (!parameters || workers == null) {
      super.broadcast(frame, deadline);
      return;
    }
    SharedReplica common = workers.ofAll();
    if (common == null) {
      for (int rank = 1; rank < size(); rank++) {
        sendTo(workers.ofOne(rank), rank, frame, deadline);
      }
      return;
    }
    int length = common.encode(frame.values(), frame.step());
    charge(Work.ENCODING, downlinkEntries);
    broadcast(frame, common.encoder(), length, deadline);
  }

  @Override
  boolean decodes(Frame.Kind kind) {
    return uplink != null && (kind == Frame.Kind.GRADIENT || kind == Frame.Kind.DELTA);
  }

  @Override
  void decode(byte[] message, int available, Frame into) {
    float[] values = into.ensureCapacity(size);
    uplink.decode(message, available, into.step(), values);
    if (staleness != null) {
      staleness.divide(into.source(), into.step(), uplink, values);
    }
    charge(Work.DECODING, uplinkEntries);
  }
}
