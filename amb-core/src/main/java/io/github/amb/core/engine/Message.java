package io.github.amb.core.engine;

import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * A message between ranks: a kind, the step it belongs to, a few numbers and a payload of floats.
 *
 * <p>Messages are reused. {@link #reset} keeps the arrays, and {@link #ensureCapacity} grows the
 * payload only if it is too small. A receiving engine may replace the payload array instead of
 * copying, so call {@link #values} again after every receive.
 *
 * <p>An engine may lend memory of its own. The message returns it as soon as its content is copied
 * to an array, replaced or {@linkplain #release released}.
 */
public final class Message {
  /** The kind of a message. The order is part of the wire format: append only. */
  public enum Kind {
    /** A rank is ready. The master waits for one from every worker before the first step. */
    READY,
    /** Master to worker: parameters at the start of {@link Message#step}. */
    PARAMETERS,
    /** Worker to master: gradient sum over {@link Message#examples} examples. */
    GRADIENT,
    /**
     * Master to worker: no further step follows. A worker that does not wait replies with the same
     * kind.
     */
    STOP,
    /**
     * Worker to master: the parameters of {@link Message#step} have been received, or the
     * computation at them has been abandoned.
     */
    TAKEN,
    /** Worker to master: parameters received minus parameters after local updates. */
    DELTA,
    /** Worker to master: number of local iterations so far, and seconds that the last one took. */
    QUERY,
    /** Master to worker: the number of local iterations after which to push. */
    ASSIGNMENT,
    /** Worker to master: the state that the worker keeps between steps. */
    STATE,
    /**
     * Worker to master: the settings that the worker was started with, which the master compares.
     */
    HELLO,
    /** Master to worker: the settings match; the state from which the worker resumes. */
    WELCOME,
    /** Master to worker: the settings do not match; the payload is the reason. */
    REJECTED,
    /** Has the number of messages that the sender has sent to the receiver in this generation. */
    COUNT,
    /** Master to worker: compute another gradient at the parameters that you have. */
    AGAIN,
    /** Worker to worker: the sender's estimate of what all workers agree on. */
    ESTIMATE,
    /** Master to worker: a vector that the worker adds to its gradients. */
    SHIFT,
    /** A slice of a vector of {@link Message#count} values: of parameters, or of a sum. */
    SLICE,
    /** Worker to worker: a slice of a gradient, for the receiver to add to those of others. */
    ADDEND
  }

  /** Maximum number of stats in a message. */
  public static final int MAX_STATS = 12;

  /** Number of {@link #numbers}. */
  public static final int NUMBERS = MAX_STATS + 4;

  private static final float[] EMPTY = {};

  private Kind kind = Kind.READY;
  private int source = -1;
  private long step;
  private long examples;
  private long count;
  private long number;
  private int nonFiniteFrom;
  private boolean stateWanted;
  private final double[] stats = new double[MAX_STATS];
  private float[] values = EMPTY;
  private FloatBuffer view = FloatBuffer.wrap(EMPTY);
  private Loan loan;
  private int length;
  private boolean reduced;
  private final Result result = new Result(this);
  private final ParametersHeader parameters = new ParametersHeader(this);
  private final LocalIterations iterations = new LocalIterations(this);
  private final Estimate estimate = new Estimate(this);

  /** Memory that an engine lends to a message. */
  public interface Loan {
    /** The memory, which starts with the payload. Every call returns the same object. */
    FloatBuffer floats();

    /** Returns the memory. Called once per loan, by any thread. */
    void end();
  }

  /** Starts a new message in this message: no examples, stats of zero, empty payload. */
  public Message reset(Kind kind, long step) {
    release();
    this.kind = kind;
    this.step = step;
    examples = 0;
    length = 0;
    reduced = false;
    count = 0;
    number = 0;
    nonFiniteFrom = 0;
    stateWanted = false;
    Arrays.fill(stats, 0);
    return this;
  }

  /** Starts a message in this message with the header of {@code other}, and an empty payload. */
  public Message resetLike(Message other) {
    reset(other.kind, other.step);
    source = other.source;
    counts(other);
    reduced = other.reduced;
    count = other.count;
    number = other.number;
    nonFiniteFrom = other.nonFiniteFrom;
    stateWanted = other.stateWanted;
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

  /** The step of the master that this message belongs to. */
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

  /**
   * Stat number {@code index}, from 0 to {@link #MAX_STATS} − 1. For engines, which put all stats
   * on the wire; everybody else reads them by name.
   */
  public double stat(int index) {
    return stats[index];
  }

  /** Sets number {@code index}; see {@link #stat(int)}. */
  public void stat(int index, double value) {
    stats[index] = value;
  }

  /** Sets the number of examples and all stats to those of another message. */
  public void counts(Message other) {
    examples = other.examples;
    System.arraycopy(other.stats, 0, stats, 0, MAX_STATS);
  }

  /** The numbers of a {@link Kind#GRADIENT} or {@link Kind#DELTA} by name; always the same view. */
  public Result asResult() {
    return result;
  }

  /** The numbers of {@link Kind#PARAMETERS} by name; always the same view. */
  public ParametersHeader asParameters() {
    return parameters;
  }

  /**
   * The numbers of a {@link Kind#QUERY} or {@link Kind#ASSIGNMENT} by name; always the same view.
   */
  public LocalIterations asIterations() {
    return iterations;
  }

  /** The numbers of an {@link Kind#ESTIMATE} by name; always the same view. */
  public Estimate asEstimate() {
    return estimate;
  }

  /** Whether this is a worker's result: a gradient or a change of parameters. */
  public boolean isResult() {
    return kind == Kind.GRADIENT || kind == Kind.DELTA;
  }

  /** In messages from the master: whether the worker sends its state before it continues. */
  public boolean isStateWanted() {
    return stateWanted;
  }

  /** Sets whether the worker sends its {@link Kind#STATE}. */
  public void stateWanted(boolean wanted) {
    stateWanted = wanted;
  }

  /**
   * The message's place among all that its sender sends to the same rank, from 1, or among its
   * broadcasts, from −1 down; set by {@link DuplicateFilter}.
   */
  public long number() {
    return number;
  }

  /** Sets the message's place; see {@link #number()}. */
  public void number(long place) {
    number = place;
  }

  /**
   * In a {@link Kind#COUNT}: how many messages its sender has sent to its receiver. In a message
   * with a slice of a vector, or without the vector that others have slices of: the vector's
   * length.
   */
  public long count() {
    return count;
  }

  /** Sets {@link #count()}; returns this message. */
  public Message count(long count) {
    this.count = count;
    return this;
  }

  /**
   * In the message that has a {@linkplain #reduce reduced} payload: the worker that its first entry
   * is attributed to which is not finite; 0 if all are finite.
   */
  public int nonFiniteFrom() {
    return nonFiniteFrom;
  }

  /** Sets the worker that the first entry which is not finite is attributed to. */
  public void nonFiniteFrom(int rank) {
    nonFiniteFrom = rank;
  }

  /**
   * All of the header but kind, source, step and examples, as checkpoints keep it: the stats, then
   * {@link #count}, {@link #number}, {@link #nonFiniteFrom} and {@link #isStateWanted}. A copy.
   */
  public double[] numbers() {
    double[] numbers = Arrays.copyOf(stats, NUMBERS);
    numbers[MAX_STATS] = count;
    numbers[MAX_STATS + 1] = number;
    numbers[MAX_STATS + 2] = nonFiniteFrom;
    numbers[MAX_STATS + 3] = stateWanted ? 1 : 0;
    return numbers;
  }

  /** Sets what {@link #numbers} has returned; not modified. */
  public void numbers(double[] numbers) {
    System.arraycopy(numbers, 0, stats, 0, MAX_STATS);
    count = (long) numbers[MAX_STATS];
    number = (long) numbers[MAX_STATS + 1];
    nonFiniteFrom = (int) numbers[MAX_STATS + 2];
    stateWanted = numbers[MAX_STATS + 3] != 0;
  }

  /**
   * The payload as an array, of which the first {@link #length} entries are valid. Not a copy,
   * unless the payload is in memory of an engine; that is copied and returned to the engine.
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
   * The payload in place; the first {@link #length} floats are valid. Valid until the message is
   * released, reset or received into. Write to it only if the memory was {@linkplain
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

  /**
   * The memory that an engine has lent for the payload, or null if the payload is in the message's
   * array.
   */
  public Loan loan() {
    return loan;
  }

  /**
   * Returns lent memory to the engine; the payload is empty afterwards. Without a loan, nothing
   * changes.
   */
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

  /**
   * Makes the first {@code length} floats of an engine's memory the payload; the message keeps its
   * array.
   */
  public void borrow(Loan memory, int length) {
    release();
    loan = memory;
    this.length = length;
  }

  /**
   * Lets the payload be summed with those of all other workers for the same step, on the way to the
   * master. All workers must do so, and only if {@link Communicator#reduces}. The master receives
   * one message per worker, with the worker's own stats. The last message has the sum as its
   * payload, added entry by entry in the order of ranks; the others have none.
   *
   * @return this message
   */
  public Message reduce() {
    reduced = true;
    return this;
  }

  /** Whether the payload is a sum formed on the way, or part of one. */
  public boolean isReduced() {
    return reduced;
  }

  /** Number of floats in the payload. */
  public int length() {
    return length;
  }

  /**
   * Makes room for a payload and sets its length; the entries are unspecified.
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
   * @param length number of floats in the payload
   * @return the replaced array, for reuse
   */
  public float[] exchange(float[] values, int length) {
    release();
    float[] old = this.values;
    this.values = values;
    this.length = length;
    return old;
  }

  /**
   * Multiplies entries of the payload.
   *
   * @param from index of the first entry
   * @param to index after the last entry
   * @throws IllegalStateException if the payload is a sum with those of other workers
   */
  public void multiply(int from, int to, float factor) {
    if (reduced) {
      throw new IllegalStateException(
          "expected the payload of one worker, found a sum; its scheme must not say that it sumsGradients");
    }
    float[] entries = values();
    for (int i = from; i < to; i++) {
      entries[i] *= factor;
    }
  }

  /** Moves everything, source included, to {@code into}. The two messages exchange their arrays. */
  public void moveTo(Message into) {
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
