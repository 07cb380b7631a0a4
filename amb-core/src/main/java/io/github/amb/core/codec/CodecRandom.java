package io.github.amb.core.codec;

import io.github.amb.core.random.Streams;
import org.apache.commons.rng.UniformRandomProvider;

/** Where a message's random choices come from, block by block. */
public final class CodecRandom {
  private final Streams streams;
  private final String link;
  private final int rank;
  private String block = "";
  private long step = Long.MIN_VALUE;
  private int repetition;

  /**
   * @param link names the direction, so that both have streams of their own
   * @param rank the sender
   */
  CodecRandom(Streams streams, String link, int rank) {
    this.streams = streams;
    this.link = link;
    this.rank = rank;
  }

  /** Starts the next message; several may be of one step. */
  void message(long step) {
    repetition = step == this.step ? repetition + 1 : 0;
    this.step = step;
  }

  /** Starts the next block. */
  void block(String name) {
    block = name;
  }

  /** The sender's own stream; other messages and other ranks have others. */
  UniformRandomProvider own() {
    String again = repetition == 0 ? "" : " " + repetition;
    return streams.stream(link + " codec of " + block + again, rank, step);
  }

  /** The stream that all senders and receivers of a step have in common. */
  UniformRandomProvider shared() {
    return streams.stream(link + " codec in common of " + block, 0, step);
  }
}
