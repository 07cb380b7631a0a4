package io.github.amb.core.codec.link;

import io.github.amb.core.codec.Coding;
import io.github.amb.core.codec.block.MalformedEncodingException;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.Streams;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;

/**
 * A worker's copy of the parameters. The first message of a generation has the full parameters,
 * later ones have differences to add.
 */
final class Replica implements Checkpointed {
  private final VectorDecoder whole;
  private final VectorDecoder differences;

  /** The parameters as a flat vector. Not a copy. */
  final float[] values;

  private final float[] difference;
  private boolean started;

  Replica(Layout layout, Coding coding, Streams streams) {
    whole = new VectorDecoder(layout, Coding.PLAIN, streams, CodecCommunicator.DOWNLINK);
    differences = new VectorDecoder(layout, coding, streams, CodecCommunicator.DOWNLINK);
    values = new float[layout.size()];
    difference = new float[layout.size()];
  }

  /** Whether full parameters have been received. */
  boolean started() {
    return started;
  }

  /**
   * Applies the next message: replaces the copy by full parameters, or adds a difference.
   *
   * @throws MalformedEncodingException if it is not a message of this coding and layout
   */
  void advance(byte[] message, int available, long step) {
    if (!started || whole.isMeant(message, available)) {
      whole.decode(message, available, step, values);
      started = true;
      return;
    }
    differences.decode(message, available, step, difference);
    add(values, difference);
  }

  @Override
  public void visit(StateVisitor state) {
    started = state.integer("started", started ? 1 : 0) != 0;
    // Where an earlier state is of use, after a lost message, full parameters come first.
    state.alternating("values", values);
  }

  private static void add(float[] values, float[] difference) {
    for (int i = 0; i < values.length; i++) {
      values[i] += difference[i];
    }
  }
}
