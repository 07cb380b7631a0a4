package io.github.amb.core.engine;

import java.util.Arrays;

/**
 * One message between ranks: a kind, the step it belongs to, a few numbers and a payload of floats.
 *
 * <p>Frames are reused: {@link #reset} keeps the arrays, {@link #ensureCapacity} grows the payload
 * only when it is too small, and a receiving engine may exchange the payload array for another one
 * instead of copying, so ask for {@link #values} again after every receive.
 */
public final class Frame {
  /** What a frame says. The order is part of the wire format: append only. */
  public enum Kind {
    /** A rank is ready; the master waits for one from every worker before the first step. */
    READY,
    /** Master to worker: parameters at the start of {@link Frame#step}. */
    PARAMETERS,
    /** Worker to master: gradient sum over {@link Frame#examples} examples. */
    GRADIENT,
    /** Master to worker: no further step. A worker that never waits answers with the same. */
    STOP,
    /** Worker to master: the parameters of {@link Frame#step} have been taken from the wire. */
    TAKEN,
    /** Worker to master: parameters received minus parameters after local updates. */
    DELTA,
    /** Worker to master: how many local iterations are done, and how long they take. */
    QUERY,
    /** Master to worker: how many local iterations to do before asking again; 0 to push. */
    ASSIGNMENT
  }

  /** The most numbers that one frame carries beside its payload. */
  public static final int MAX_STATS = 16;

  private static final float[] EMPTY = {};

  private Kind kind = Kind.READY;
  private int source = -1;
  private long step;
  private long examples;
  private final double[] stats = new double[MAX_STATS];
  private float[] values = EMPTY;
  private int length;

  /** Starts a new message in this frame: no examples, zero stats, empty payload. */
  public Frame reset(Kind kind, long step) {
    this.kind = kind;
    this.step = step;
    examples = 0;
    length = 0;
    Arrays.fill(stats, 0);
    return this;
  }

  public Kind kind() {
    return kind;
  }

  /** Rank of the sender; set by the receiving engine. */
  public int source() {
    return source;
  }

  public void source(int rank) {
    source = rank;
  }

  /** The master's step that this frame belongs to. */
  public long step() {
    return step;
  }

  /** Number of examples that the payload sums over. */
  public long examples() {
    return examples;
  }

  public void examples(long count) {
    examples = count;
  }

  /** Number {@code index} of the {@link #MAX_STATS} that travel with the frame. */
  public double stat(int index) {
    return stats[index];
  }

  public void stat(int index, double value) {
    stats[index] = value;
  }

  /** The payload; only the first {@link #length} entries count. Not a copy. */
  public float[] values() {
    return values;
  }

  /** Number of floats in the payload. */
  public int length() {
    return length;
  }

  /**
   * Makes room for a payload and sets its length; entries are unspecified.
   *
   * @param length number of floats, not negative
   * @return the payload array, of at least {@code length} entries
   */
  public float[] ensureCapacity(int length) {
    if (values.length < length) {
      values = new float[length];
    }
    this.length = length;
    return values;
  }

  /**
   * Makes {@code values} the payload without copying.
   *
   * @return the array it replaces, for reuse
   */
  public float[] exchange(float[] values, int length) {
    float[] old = this.values;
    this.values = values;
    this.length = length;
    return old;
  }
}
