package io.github.amb.core.scheme.context;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Message;
import io.github.amb.core.state.StateVisitor;
import io.github.amb.core.update.UpdateRule;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * The verbs of a scheme's worker, which receives parameters, computes and sends a result:
 *
 * <pre>{@code
 * while (worker.receive()) {
 *   worker.computeBatch();
 *   worker.send();
 * }
 * }</pre>
 *
 * <p>A batch may be computed partition by partition instead: {@link #begin}, {@link
 * #computePartition} while {@link #hasTime}. A worker that updates parameters itself has a {@link
 * LocalModel}. Used by the worker's thread alone.
 */
public final class Worker {
  private final WorkerContext context;
  private final Communicator communicator;
  private final BatchPolicy policy;
  private final boolean summed;
  private final BatchComputation batch;
  private final ResultSender result;
  private final NewestParameters newest;
  private Message parameters = new Message();
  private Message spare = new Message();
  private boolean keeps;
  private boolean renewed;
  private boolean ready;
  private boolean numbers;
  private long batches;
  private boolean waits;
  private boolean computing;

  /**
   * @param policy how a batch is cut into partitions
   * @param summed whether gradients may be added up on their way to the master
   */
  public Worker(
      WorkerContext context, Communicator communicator, BatchPolicy policy, boolean summed) {
    this.context = context;
    this.summed = summed;
    this.communicator = communicator;
    this.policy = policy;
    batch = new BatchComputation(context, policy);
    result = new ResultSender(context, communicator);
    newest = new NewestParameters(communicator, context.clock());
  }

  /** What the run gave this worker: its rank, examples, clock and state. */
  public WorkerContext context() {
    return context;
  }

  /**
   * From now on numbers batches in the order in which this worker computes them, and not by the
   * step: for workers that compute several batches per step. Called before parameters are received.
   */
  public void numberBatches() {
    numbers = true;
    context.state().register("batches", state -> batches = state.integer("number", batches));
  }

  /**
   * Waits for the next parameters. The first call says that this worker is ready.
   *
   * @return false if training is over
   */
  public boolean receive() {
    return receive(order -> {});
  }

  /** As {@link #receive()}. {@code orders} takes what else the master sends. */
  public boolean receive(Consumer<? super Message> orders) {
    announce();
    context.state().roundBegins();
    waits = !keeps;
    while (!renewed) {
      Message next = keeps ? spare : parameters;
      communicator.receive(Communicator.MASTER, next, Clock.NEVER);
      if (next.kind() == Message.Kind.PARAMETERS || next.kind() == Message.Kind.STOP) {
        renew(next);
      } else if (keeps && next.kind() == Message.Kind.AGAIN) {
        renewed = true;
      } else {
        orders.accept(next);
      }
    }
    renewed = false;
    result.received();
    return parameters.kind() == Message.Kind.PARAMETERS;
  }

  private void renew(Message newer) {
    renewed = true;
    if (newer == spare) {
      spare = parameters;
      parameters = newer;
      spare.release();
    }
  }

  /**
   * From now on parameters outlive the batch that is computed at them: the master may let this
   * worker {@linkplain Master#again compute at them again}, or {@linkplain Master#broadcast(long)
   * renew} them during a batch. Numbers batches. Called before parameters are received.
   */
  public void keepParameters() {
    numberBatches();
    keeps = true;
    context.state().registerOfRounds("taken", this::visitTaken);
  }

  /**
   * As {@link #keepParameters}. From now on a batch of {@link #computeBatch()} is given up as soon
   * as newer parameters come or training is over: at once on the virtual cluster, before the next
   * partition else. The master is told, {@link #send} does nothing, and {@link #receive} returns at
   * once.
   */
  public void restartWhenRenewed() {
    keepParameters();
    batch.interruptible(this::waitUnlessRenewed);
  }

  private boolean waitUnlessRenewed(long nanos) {
    long until = context.clock().now() + nanos;
    if (!renewed && communicator.receive(Communicator.MASTER, spare, until)) {
      renew(spare);
    }
    return !renewed;
  }

  private void announce() {
    if (!ready) {
      ready = true;
      result.ready();
    }
  }

  /**
   * Takes the newest parameters that have come, without waiting; the first call waits for some. The
   * batch under way continues at them and keeps its sum. The master is told what has been taken,
   * and when this worker has sent its last result. For masters that {@link Master#offer}.
   *
   * @return false if training is over; the batch under way is given up then
   */
  public boolean takeNewest() {
    if (!ready) {
      keepParameters();
      announce();
    }
    if (!computing) {
      context.state().roundBegins();
    }
    Message before = parameters;
    parameters = newest.take(before);
    if (!computing) {
      result.received();
    } else if (newest.over()) {
      computing = false;
      batch.giveUp();
    } else if (parameters != before) {
      batch.continueAt(parameters.payload());
    }
    return !newest.over();
  }

  /** The parameters that were taken last, at which the next batch begins if none have come. */
  private void visitTaken(StateVisitor state) {
    if (state.has("renewed")) {
      renewed = state.integer("renewed", renewed ? 1 : 0) == 1;
    }
    long now = parameters.step();
    long step = state.integer("step", now);
    float[] values = Arrays.copyOf(parameters.values(), parameters.length());
    float[] saved = state.anyFloats("values", values);
    if (step != now) {
      parameters.reset(Message.Kind.PARAMETERS, step).exchange(saved, saved.length);
    }
  }

  /** The step of the parameters, from 1. */
  public long step() {
    return parameters.step();
  }

  /** The parameters, from index 0 on; not to be modified. */
  public FloatBuffer parameters() {
    return parameters.payload();
  }

  /** Whether parameters came with the message that the step begins with. */
  boolean hasParameters() {
    return parameters.length() > 0;
  }

  float[] parameterValues() {
    return parameters.values();
  }

  /** The learning rate that came with the parameters, for local updates. */
  public double learningRate() {
    return parameters.asParameters().learningRate();
  }

  /** The time limit that came with the parameters, in nanoseconds. */
  public long timeLimit() {
    return Clock.nanos(parameters.asParameters().timeLimit());
  }

  /** Computes the gradient sum over the next batch, however long it takes. */
  public void computeBatch() {
    computeBatch(numbers ? ++batches : step());
  }

  /**
   * As {@link #computeBatch()}, for workers that compute several batches per step.
   *
   * @param number of the batch; names its random streams
   */
  public void computeBatch(long number) {
    begin(number, Clock.NEVER);
    do {
      computePartition();
    } while (!renewed && hasTime());
    if (renewed) {
      computing = false;
      batch.giveUp();
      spare.reset(Message.Kind.TAKEN, spare.step());
      communicator.send(Communicator.MASTER, spare, Clock.NEVER);
    }
  }

  /**
   * Begins a gradient sum over the next batch, with an induced delay.
   *
   * @param number of the batch; names its random streams
   * @param nanos time limit from now on, induced delay included; {@link Clock#NEVER} for none
   */
  public void begin(long number, long nanos) {
    FloatBuffer sum =
        result.beginInPlace(Message.Kind.GRADIENT, parameters.step(), parameters.length());
    if (summed && communicator.reduces(parameters.length())) {
      result.reduce();
    }
    batch.begin(parameters.payload(), number, sum, true, nanos);
    computing = true;
  }

  /**
   * Begins a gradient sum over the next batch, for workers that never wait. It is numbered in the
   * order in which this worker computes.
   *
   * @param nanos as in {@link #begin(long, long)}
   */
  public void beginNext(long nanos) {
    batches++;
    begin(batches, nanos);
  }

  /** Adds the gradients of the batch's next partition to the sum. */
  public void computePartition() {
    batch.computePartition();
  }

  /** Whether neither the batch nor its time limit is exhausted. */
  public boolean hasTime() {
    return batch.hasTime();
  }

  /** Sends the gradient sum and logs it. Does nothing if the batch was given up. */
  public void send() {
    if (!computing) {
      return;
    }
    computing = false;
    batch.end();
    if (waits) {
      parameters.release();
    }
    result.add(batch, 1);
    result.send();
  }

  /** This worker's computations on parameters of its own. */
  public LocalModel localModel() {
    return new LocalModel(this, communicator, batch, result);
  }

  /** This worker as a node of a graph, which agrees with its neighbors. */
  public GraphNode node(Graph graph) {
    return new GraphNode(context, communicator, batch, result, graph);
  }

  /**
   * This worker as a node that meets another one after local steps.
   *
   * @param outer the rule of its outer steps
   * @param learningRate of the outer steps, whatever that of local steps is
   */
  public PairNode pairNode(UpdateRule outer, double learningRate) {
    return new PairNode(this, communicator, outer, learningRate);
  }

  /** The batches of another worker, which this one computes in its place. */
  public BatchComputation inPlaceOf(int rank) {
    return new BatchComputation(context.inPlaceOf(rank), policy);
  }

  /** A result that a scheme puts together itself: values, then what they are made of. */
  public ResultSender result() {
    return result;
  }
}
