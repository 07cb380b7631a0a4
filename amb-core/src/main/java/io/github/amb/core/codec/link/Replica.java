package io.github.amb.core.codec.link;

import io.github.amb.core.codec.Coding;
import io.github.amb.core.codec.block.MalformedEncodingException;
import io.github.amb.core.codec.block.Plain;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.Streams;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;
import java.util.Arrays;

/**
 * A receiver's copy of a sender's vectors: a worker's copy of the parameters, or the master's of a
 * worker's results with EF21. The first message of a generation has the full vector, later ones
 * have differences to add, or lossless values, of the fragments whose turn has been since the
 * message before.
 */
final class Replica implements Checkpointed {
  private final VectorDecoder whole;
  private final VectorDecoder differences;

  /** The flat vector. Not a copy. */
  float[] values;

  private float[] next;
  private final float[] difference;
  private final boolean inFragments;
  private final boolean lossless;
  private final boolean ofParameters;
  private boolean started;
  private long last;

  /**
   * @param link direction of the messages
   */
  Replica(Layout layout, Coding coding, Streams streams, String link) {
    whole = new VectorDecoder(layout, Coding.PLAIN, streams, link);
    differences = new VectorDecoder(layout, coding, streams, link);
    inFragments = coding.fragments() > 1;
    lossless = inFragments && coding.codec() == Plain.INSTANCE;
    ofParameters = link.equals(CodecCommunicator.DOWNLINK);
    values = new float[layout.size()];
    next = new float[layout.size()];
    difference = new float[layout.size()];
  }

  /** Whether messages have new values, in place of differences. */
  boolean isLossless() {
    return lossless;
  }

  /** The first step whose turn a message has: parameters have what changed since the one before. */
  long from(long step) {
    return ofParameters ? last : step;
  }

  /** The step after the last one whose turn a message has. */
  long to(long step) {
    return ofParameters ? step : step + 1;
  }

  /** Whether a full vector has been received. */
  boolean started() {
    return started;
  }

  /**
   * Applies the next message: replaces the copy by a full vector, or adds a difference.
   *
   * @throws MalformedEncodingException if it is not a message of this coding and layout
   */
  void advance(byte[] message, int available, long step) {
    if (!started || whole.isMeant(message, available)) {
      whole.decode(message, available, step, next);
      started = true;
    } else if (lossless) {
      System.arraycopy(values, 0, next, 0, values.length);
      differences.decode(message, available, step, next, from(step), to(step));
    } else {
      Arrays.fill(difference, 0, inFragments ? difference.length : 0, 0);
      differences.decode(message, available, step, difference, from(step), to(step));
      add(difference);
    }
    last = step;
    float[] before = values;
    values = next;
    next = before;
  }

  @Override
  public void visit(StateVisitor state) {
    started = state.integer("started", started ? 1 : 0) != 0;
    state.alternating("values", values);
    if (inFragments) {
      last = state.integer("last", last);
    }
  }

  private void add(float[] difference) {
    for (int i = 0; i < values.length; i++) {
      next[i] = values[i] + difference[i];
    }
  }
}
