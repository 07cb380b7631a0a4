package io.github.amb.core.codec.link;

import io.github.amb.core.codec.Coding;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.Streams;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateMap;
import io.github.amb.core.state.StateVisitor;

/** At the master, the copy of the parameters that is common to some workers. */
final class SharedReplica implements Checkpointed {
  private final Layout layout;
  private final Coding coding;
  private final Streams streams;
  private final VectorEncoder whole;
  private final VectorEncoder differences;
  private final Replica replica;
  private final float[] difference;
  private VectorEncoder last;
  private boolean repeats;
  private long encoded = -1; // the last step

  SharedReplica(Layout layout, Coding coding, Streams streams) {
    this.layout = layout;
    this.coding = coding;
    this.streams = streams;
    whole = new VectorEncoder(layout, Coding.PLAIN, streams, CodecCommunicator.DOWNLINK, 0);
    differences = new VectorEncoder(layout, coding, streams, CodecCommunicator.DOWNLINK, 0);
    replica = new Replica(layout, coding, streams);
    difference = new float[layout.size()];
  }

  /** A copy of this one, for workers whose messages will differ from the others'. */
  SharedReplica copy() {
    SharedReplica copy = new SharedReplica(layout, coding, streams);
    StateMap state = new StateMap();
    state.save("replica", this);
    state.restore("replica", copy);
    copy.repeats = repeats;
    return copy;
  }

  /** One in the initial state. */
  SharedReplica fresh() {
    return new SharedReplica(layout, coding, streams);
  }

  @Override
  public void visit(StateVisitor state) {
    encoded = state.integer("step", encoded);
    replica.visit(state);
    differences.visit(state);
  }

  /** Makes the next message have full parameters, as workers may lack earlier messages. */
  void repeat() {
    repeats = true;
  }

  /**
   * Encodes the difference from the workers' copy to {@code parameters}, and updates the copy as
   * the workers will.
   *
   * @param parameters the flat vector; not modified
   * @return number of bytes of the message, which {@link #encoder} holds
   */
  int encode(float[] parameters, long step) {
    boolean again = repeats;
    repeats = false;
    int length = again && step == encoded ? 0 : advance(parameters, step);
    if (again) {
      last = whole;
      length = whole.encode(replica.values, step);
    }
    encoded = step;
    return length;
  }

  private int advance(float[] parameters, long step) {
    boolean first = !replica.started();
    last = first ? whole : differences;
    if (!first) {
      float[] values = replica.values;
      for (int i = 0; i < values.length; i++) {
        difference[i] = parameters[i] - values[i];
      }
    }
    int length = last.encode(first ? parameters : difference, step);
    replica.advance(last.message(), length, step);
    return length;
  }

  /** The encoder that holds the last message. */
  VectorEncoder encoder() {
    return last;
  }
}
