package io.github.amb.core.codec.link;

import io.github.amb.core.codec.Coding;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.Work;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.Streams;
import io.github.amb.core.state.NamedState;
import io.github.amb.core.state.StateRegistry;
import io.github.amb.core.state.StateVisitor;
import io.github.amb.core.update.MasterUpdate;
import java.util.Arrays;

/** The master's side: encodes parameters, decodes gradients and deltas. */
final class MasterCodecs extends CodecCommunicator {
  private final VectorDecoder uplink; // null if gradients are not encoded
  private final VectorDecoder dense;
  private final Replica[] results; // of each rank; null unless differences are encoded
  private final Replicas workers; // null if parameters are not encoded
  private final Staleness staleness; // null unless the codec divides by it
  private final int fragments;

  MasterCodecs(
      Communicator engine,
      Clock clock,
      Codings codings,
      MasterUpdate update,
      Streams streams,
      StateRegistry state) {
    super(engine, clock, codings, update.layout());
    Layout layout = update.layout();
    Coding up = codings.uplink();
    Coding down = codings.downlink();
    uplink = up.isNone() ? null : new VectorDecoder(layout, up, streams, UPLINK);
    dense = denseSteps == 0 ? uplink : new VectorDecoder(layout, Coding.PLAIN, streams, UPLINK);
    results = up.differences() ? new Replica[engine.size()] : null;
    workers = down.isNone() ? null : new Replicas(layout, down, streams, engine.size());
    staleness = up.codec().isStalenessAware() ? (Staleness) update.hook() : null;
    fragments = up.fragments();
    if (staleness != null) {
      staleness.start(engine.size());
      state.registerOfRounds("staleness", staleness);
    }
    if (results != null) {
      for (int rank = 1; rank < results.length; rank++) {
        results[rank] = new Replica(layout, up, streams, UPLINK);
      }
      state.register(UPLINK, this::visitResults);
    }
    if (workers != null) {
      state.register(DOWNLINK, workers);
    }
  }

  @Override
  public void send(int to, Message message, long deadline) {
    boolean parameters = message.kind() == Message.Kind.PARAMETERS;
    if (parameters && staleness != null) {
      staleness.sent(to, message.step());
    }
    if (parameters && workers != null) {
      sendTo(workers.ofOne(to), to, message, deadline);
    } else {
      super.send(to, message, deadline);
    }
  }

  private void sendTo(SharedReplica replica, int to, Message message, long deadline) {
    int length = replica.encode(message.values(), message.step());
    charge(Work.ENCODING, downlinkEntries);
    send(to, message, replica.encoder(), length, deadline);
  }

  @Override
  public void broadcast(Message message, long deadline) {
    boolean parameters = message.kind() == Message.Kind.PARAMETERS;
    if (parameters && staleness != null) {
      for (int rank = 1; rank < size(); rank++) {
        staleness.sent(rank, message.step());
      }
    }
    if (!parameters || workers == null) {
      super.broadcast(message, deadline);
      return;
    }
    SharedReplica common = workers.ofAll();
    if (common == null) {
      for (int rank = 1; rank < size(); rank++) {
        sendTo(workers.ofOne(rank), rank, message, deadline);
      }
      return;
    }
    int length = common.encode(message.values(), message.step());
    charge(Work.ENCODING, downlinkEntries);
    broadcast(message, common.encoder(), length, deadline);
  }

  @Override
  boolean decodes(Message.Kind kind) {
    return uplink != null && (kind == Message.Kind.GRADIENT || kind == Message.Kind.DELTA);
  }

  @Override
  void decode(byte[] message, int available, Message into) {
    float[] values = into.ensureCapacity(size);
    if (into.examples() == 0 && available == 0) {
      decodeEmpty(into, values);
      return;
    }
    if (results != null) {
      Replica result = results[into.source()];
      result.advance(message, available, into.step());
      System.arraycopy(result.values, 0, values, 0, size);
    } else {
      Arrays.fill(values, 0, fragments > 1 ? size : 0, 0);
      VectorDecoder decoder = into.step() <= denseSteps ? dense : uplink;
      decoder.decode(message, available, into.step(), values);
      if (staleness != null) {
        staleness.divide(into.source(), into.step(), decoder, values);
      }
    }
    charge(Work.DECODING, uplinkEntries);
  }

  private void visitResults(StateVisitor state) {
    for (int rank = 1; rank < results.length; rank++) {
      results[rank].visit(new NamedState(rank + ".", state));
    }
  }

  private void decodeEmpty(Message result, float[] values) {
    Arrays.fill(values, 0, size, 0);
    if (staleness != null) {
      staleness.skip(result.source(), result.step());
    }
  }
}
