package io.github.amb.core.codec.link;

import io.github.amb.core.codec.Coding;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.Work;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.Streams;
import io.github.amb.core.state.StateRegistry;
import io.github.amb.core.update.NonFiniteGradientException;

/**
 * A worker's side: encodes gradients and deltas, decodes parameters. A result without examples is
 * sent without a payload.
 */
final class WorkerCodecs extends CodecCommunicator {
  private final VectorEncoder uplink; // null if gradients are not encoded
  private final VectorEncoder dense;
  private final SharedReplica results; // null unless differences are encoded
  private final Replica parameters; // null if parameters are not encoded
  private final Peers peers; // null if what workers send to each other is not encoded

  WorkerCodecs(
      Communicator engine,
      Clock clock,
      Codings codings,
      Layout layout,
      Streams streams,
      StateRegistry state) {
    super(engine, clock, codings, layout);
    Coding up = codings.uplink();
    Coding down = codings.downlink();
    uplink = up.isNone() ? null : new VectorEncoder(layout, up, streams, UPLINK, engine.rank());
    dense =
        denseSteps == 0
            ? uplink
            : new VectorEncoder(layout, Coding.PLAIN, streams, UPLINK, engine.rank());
    results =
        up.differences() ? new SharedReplica(layout, up, streams, UPLINK, engine.rank()) : null;
    parameters = down.isNone() ? null : new Replica(layout, down, streams, DOWNLINK);
    Coding each = codings.peers();
    peers = each.isNone() ? null : new Peers(layout, each, streams, engine);
    if (uplink != null) {
      state.register(UPLINK, results != null ? results : uplink);
    }
    if (parameters != null) {
      state.register(DOWNLINK, parameters);
    }
    if (peers != null) {
      state.register(PEERS, peers);
      state.registerOfRounds(PEERS, peers::visitRound);
    }
  }

  private boolean encodes(Message message) {
    return uplink != null && message.isResult();
  }

  @Override
  public void send(int to, Message message, long deadline) {
    if (peers != null && message.kind() == Message.Kind.ESTIMATE) {
      if (!peers.hasEncoded(message)) {
        peers.encode(message);
        charge(Work.ENCODING, peers.entries());
      }
      send(to, message, peers.encoder(), peers.length(), deadline);
      return;
    }
    if (!encodes(message)) {
      super.send(to, message, deadline);
      return;
    }
    int length = 0; // A result without examples is not used: the encoder need not remember it.
    VectorEncoder encoder = message.step() <= denseSteps ? dense : uplink;
    if (message.examples() > 0) {
      length = encode(message, encoder);
      encoder = results != null ? results.encoder() : encoder;
      charge(Work.ENCODING, uplinkEntries);
    }
    send(to, message, encoder, length, deadline);
  }

  private int encode(Message message, VectorEncoder encoder) {
    try {
      return results != null
          ? results.encode(message.values(), message.step())
          : encoder.encode(message.values(), message.step());
    } catch (NonFiniteGradientException e) {
      throw e.of(message.asResult().firstExample(), message.examples())
          .at(e.rank(), message.step());
    }
  }

  @Override
  boolean decodes(Message.Kind kind) {
    return kind == Message.Kind.ESTIMATE
        ? peers != null
        : parameters != null && kind == Message.Kind.PARAMETERS;
  }

  @Override
  void decode(byte[] message, int available, Message into) {
    if (into.kind() == Message.Kind.ESTIMATE) {
      System.arraycopy(
          peers.decode(message, available, into), 0, into.ensureCapacity(size), 0, size);
      charge(Work.DECODING, peers.entries());
      return;
    }
    parameters.advance(message, available, into.step());
    charge(Work.DECODING, downlinkEntries);
    System.arraycopy(parameters.values, 0, into.ensureCapacity(size), 0, size);
  }
}
