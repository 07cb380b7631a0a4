package io.github.amb.core.codec.link;

import io.github.amb.core.codec.Coding;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.Streams;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateMap;
import io.github.amb.core.state.StateVisitor;

/**
 * A sender's record of the copy that receivers have: at the master, of the parameters that some
 * workers share; at a worker, of the results that it has sent, with EF21, or of the vector that its
 * neighbors have.
 *
 * <p>Richtárik, Sokolov, Fatkhullin: "EF21: A New, Simpler, Theoretically Better, and Practically
 * Faster Error Feedback", NeurIPS 2021: {@code gᵢ ← gᵢ + C(∇fᵢ(x) − gᵢ)}, and at first {@code gᵢ =
 * ∇fᵢ(x)}.
 */
final class SharedReplica implements Checkpointed {
  private final Layout layout;
  private final Coding coding;
  private final Streams streams;
  private final String link;
  private final int rank;
  private final VectorEncoder whole;
  private final VectorEncoder differences;
  private final Replica replica;
  private final float[] difference;
  private VectorEncoder last;
  private boolean repeats;
  private long encoded = -1; // the last step

  /**
   * @param link direction of the messages
   * @param rank the sender
   */
  SharedReplica(Layout layout, Coding coding, Streams streams, String link, int rank) {
    this.link = link;
    this.rank = rank;
    this.layout = layout;
    this.coding = coding;
    this.streams = streams;
    whole = new VectorEncoder(layout, Coding.PLAIN, streams, link, rank);
    differences = new VectorEncoder(layout, coding, streams, link, rank);
    replica = new Replica(layout, coding, streams, link);
    difference = new float[layout.size()];
  }

  /** A copy of this one, for workers whose messages will differ from the others'. */
  SharedReplica copy() {
    SharedReplica copy = fresh();
    StateMap state = new StateMap();
    state.save("replica", this);
    state.restore("replica", copy);
    copy.repeats = repeats;
    return copy;
  }

  /** One in the initial state. */
  SharedReplica fresh() {
    return new SharedReplica(layout, coding, streams, link, rank);
  }

  @Override
  public void visit(StateVisitor state) {
    encoded = state.integer("step", encoded);
    replica.visit(state);
    differences.visit(state);
  }

  /** Visits whether the next message has full parameters. */
  void visitRepeats(StateVisitor state) {
    repeats = state.integer("repeats", repeats ? 1 : 0) == 1;
  }

  /** Makes the next message have the full vector, as receivers may lack earlier messages. */
  @Override
  public void enteredGeneration() {
    repeats = true;
  }

  /**
   * Encodes the difference from the receivers' copy to {@code parameters}, or all of a vector of
   * the warm-up, and updates the copy as the receivers will.
   *
   * @param parameters the flat vector; not modified
   * @return number of bytes of the message, which {@link #encoder} holds
   */
  int encode(float[] parameters, long step) {
    boolean again = repeats;
    repeats = false;
    // Parameters of one step are the same; a worker may have several results of one.
    boolean known = again && step == encoded && rank == Communicator.MASTER;
    int length = known ? 0 : advance(parameters, step);
    if (again) {
      last = whole;
      length = whole.encode(replica.values, step);
    }
    encoded = step;
    return length;
  }

  private int advance(float[] parameters, long step) {
    boolean first = !replica.started() || step <= coding.denseSteps();
    last = first ? whole : differences;
    boolean asIs = first || replica.isLossless();
    if (!asIs) {
      float[] values = replica.values;
      for (int i = 0; i < values.length; i++) {
        difference[i] = parameters[i] - values[i];
      }
    }
    float[] sent = asIs ? parameters : difference;
    int length = last.encode(sent, step, replica.from(step), replica.to(step));
    replica.advance(last.message(), length, step);
    return length;
  }

  /** The encoder that holds the last message. */
  VectorEncoder encoder() {
    return last;
  }
}
