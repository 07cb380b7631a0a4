package io.github.amb.core.scheme.context;

import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.Result;
import io.github.amb.core.update.MasterUpdate;
import io.github.amb.core.update.NonFiniteGradientException;
import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * The gradient sums of one update: added up per worker as they come, handed out in rank order, so
 * that the update does not depend on the order of arrival among workers. A result without examples
 * has been dropped. Its values are not used: zeros would have a vote.
 */
public final class Gathering {
  private final Message[] messages;
  private final boolean[] present;
  private final FloatBuffer[] sums;
  private final int[] ranks;
  private final int[] origins;
  private int results;
  private boolean closed;
  private int contributors;
  private FloatBuffer copy;
  private boolean copied;
  private FloatBuffer replacement;

  /**
   * @param workers whose results are gathered, n
   */
  public Gathering(int workers) {
    messages = new Message[workers];
    present = new boolean[workers];
    sums = new FloatBuffer[workers];
    ranks = new int[workers];
    origins = new int[workers];
    Arrays.setAll(messages, worker -> new Message());
  }

  /**
   * Takes a result, and the message with it.
   *
   * @return a message for the caller to use in its place
   */
  public Message take(Message result) {
    results++;
    int worker = result.source() - 1;
    Message held = messages[worker];
    if (present[worker] && held.examples() > 0) {
      if (result.examples() > 0) {
        add(held, result);
      }
      return result;
    }
    present[worker] = true;
    messages[worker] = result;
    return held;
  }

  private static void add(Message sum, Message result) {
    float[] total = sum.values();
    float[] values = result.values();
    for (int i = 0; i < result.length(); i++) {
      total[i] += values[i];
    }
    Result both = sum.asResult();
    both.firstExample(Math.min(both.firstExample(), result.asResult().firstExample()));
    sum.examples(sum.examples() + result.examples());
    both.lossSum(both.lossSum() + result.asResult().lossSum());
  }

  /** Results taken. */
  int results() {
    return results;
  }

  /** Examples in all results. */
  public long examples() {
    long examples = 0;
    for (int worker = 0; worker < messages.length; worker++) {
      examples += present[worker] ? messages[worker].examples() : 0;
    }
    return examples;
  }

  /** Sum of all examples' losses. */
  double lossSum() {
    double sum = 0;
    for (int worker = 0; worker < messages.length; worker++) {
      sum += present[worker] ? messages[worker].asResult().lossSum() : 0;
    }
    return sum;
  }

  /**
   * Lines up what has been taken.
   *
   * @return false if it was lined up before
   */
  public boolean close() {
    if (closed) {
      return false;
    }
    closed = true;
    contributors = 0;
    for (int worker = 0; worker < messages.length; worker++) {
      if (present[worker]) {
        ranks[contributors] = worker + 1;
        contributors++;
      }
    }
    return true;
  }

  /** Number of workers that results came from. */
  public int contributors() {
    return contributors;
  }

  /** Number of workers whose results have examples. */
  public int withExamples() {
    int count = 0;
    for (int i = 0; i < contributors; i++) {
      count += message(i).examples() > 0 ? 1 : 0;
    }
    return count;
  }

  /**
   * Lines up one sum per contributor with examples, in rank order, and whom it came from; or one
   * sum alone that the engine has formed of them. If none has examples, all are lined up. Not
   * copies; valid until {@link #release}.
   *
   * @return how many sums there are
   */
  private int lineUp() {
    if (replacement != null) {
      sums[0] = replacement;
      origins[0] = ranks[0];
      return 1;
    }
    int count = 0;
    boolean empty = examples() == 0;
    for (int i = 0; i < contributors; i++) {
      Message result = message(i);
      if (result.isReduced() ? result.length() > 0 : result.examples() > 0 || empty) {
        sums[count] = result.payload();
        origins[count] = result.isReduced() ? result.nonFiniteFrom() : ranks[i];
        count++;
      }
    }
    return count;
  }

  /**
   * Updates {@code parameters} with the sums divided by {@code divisor}, and gives back the sums'
   * memory; counts and numbers stay.
   *
   * @param parameters the flat vector; modified
   */
  void apply(MasterUpdate update, float[] parameters, long divisor, double learningRate) {
    int count = lineUp();
    try {
      update.apply(parameters, copy, sums, origins, count, divisor, learningRate);
    } catch (NonFiniteGradientException e) {
      Result result = messages[e.rank() - 1].asResult();
      throw e.of(result.firstExample(), result.examples());
    }
    copied = copy != null && divisor > 0; // Else there was no update.
    release();
  }

  /**
   * Lets the next update write new parameters to a second place as well.
   *
   * @param copy may be null
   */
  void copyTo(FloatBuffer copy) {
    this.copy = copy;
    copied = false;
  }

  /** Lets the next update use a sum in place of those gathered. */
  void replaceBy(FloatBuffer sum) {
    replacement = sum;
  }

  /** Whether an update has written to the second place. */
  boolean copied() {
    return copied;
  }

  /** The result of contributor {@code index}, from 0, in the order of ranks. */
  public Result result(int index) {
    return message(index).asResult();
  }

  private Message message(int index) {
    return messages[ranks[index] - 1];
  }

  /** Gives back the memory of the sums, which an update has used; counts and numbers stay. */
  private void release() {
    for (int i = 0; i < contributors; i++) {
      message(i).release();
    }
  }

  /** Starts the next update's gathering. */
  void clear() {
    Arrays.fill(present, false);
    results = 0;
    closed = false;
    replacement = null;
  }
}
