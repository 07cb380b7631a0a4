package io.github.amb.core.codec;

import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.Streams;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;
import java.util.Arrays;

/** At the master, what parameters each worker has. Workers share them until one is sent others. */
final class Replicas implements Checkpointed {
  private final SharedReplica[] ofRank;

  /**
   * @param size number of ranks, the master among them
   */
  Replicas(Layout layout, Coding coding, Streams streams, int size) {
    ofRank = new SharedReplica[size];
    Arrays.fill(ofRank, 1, size, new SharedReplica(layout, coding, streams));
  }

  /** The replica that all workers share, or null if they do not. */
  SharedReplica ofAll() {
    for (SharedReplica replica : ofRank) {
      if (replica != null && replica != ofRank[1]) {
        return null;
      }
    }
    return ofRank[1];
  }

  /** The replica of one worker, which it shares with no other one from now on. */
  SharedReplica ofOne(int rank) {
    for (int other = 1; other < ofRank.length; other++) {
      if (other != rank && ofRank[other] == ofRank[rank]) {
        ofRank[rank] = ofRank[rank].copy();
      }
    }
    return ofRank[rank];
  }

  /** What was under way to a worker of the last world may not have come. */
  @Override
  public void enteredWorld() {
    for (int rank = 1; rank < ofRank.length; rank++) {
      ofRank[rank].repeat();
    }
  }

  /** Shows who shares a replica, then every worker's. */
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

  /** The first of the workers that a worker shares its replica with. */
  private int firstOf(int rank) {
    int first = 1;
    while (ofRank[first] != ofRank[rank]) {
      first++;
    }
    return first;
  }
}
