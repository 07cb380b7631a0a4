package io.github.amb.core.scheme.context;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.Work;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Fragments;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;
import io.github.amb.core.update.NonFiniteGradientException;
import io.github.amb.core.update.NonFiniteParametersException;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A worker's own copy of the parameters, which it updates with its own update rule. What the
 * updates changed, {@code Δ = w_received − w_local}, is an outer gradient.
 */
public final class LocalModel implements Checkpointed {
  /** Gives no step up. */
  public static final BooleanSupplier TO_THE_END = () -> false;

  private final Worker worker;
  private final WorkerContext context;
  private final Communicator communicator;
  private final BatchComputation batch;
  private final ResultSender result;
  private final float[] local;
  private final FloatBuffer localView;
  private final FloatBuffer[] gradients;
  private final int[] ranks;
  private final Message report = new Message();
  private final Message order = new Message();
  private float[] change;
  private double pull;
  private float[] shift;
  private long batches;
  private int steps;
  private long start;
  private Fragments fragments; // null unless parameters outlive a round
  private double own;
  private long taken; // the step of the parameters that came last
  private long lastStep; // in nanoseconds
  private long[] fresh; // local steps since each fragment was taken

  LocalModel(
      Worker worker, Communicator communicator, BatchComputation batch, ResultSender result) {
    this.worker = worker;
    this.communicator = communicator;
    this.batch = batch;
    this.result = result;
    context = worker.context();
    local = new float[context.source().layout().size()];
    localView = FloatBuffer.wrap(local);
    gradients = new FloatBuffer[] {FloatBuffer.allocate(local.length)};
    ranks = new int[] {context.rank()};
    context.state().register("local", this);
    context.state().register("local-update", context.update().rule());
  }

  @Override
  public void visit(StateVisitor state) {
    batches = state.integer("batches", batches);
  }

  /**
   * Adds {@code μ (w_local − w_received)} to every mean gradient.
   *
   * @param strength μ; 0 for nothing
   */
  public void pull(double strength) {
    pull = strength;
  }

  /**
   * Adds a vector to every mean gradient.
   *
   * @param vector the flat vector, read in every step; not modified
   */
  public void shift(float[] vector) {
    shift = vector;
  }

  /**
   * From now on local parameters outlive a round, and {@link #take} and {@link #push} are for
   * {@link #begin} and {@link #send}. Called before parameters are received.
   *
   * @param parts each round sends the one whose turn it is
   * @param share of the local parameters in what the worker continues with, 0 up to 1
   */
  public void keep(Fragments parts, double share) {
    fragments = parts;
    own = share;
    fresh = new long[parts.count()];
    context.state().register("kept", this::visitKept);
  }

  private void visitKept(StateVisitor state) {
    taken = state.integer("taken", taken);
    state.integers("fresh", fresh);
    state.floats("parameters", local);
    result.visitCounts(state);
  }

  /** Takes the fragments that are new in what the worker has received; at first, all of them. */
  public void take() {
    change = result.begin(Message.Kind.DELTA, worker.step(), local.length);
    long from = taken < worker.step() ? taken : 0;
    float[] received = worker.parameterValues();
    List<Block> blocks = context.source().layout().blocks();
    for (int b = 0; b < blocks.size(); b++) {
      if (fragments.has(b, from, worker.step())) {
        mix(blocks.get(b), from == 0 ? 0 : (float) own, received);
        fresh[fragments.ofBlock(b)] = 0;
      }
    }
    taken = worker.step();
    start = context.clock().now();
  }

  private void mix(Block block, float share, float[] received) {
    for (int i = block.offset(); i < block.end(); i++) {
      local[i] = share == 0 ? received[i] : received[i] + share * (local[i] - received[i]);
    }
  }

  /** Whether a step as long as the last one ends within the time limit of the parameters. */
  public boolean hasTime() {
    long limit = worker.timeLimit();
    long end = context.clock().now() - start + lastStep;
    return limit == Clock.NEVER || end <= limit + limit / 1000; // Times are rounded.
  }

  /** Sends what local steps have changed since the fragment of this step was taken. */
  public void push() {
    result.localSteps((int) fresh[fragments.of(worker.step())]);
    change();
  }

  /** Copies the parameters that the worker has received. */
  public void begin() {
    begin(worker.parameterValues());
  }

  /**
   * As {@link #begin()}, with parameters of this worker's own.
   *
   * @return where the change goes that is sent
   */
  float[] begin(float[] parameters) {
    change = result.begin(Message.Kind.DELTA, worker.step(), local.length);
    System.arraycopy(parameters, 0, local, 0, local.length);
    steps = 0;
    start = context.clock().now();
    return change;
  }

  /** Ends the local steps, and counts them and their time; returns what they have led to. */
  float[] end() {
    result.localSteps(steps, Clock.seconds(start, context.clock().now()));
    return local;
  }

  /** One local step, with an induced delay: a gradient of a whole batch, and an update with it. */
  public void step() {
    step(true, TO_THE_END);
  }

  /**
   * One local step.
   *
   * @param delayed whether with an induced delay
   * @param stop asked after each partition but the last; true gives the step up, and its batch is
   *     taken again in the next one
   * @return false if it was given up
   */
  public boolean step(boolean delayed, BooleanSupplier stop) {
    long begun = context.clock().now();
    batch.begin(localView, ++batches, gradients[0], delayed, Clock.NEVER);
    batch.computePartition();
    while (batch.hasTime()) {
      if (stop.getAsBoolean()) {
        batch.giveUp();
        return false;
      }
      batch.computePartition();
    }
    batch.end();
    if (update()) {
      context.clock().charge(Work.UPDATE, local.length);
      result.add(batch, 1);
      lastStep = context.clock().now() - begun;
      result.addTime(Clock.seconds(0, lastStep) - batch.computeTime());
    }
    steps++;
    for (int f = 0; fresh != null && f < fresh.length; f++) {
      fresh[f]++;
    }
    return true;
  }

  /** Returns false if the gradient is dropped, and the parameters are as they were. */
  private boolean update() {
    int examples = batch.examples();
    if (pull != 0 || shift != null) {
      add(gradients[0].array(), examples);
    }
    try {
      context.update().apply(local, gradients, ranks, 1, examples, worker.learningRate());
      return true;
    } catch (NonFiniteGradientException e) {
      if (!batch.leftOut(worker.step(), e.found())) {
        throw e.of(batch.firstExample(), examples).at(context.rank(), worker.step());
      }
      return false;
    } catch (NonFiniteParametersException e) {
      throw e.at(context.rank(), worker.step());
    }
  }

  private void add(float[] sum, int examples) {
    float[] received = worker.parameterValues();
    for (Block block : context.source().layout().blocks()) {
      boolean trainable = block.kind() != Block.Kind.RUNNING_STATISTIC;
      for (int i = block.offset(); trainable && i < block.end(); i++) {
        double more = pull * (local[i] - received[i]) + (shift == null ? 0 : shift[i]);
        sum[i] += (float) (examples * more);
      }
    }
  }

  /** Local steps since {@link #begin}. */
  public int steps() {
    return steps;
  }

  /**
   * Reports to the master how many steps are done.
   *
   * @param seconds that the last one took
   */
  public void report(double seconds) {
    report.reset(Message.Kind.QUERY, worker.step()).asIterations().set(steps, seconds);
    communicator.send(Communicator.MASTER, report, Clock.NEVER);
  }

  /** The next order of the master that has come, without waiting; null if there is none. */
  public Message order() {
    boolean come = communicator.receive(Communicator.MASTER, order, context.clock().now());
    return come ? order : null;
  }

  /** Sends what the local steps have changed: received minus local parameters. */
  public void send() {
    end();
    change();
  }

  private void change() {
    float[] received = worker.parameterValues();
    for (int i = 0; i < local.length; i++) {
      change[i] = received[i] - local[i];
    }
    result.send();
  }
}
