package io.github.amb.runtime.checkpoint;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.state.StateMap;
import io.github.amb.core.state.StateRegistry;
import java.util.function.BooleanSupplier;

/**
 * Where a run stands at the end of its last step, from which it goes on in the next generation:
 * updates, time, and how many examples of each worker count.
 */
public final class LastStep implements StateRegistry.StepListener {
  private final StateRegistry registry;
  private StateRegistry.StepListener checkpoints = StateRegistry.StepListener.NONE;
  private BooleanSupplier stop = () -> false;
  private Runnable stepEnded = () -> {};
  private Runnable trainingOver = () -> {};
  private StateCollector collector;
  private ResumePoint resumed;
  private long[] examples = {};
  private int[] members = {};
  private long step = -1;
  private double time;

  /**
   * @param registry what the master remembers; its steps are listened to
   */
  public LastStep(StateRegistry registry) {
    this.registry = registry;
    registry.listen(this);
  }

  /**
   * Takes the run up.
   *
   * @param resumed where; null for the start
   * @param workers number of workers at the start
   */
  public void start(ResumePoint resumed, int workers) {
    this.resumed = resumed;
    time = resumed == null ? 0 : resumed.seconds();
    examples = new long[workers + 1];
    for (int worker = 1; resumed != null && worker <= workers; worker++) {
      examples[worker] = resumed.examples(worker);
    }
  }

  /** The communicator for the master's scheme in one generation. */
  public Communicator collecting(Communicator communicator, int[] members) {
    collector = new StateCollector(communicator, members);
    this.members = members;
    for (int rank = 1; rank < members.length; rank++) {
      collector.examples(rank, examples[members[rank]]);
    }
    return collector;
  }

  /** The current generation's; null if there are no other ranks. */
  StateCollector collector() {
    return collector;
  }

  /** What the master remembers. */
  StateRegistry registry() {
    return registry;
  }

  /** Number of workers at the start. */
  int workers() {
    return examples.length - 1;
  }

  /** Whether any step was done since the run was taken up. */
  boolean exists() {
    return step >= 0;
  }

  /** Updates applied. */
  public long step() {
    return step < 0 && resumed != null ? resumed.step() : Math.max(0, step);
  }

  /** Seconds since training started, at the last step's end. */
  public double time() {
    return time;
  }

  /**
   * What a worker goes on from that joins a later generation: its place in the data, or, until a
   * step is done, all that it was taken up with. Examples of results that were under way when the
   * generation before ended come again.
   *
   * @param worker its lasting number
   */
  public StateMap place(int worker) {
    return step < 0 && resumed != null
        ? resumed.worker(worker)
        : ResumePoint.placeInData(worker, examples[worker]);
  }

  /**
   * Gives the master back, as its parts register, what it remembers now; parts that have not
   * registered yet, as no world has come about, what the run was taken up with.
   */
  public void takeUp() {
    StateMap state = new StateMap();
    if (step < 0 && resumed != null) {
      state.putAll(resumed.master());
    }
    state.putAll(registry.state());
    registry.restoreFitting(state);
  }

  /**
   * Examples in results that have come since the last step's end, which a generation's end
   * discards.
   */
  public long discarded() {
    long discarded = 0;
    for (int rank = 1; rank < members.length; rank++) {
      discarded += collector.examples(rank) - examples[members[rank]];
    }
    return discarded;
  }

  /** Tells checkpoints of every step, and of the end of training. */
  void tell(StateRegistry.StepListener checkpoints) {
    this.checkpoints = checkpoints;
  }

  /** Ends training with a {@link StoppedException} after the step in which {@code requested}. */
  public void stopWhen(BooleanSupplier requested) {
    stop = requested;
  }

  /** Calls {@code action} at every step's end; what it throws ends the generation. */
  public void afterStep(Runnable action) {
    stepEnded = action;
  }

  /** Calls {@code action} when no step follows, before workers are told. */
  public void whenOver(Runnable action) {
    trainingOver = action;
  }

  @Override
  public void stepEnds(long step, double time) {
    checkpoints.stepEnds(step, time);
  }

  @Override
  public void stepDone(long step, double time) {
    this.step = step;
    this.time = time;
    for (int rank = 1; rank < members.length; rank++) {
      examples[members[rank]] = collector.examples(rank);
    }
    if (stop.getAsBoolean()) {
      throw new StoppedException();
    }
    checkpoints.stepDone(step, time);
    stepEnded.run();
  }

  @Override
  public void trainingOver() {
    checkpoints.trainingOver();
    trainingOver.run();
  }
}
