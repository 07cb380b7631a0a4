package io.github.amb.core.codec.link;

import io.github.amb.core.codec.Coding;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.Streams;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.NamedState;
import io.github.amb.core.state.StateVisitor;
import java.util.Arrays;

/**
 * The master's record of each worker's copy of the parameters. Workers share one until their
 * messages differ.
 */
final class Replicas implements Checkpointed {
  private final SharedReplica[] ofRank;

  /**
   * @param layout of the parameters
   * @param coding of the downlink
   * @param streams the run's random streams
   * @param size number of ranks, master included
   */
  Replicas(Layout layout, Coding coding, Streams streams, int size) {
    ofRank = new SharedReplica[size];
    Arrays.fill(
        ofRank, 1, size, new SharedReplica(layout, coding, streams, CodecCommunicator.DOWNLINK, 0));
  }

  /** The replica that all workers share, or null if they share none. */
  SharedReplica ofAll() {
    for (SharedReplica replica : ofRank) {
      if (replica != null && replica != ofRank[1]) {
        return null;
      }
    }
    return ofRank[1];
  }

  /** The replica of one worker, which no other worker shares from now on. */
  SharedReplica ofOne(int rank) {
    for (int other = 1; other < ofRank.length; other++) {
      if (other != rank && ofRank[other] == ofRank[rank]) {
        ofRank[rank] = ofRank[rank].copy();
      }
    }
    return ofRank[rank];
  }

  /** Repeats full parameters: messages to workers of the last generation may be lost. */
  @Override
  public void enteredGeneration() {
    for (int rank = 1; rank < ofRank.length; rank++) {
      ofRank[rank].enteredGeneration();
    }
  }

  /** Visits which workers share a replica, then each replica. */
  @Override
  public void visit(StateVisitor state) {
    for (int rank = 1; rank < ofRank.length; rank++) {
      int first = firstOf(rank);
      int saved = (int) state.integer(rank + ".shares", first);
      if (saved != first) {
        ofRank[rank] = saved == rank ? ofRank[rank].fresh() : ofRank[saved];
      }
    }
    for (int rank = 1; rank < ofRank.length; rank++) {
      ofRank[rank].visit(new NamedState(rank + ".", state));
    }
  }

  /** The first of the workers that share a replica with {@code rank}. */
  private int firstOf(int rank) {
    int first = 1;
    while (ofRank[first] != ofRank[rank]) {
      first++;
    }
    return first;
  }
}
