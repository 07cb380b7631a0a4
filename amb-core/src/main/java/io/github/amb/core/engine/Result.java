package io.github.amb.core.engine;

/**
 * What a worker sends back in a step, a gradient sum or a change of parameters: a view of a {@link
 * Message} that names the numbers beside its payload. Times are seconds.
 *
 * <p>The places of the numbers in the message are part of the wire format: append only.
 */
public record Result(Message message) {
  private static final int LOSS_SUM = 0;
  private static final int PARTITIONS = 1;
  private static final int SLEEP_TIME = 2;
  private static final int COMPUTE_TIME = 3;
  private static final int LAST_SEND = 4;
  private static final int LAST_RECEIVE = 5;
  private static final int LAST_EXIT = 6;
  private static final int EXHAUSTED = 7;
  private static final int LOCAL_STEPS = 8;
  private static final int FIRST_EXAMPLE = 9;

  /** The worker. */
  public int source() {
    return message.source();
  }

  /** Number of examples that the payload sums over. */
  public long examples() {
    return message.examples();
  }

  /** Sum of the examples' losses. */
  public double lossSum() {
    return message.stat(LOSS_SUM);
  }

  /** Sets {@link #lossSum()}. */
  public void lossSum(double sum) {
    message.stat(LOSS_SUM, sum);
  }

  /** Partitions processed. */
  public int partitions() {
    return (int) message.stat(PARTITIONS);
  }

  /** Sets {@link #partitions()}. */
  public void partitions(int count) {
    message.stat(PARTITIONS, count);
  }

  /** Induced delay. */
  public double sleepTime() {
    return message.stat(SLEEP_TIME);
  }

  /** Sets {@link #sleepTime()}. */
  public void sleepTime(double seconds) {
    message.stat(SLEEP_TIME, seconds);
  }

  /** Start of the step to the end of the computation, induced delay included. */
  public double computeTime() {
    return message.stat(COMPUTE_TIME);
  }

  /** Sets {@link #computeTime()}. */
  public void computeTime(double seconds) {
    message.stat(COMPUTE_TIME, seconds);
  }

  /** Sending the last result; −1 if there was none. */
  public double lastSend() {
    return message.stat(LAST_SEND);
  }

  /** End of that send until the next parameters had come; −1 if there was none. */
  public double lastReceive() {
    return message.stat(LAST_RECEIVE);
  }

  /** From then until the computation started; −1 if there was none. */
  public double lastExit() {
    return message.stat(LAST_EXIT);
  }

  /** Sets the times of the last result, which are known only after it was sent. */
  public void last(double send, double receive, double exit) {
    message.stat(LAST_SEND, send);
    message.stat(LAST_RECEIVE, receive);
    message.stat(LAST_EXIT, exit);
  }

  /** Whether a time limit was set and the batch ran out before it. */
  public boolean isExhausted() {
    return message.stat(EXHAUSTED) != 0;
  }

  /** Notes that a time limit was set and the batch ran out before it. */
  public void exhausted() {
    message.stat(EXHAUSTED, 1);
  }

  /** Local updates in a change of parameters. */
  public int localSteps() {
    return (int) message.stat(LOCAL_STEPS);
  }

  /** Sets {@link #localSteps()}. */
  public void localSteps(int count) {
    message.stat(LOCAL_STEPS, count);
  }

  /**
   * Place of the first example in the worker's order, from 0; −1 if the examples are not one after
   * the other there.
   */
  public long firstExample() {
    return (long) message.stat(FIRST_EXAMPLE);
  }

  /** Sets {@link #firstExample()}. */
  public void firstExample(long place) {
    message.stat(FIRST_EXAMPLE, place);
  }
}
