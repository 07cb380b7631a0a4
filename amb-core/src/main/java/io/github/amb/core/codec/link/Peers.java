package io.github.amb.core.codec.link;

import io.github.amb.core.codec.Coding;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Estimate;
import io.github.amb.core.engine.Message;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.Streams;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.NamedState;
import io.github.amb.core.state.StateVisitor;

/**
 * What a worker sends to its neighbors and receives from them, as differences from the copies that
 * both ends have. All neighbors are sent the same.
 */
final class Peers implements Checkpointed {
  private final Layout layout;
  private final Coding coding;
  private final Streams streams;
  private final SharedReplica own;
  private final Replica[] others; // by rank; null as long as nothing has come
  private long encoded = -1;
  private int length;

  Peers(Layout layout, Coding coding, Streams streams, Communicator engine) {
    this.layout = layout;
    this.coding = coding;
    this.streams = streams;
    int number = engine.number(engine.rank());
    own = new SharedReplica(layout, coding, streams, CodecCommunicator.PEERS, number);
    others = new Replica[engine.size()];
  }

  private static long number(Message estimate) {
    return estimate.step() * Estimate.MAX_ROUNDS + estimate.asEstimate().round();
  }

  int entries() {
    return coding.encodedEntries(layout);
  }

  boolean hasEncoded(Message estimate) {
    return number(estimate) == encoded;
  }

  void encode(Message estimate) {
    encoded = number(estimate);
    length = own.encode(estimate.values(), encoded);
  }

  /** The encoder that holds the last message, of {@link #length} bytes. */
  VectorEncoder encoder() {
    return own.encoder();
  }

  int length() {
    return length;
  }

  /** The vector that a message of a neighbor comes to. Not a copy. */
  float[] decode(byte[] message, int available, Message estimate) {
    Replica replica = of(estimate.source());
    replica.advance(message, available, number(estimate));
    return replica.values;
  }

  private Replica of(int rank) {
    if (others[rank] == null) {
      others[rank] = new Replica(layout, coding, streams, CodecCommunicator.PEERS);
    }
    return others[rank];
  }

  /** Repeats full vectors: messages of the last generation may be lost. */
  @Override
  public void enteredGeneration() {
    own.enteredGeneration();
  }

  @Override
  public void visit(StateVisitor state) {
    own.visit(state);
    for (int rank = 1; rank < others.length; rank++) {
      if (state.integer(rank + ".known", others[rank] == null ? 0 : 1) == 1) {
        of(rank).visit(new NamedState(rank + ".", state));
      }
    }
  }

  /** With the messages in transit, nothing is lost. */
  void visitRound(StateVisitor state) {
    own.visitRepeats(state);
  }
}
