package io.github.amb.core.random;

import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;
import org.apache.commons.rng.UniformRandomProvider;

/** Random streams for a message's choices, per block. */
public final class CodecRandom implements Checkpointed {
  private final Streams streams;
  private final String link;
  private final int rank;
  private String block = "";
  private long step = Long.MIN_VALUE;
  private int repetition;

  /**
   * @param streams the run's random streams
   * @param link {@code uplink} or {@code downlink}; each has streams of its own
   * @param rank the sender
   */
  public CodecRandom(Streams streams, String link, int rank) {
    this.streams = streams;
    this.link = link;
    this.rank = rank;
  }

  /** Starts the next message. Several messages may belong to one step. */
  public void message(long step) {
    repetition = step == this.step ? repetition + 1 : 0;
    this.step = step;
  }

  /** Visits which message is the last one; nothing if an earlier version has saved the state. */
  @Override
  public void visit(StateVisitor state) {
    if (state.has("step")) {
      step = state.integer("step", step);
      repetition = (int) state.integer("repetition", repetition);
    }
  }

  /** Starts the next block. */
  public void block(String name) {
    block = name;
  }

  /** A stream that only this sender, message and block have; a receiver has another one. */
  public UniformRandomProvider own() {
    String again = repetition == 0 ? "" : " " + repetition;
    return streams.stream(link + " codec of " + block + again, rank, step);
  }

  /**
   * A stream that all senders and receivers of this step and block share. All messages of the step
   * have the same, as a receiver cannot know how many came before one if some may be lost.
   */
  public UniformRandomProvider shared() {
    return streams.stream(link + " codec in common of " + block, 0, step);
  }
}
