package io.github.amb.core.scheme.context;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.Result;
import io.github.amb.core.engine.Uplink;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.update.MasterUpdate;
import java.nio.FloatBuffer;
import java.util.BitSet;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.LongToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The verbs of a scheme's master. A step sends parameters, gathers results, updates and records:
 *
 * <pre>{@code
 * while (master.nextStep()) {
 *   master.broadcast();
 *   master.gather(master.workers());
 *   master.update();
 *   master.record();
 * }
 * }</pre>
 *
 * <p>A worker is busy from when parameters are sent to it until its result has come, and idle else.
 * Only idle workers are sent parameters. Used by the master's thread alone.
 */
public final class Master {
  private final MasterContext context;
  private final Communicator communicator;
  private final WorkerLinks links;
  private final Gathering gathering;
  private final Traffic traffic;
  private MasterProgress progress;
  private Message inbox = new Message();
  private double learningRate;
  private double timeLimit;
  private long start;
  private double sendTime;
  private long first;
  private long gathered;
  private double updateTime;
  private long examples;

  /**
   * @param uplink what the workers send
   */
  public Master(MasterContext context, Communicator communicator, Uplink uplink) {
    this.context = context;
    this.communicator = communicator;
    links = new WorkerLinks(context, communicator, uplink);
    gathering = new Gathering(links.workers);
    traffic = new Traffic(communicator);
  }

  /** Number of workers, n. They have the ranks 1 to n. */
  public int workers() {
    return links.workers;
  }

  /** What the run gave this master: its parameters, update rule, clock and state. */
  public MasterContext context() {
    return context;
  }

  /** Carries messages that have no verb. */
  public Communicator communicator() {
    return communicator;
  }

  /** The update under way, from 1. */
  public long step() {
    return progress.step() + 1;
  }

  /** The schedule's learning rate for this step. */
  public double learningRate() {
    return learningRate;
  }

  /** Seconds since this step began. */
  public double stepTime() {
    return Clock.seconds(start, context.clock().now());
  }

  /**
   * Begins the next step, unless training is over. The first call waits until all workers are
   * ready. The last one evaluates the parameters, tells all workers, and drops what still comes.
   *
   * @return whether there is a step
   */
  public boolean nextStep() {
    if (progress == null) {
      links.awaitReady();
      context.state().roundBegins();
      progress = new MasterProgress(context);
      context.state().register("traffic", traffic);
    }
    if (progress.over()) {
      progress.finish();
      links.stop(progress);
      return false;
    }
    gathering.clear();
    start = context.clock().now();
    learningRate = progress.learningRate();
    return true;
  }

  /**
   * Sets what {@link #broadcast()} sends in place of parameters from now on.
   *
   * @param values not modified; empty for none
   */
  void sendInstead(float[] values) {
    links.sendInstead(values);
  }

  /** Sets the time limit that goes with parameters, in seconds; infinite for no limit. */
  public void timeLimit(double seconds) {
    timeLimit = seconds;
  }

  /**
   * Sends the newest parameters to every idle worker: to all of them at once if all are idle.
   *
   * @return the ranks that parameters were sent to; valid until the next sending
   */
  public BitSet broadcast() {
    return send(links::isIdle);
  }

  /** As {@link #broadcast()}, to those idle workers alone that {@code may} have them. */
  public BitSet broadcast(IntPredicate may) {
    return send(rank -> links.isIdle(rank) && may.test(rank));
  }

  /**
   * As {@link #broadcast()}, and to busy workers whose parameters are {@code age} updates old or
   * older. Such a worker abandons its computation, see {@link Worker#restartWhenRenewed}. It is
   * left out while as many sets are on their way to it as {@link Communicator#room} admits.
   *
   * @param age in updates; {@link Long#MAX_VALUE} for idle workers alone
   */
  public BitSet broadcast(long age) {
    return send(rank -> links.isIdle(rank) || links.isOutdated(rank, step(), age));
  }

  private BitSet send(IntPredicate whom) {
    links.header(learningRate, timeLimit);
    BitSet sent = links.send(step(), whom);
    if (gathering.results() == 0) {
      sendTime = stepTime();
    }
    return sent;
  }

  /**
   * Lets an idle worker compute another gradient at the parameters that it was sent last. See
   * {@link Worker#keepParameters}.
   */
  public void again(int rank) {
    links.again(rank);
  }

  /**
   * Sends the newest parameters to workers that never wait. A worker that has too many sets on
   * their way is sent the newest as soon as it has taken one. See {@link Worker#takeNewest} and
   * {@link Communicator#window}.
   */
  public void offer() {
    links.offer(step());
    sendTime = stepTime();
  }

  /**
   * Gathers results at the newest parameters. One at older parameters is dropped, and its worker is
   * sent the newest. Not after {@link #offer}: its workers are not idle; use {@link #gatherAny}.
   *
   * @param results how many
   * @return one sum per worker, in the order of ranks; valid until the next step
   */
  public Gathering gather(int results) {
    while (gathering.results() < results) {
      receive();
    }
    return gathered();
  }

  /** As {@link #gather}, whatever parameters the results were computed at. */
  public Gathering gatherAny(int results) {
    return gatherAny(results, Clock.NEVER);
  }

  /**
   * As {@link #gatherAny(int)}, for some time, but at least one result.
   *
   * @param nanos from now; {@link Clock#NEVER} for no limit
   */
  public Gathering gatherAny(int results, long nanos) {
    long now = context.clock().now();
    long deadline = nanos == Clock.NEVER ? Clock.NEVER : now + nanos;
    while (gathering.results() < results
        && (gathering.results() == 0 || context.clock().now() < deadline)) {
      boolean come = links.receive(inbox, gathering.results() == 0 ? Clock.NEVER : deadline, null);
      if (come) {
        take();
      }
    }
    return gathered();
  }

  /**
   * Waits for the next result, whatever parameters it was computed at, and gathers it.
   *
   * @return the result; valid until the next one
   */
  public Result receiveAny() {
    links.await(inbox);
    return take();
  }

  /**
   * As {@link #receiveAny()}; multiplies the result, but for running statistics.
   *
   * @param weight of a result at parameters of so many updates ago
   * @param deadline by the clock; {@link Clock#NEVER} for none
   * @return null if the deadline passed first
   */
  public Result receiveAny(LongToDoubleFunction weight, long deadline) {
    if (!links.receive(inbox, deadline, null)) {
      return null;
    }
    weigh(inbox, weight.applyAsDouble(progress.staleness(inbox)), context.update().layout());
    return take();
  }

  /** Multiplies a result's entries but for running statistics. */
  public static void weigh(Message result, double weight, Layout layout) {
    for (Block block : layout.blocks()) {
      if (block.kind() != Block.Kind.RUNNING_STATISTIC) {
        result.multiply(block.offset(), block.end(), (float) weight);
      }
    }
  }

  /** Number of workers that are not busy. */
  public int idle() {
    return (int) IntStream.rangeClosed(1, workers()).filter(links::isIdle).count();
  }

  /** Whether a worker is not busy. */
  public boolean isIdle(int rank) {
    return links.isIdle(rank);
  }

  /**
   * Waits for the next result at the newest parameters, as {@link #gather} does, and gathers it.
   * Not after {@link #offer}: its workers are not idle; use {@link #gatherAny}.
   *
   * @return the result; valid until the next one
   * @throws IllegalStateException after {@link #offer}
   */
  public Result receive() {
    return receive(0, null);
  }

  /**
   * As {@link #receive()}, at parameters that are at most {@code delay} updates old.
   *
   * @param delay 0 for the newest parameters alone
   * @param reports takes messages that are no results; null if none is expected
   */
  public Result receive(long delay, Consumer<? super Message> reports) {
    return receive(delay, reports, Clock.NEVER, true);
  }

  /**
   * As {@link #receive()}, but the worker of a result that is dropped stays idle.
   *
   * @param deadline by the clock; {@link Clock#NEVER} for none
   * @return null if the deadline passed first
   */
  public Result receiveUntil(long deadline) {
    return receive(0, null, deadline, false);
  }

  private Result receive(
      long delay, Consumer<? super Message> reports, long deadline, boolean again) {
    links.expectNoOffer();
    while (links.receive(inbox, deadline, reports)) {
      if (progress.staleness(inbox) <= delay) {
        return take();
      }
      progress.dropped(inbox);
      if (again && links.isIdle(inbox.source())) { // Else it has been sent newer parameters.
        links.send(inbox.source(), step());
      }
    }
    return null;
  }

  private Result take() {
    Result result = inbox.asResult();
    first = gathering.results() == 0 ? context.clock().now() : first;
    progress.used(result, links.waitTime(result.source()));
    StaleStatistics.weaken(inbox, progress.staleness(inbox), context.update().layout());
    inbox = gathering.take(inbox);
    return result;
  }

  /** Number of results gathered in this step. */
  public int results() {
    return gathering.results();
  }

  /**
   * Ends the gathering of this step, which an update needs.
   *
   * @return what has been gathered, one sum per worker; valid until the next step
   */
  public Gathering gathered() {
    if (gathering.close()) {
      gathered = context.clock().now();
      progress.collected(gathering.results(), Clock.seconds(first, gathered), gathering.examples());
    }
    return gathering;
  }

  /** Updates with the sum of what has been gathered, divided by the number of its examples. */
  public void update() {
    update(gathered().examples());
  }

  /**
   * Updates with the sum of what has been gathered.
   *
   * @param examples what the sum is divided by, and how many examples count; with 0 the parameters
   *     stay as they are
   */
  public void update(long examples) {
    update(context.update(), examples, learningRate, examples);
  }

  /**
   * Updates with a mean gradient that a scheme has formed, if examples have been gathered.
   *
   * @param mean the flat vector; not modified
   */
  public void update(FloatBuffer mean) {
    long examples = gathered().examples();
    replaceBy(mean);
    update(context.update(), Math.min(1, examples), learningRate, examples);
  }

  /** Lets this step's update use a sum in place of what has been gathered. */
  void replaceBy(FloatBuffer sum) {
    gathered();
    gathering.replaceBy(sum);
  }

  /** Multiplies the learning rate of this step's update. */
  public void scaleRate(double factor) {
    learningRate *= factor;
  }

  /**
   * Updates by another rule.
   *
   * @param divisor what the sum of what has been gathered is divided by
   * @param rate the rule's learning rate
   * @param examples how many examples count
   */
  void update(MasterUpdate rule, long divisor, double rate, long examples) {
    gathered().copyTo(links.prepare(step() + 1));
    gathering.apply(rule, context.parameters(), divisor, rate);
    log(StepRecord.GRADIENT_NORM, rule.gradientNorm());
    links.prepared(gathering.copied());
    progress.updated(examples);
    this.examples = examples;
    updateTime = Clock.seconds(gathered, context.clock().now());
  }

  /** Records the update, offers its parameters for evaluation and for a checkpoint. */
  public void record() {
    progress.record(
        gathering.lossSum(),
        learningRate,
        examples,
        new MasterProgress.Cost(updateTime, sendTime, traffic.sent(), traffic.received()));
    sendTime = 0;
  }

  /**
   * Puts a number of the scheme into the record of the next update, for consoles, figures ({@code
   * NAME_vs_step}) and exports. A second one of the same name takes the first one's place; what is
   * not finite is left out.
   *
   * @param name of letters a to z, digits and underscores
   * @throws IllegalArgumentException if it is something else
   */
  public void log(String name, double value) {
    progress.log(name, value);
  }
}
