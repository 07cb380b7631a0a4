package io.github.amb.core.engine;

import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * One message between ranks: a kind, the step it belongs to, a few numbers and a payload of floats.
 *
 * <p>Frames are reused: {@link #reset} keeps the arrays, {@link #ensureCapacity} grows the payload
 * only when it is too small, and a receiving engine may exchange the payload array for another one
 * instead of copying, so ask for {@link #values} again after every receive.
 *
 * <p>An engine may also lend memory of its own, which the frame gives back as soon as its content
 * is copied to an array, replaced or {@linkplain #release released}.
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
    /** Worker to master: how many local iterations are done, and how long the last one took. */
    QUERY,
    /** Master to worker: after how many local iterations to push. */
    ASSIGNMENT,
    /** Worker to master: what the worker remembers between steps. */
    STATE,
    /** Worker to master: what it was started with; the master compares. */
    HELLO,
    /** Master to worker: the two fit; what the worker is to go on with. */
    WELCOME,
    /** Master to worker: the two do not fit, and why. */
    REFUSED,
    /**
     * How many frames the sender has sent to the receiver in this generation, {@link Frame#step}.
     */
    COUNT
  }

  /** The most numbers that one frame carries beside its payload. */
  public static final int MAX_STATS = 16;

  /**
   * Index, in what a master sends, of whether the worker shall send its {@link Kind#STATE} before
   * it goes on; schemes leave it alone.
   */
  public static final int STATE_WANTED = MAX_STATS - 1;

  /**
   * Index, in the frame that has a {@linkplain #reduce reduced} payload, of the worker that its
   * first entry is put down to which is not finite; 0 if all are finite.
   */
  public static final int NON_FINITE_FROM = MAX_STATS - 2;

  /** Index of the frame's place among all that its sender sends; set by {@link DuplicateFilter}. */
  public static final int NUMBER = MAX_STATS - 3;

  /** Index, in a worker's result, of the sum of its examples' losses. */
  public static final int LOSS_SUM = 0;

  /**
   * Index, in a worker's result, of its first example's place in the worker's order, from 0; −1 if
   * its examples are not one after the other there.
   */
  public static final int FIRST_EXAMPLE = 9;

  private static final float[] EMPTY = {};

  private Kind kind = Kind.READY;
  private int source = -1;
  private long step;
  private long examples;
  private final double[] stats = new double[MAX_STATS];
  private float[] values = EMPTY;
  private FloatBuffer view = FloatBuffer.wrap(EMPTY);
  private Loan loan;
  private int length;
  private boolean reduced;

  /** Memory that an engine lends to a frame. */
  public interface Loan {
    /** The memory, whose first floats are the payload; the same object every time. */
    FloatBuffer floats();

    /** The borrower is done with the memory; called once per loan, by any thread. */
    void end();
  }

  /** Starts a new message in this frame: no examples, zero stats, empty payload. */
  public Frame reset(Kind kind, long step) {
    release();
    this.kind = kind;
    this.step = step;
    examples = 0;
    length = 0;
    reduced = false;
    Arrays.fill(stats, 0);
    return this;
  }

  /** Starts a message in this frame like {@code other}, but for the payload, which is empty. */
  public Frame resetLike(Frame other) {
    reset(other.kind, other.step);
    source = other.source;
    examples = other.examples;
    reduced = other.reduced;
    System.arraycopy(other.stats, 0, stats, 0, MAX_STATS);
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

  /**
   * The payload as an array; only the first {@link #length} entries count. Not a copy, unless the
   * memory is an engine's, which is copied and given back.
   */
  public float[] values() {
    if (loan != null) {
      reserve(length);
      loan.floats().get(0, values, 0, length);
      end();
    }
    return values;
  }

  /**
   * The payload where it is; only the first {@link #length} floats count. Valid until the frame is
   * released, reset or received into; not to be written to, unless it is {@linkplain
   * Communicator#lend lent} for a payload to send.
   */
  public FloatBuffer payload() {
    if (loan != null) {
      return loan.floats();
    }
    if (view.array() != values) {
      view = FloatBuffer.wrap(values);
    }
    return view;
  }

  /** What an engine has lent for the payload, or null if it is in the frame's array. */
  public Loan loan() {
    return loan;
  }

  /** Gives back what an engine has lent; the payload is empty then if there was any loan. */
  public void release() {
    if (loan != null) {
      length = 0;
      end();
    }
  }

  private void end() {
    Loan ended = loan;
    loan = null;
    ended.end();
  }

  /** Makes memory of an engine the payload; the frame keeps its array for later. */
  public void borrow(Loan memory, int length) {
    release();
    loan = memory;
    this.length = length;
  }

  /**
   * Lets the payload be summed on its way to the master with those that all other workers send for
   * the same step, which they must; only where {@link Communicator#reduces}. The master receives a
   * frame of each worker, with its own numbers. The last of them has the sum for its payload, entry
   * by entry in the order of ranks, the others have none.
   */
  public Frame reduce() {
    reduced = true;
    return this;
  }

  /** Whether the payload is, or is part of, a sum that is formed on the way. */
  public boolean isReduced() {
    return reduced;
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
    release();
    reserve(length);
    this.length = length;
    return values;
  }

  private void reserve(int length) {
    if (values.length < length) {
      values = new float[length];
    }
  }

  /**
   * Makes {@code values} the payload without copying.
   *
   * @return the array it replaces, for reuse
   */
  public float[] exchange(float[] values, int length) {
    release();
    float[] old = this.values;
    this.values = values;
    this.length = length;
    return old;
  }

  /** Moves everything, source included, to {@code into}, whose array this frame takes. */
  public void moveTo(Frame into) {
    into.resetLike(this);
    float[] array = into.values;
    FloatBuffer arrayView = into.view;
    into.values = values;
    into.view = view;
    into.loan = loan;
    into.length = length;
    values = array;
    view = arrayView;
    loan = null;
    length = 0;
  }
}
