package io.github.amb.core.codec;

import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.Streams;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;

/**
 * Parameters as one worker has them: the first of a world come whole, then differences are added.
 */
final class Replica implements Checkpointed {
  private final VectorDecoder whole;
  private final VectorDecoder differences;
  private final float[] values;
  private final float[] difference;
  private boolean started;

  Replica(Layout layout, Coding coding, Streams streams) {
    whole = new VectorDecoder(layout, Coding.PLAIN, streams, CodecCommunicator.DOWNLINK);
    differences = new VectorDecoder(layout, coding, streams, CodecCommunicator.DOWNLINK);
    values = new float[layout.size()];
    difference = new float[layout.size()];
  }

  /** The parameters; not a copy. */
  float[] values() {
    return values;
  }

  /** Whether the first parameters have come. */
  boolean started() {
    return started;
  }

  /** Takes the next message in; whole parameters start anew, as a new world of ranks does. */
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
    state.floats("values", values);
  }

  private static void add(float[] values, float[] difference) {
    for (int i = 0; i < values.length; i++) {
      values[i] += difference[i];
    }
  }
}
