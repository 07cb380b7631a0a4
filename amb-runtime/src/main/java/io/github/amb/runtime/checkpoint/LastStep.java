package io.github.amb.runtime.checkpoint;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.state.StateMap;
import io.github.amb.core.state.StateRegistry;
import java.util.function.BooleanSupplier;

/**
 * The state at the end of a run's last step, from which the next generation continues: updates,
 * time, and the examples of each worker that count.
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
  private boolean over;

  /**
   * @param registry state of the master; this object listens to its steps
   */
  public LastStep(StateRegistry registry) {
    this.registry = registry;
    registry.listen(this);
  }

  /**
   * Starts or resumes a run.
   *
   * @param resumed the resumed checkpoint; null for a new run
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

  /**
   * The communicator for the master's scheme in one generation.
   *
   * @param communicator the generation's communicator
   * @param members numbers of the ranks in the run, by rank in the generation
   */
  public Communicator collecting(Communicator communicator, int[] members) {
    collector = new StateCollector(communicator, members);
    this.members = members;
    for (int rank = 1; rank < members.length; rank++) {
      collector.examples(rank, examples[members[rank]]);
    }
    return collector;
  }

  /** The current generation's collector; null if there are no other ranks. */
  public StateCollector collector() {
    return collector;
  }

  /** State of the master. */
  public StateRegistry registry() {
    return registry;
  }

  /** Number of workers at the start. */
  public int workers() {
    return examples.length - 1;
  }

  /** Whether a step was completed since the run was started or resumed. */
  public boolean exists() {
    return step >= 0;
  }

  /** Updates applied. */
  public long step() {
    return step < 0 && resumed != null ? resumed.step() : Math.max(0, step);
  }

  /** Seconds from the start of training to the end of the last step. */
  public double time() {
    return time;
  }

  /**
   * The state for a worker that joins a later generation: its position in the data, or all of its
   * resumed state until a step is completed. Examples of unfinished results of the generation
   * before are processed again.
   *
   * @param worker its number in the run
   */
  public StateMap place(int worker) {
    return step < 0 && resumed != null
        ? resumed.worker(worker)
        : ResumePoint.placeInData(worker, examples[worker]);
  }

  /**
   * Restores the master's state as its parts register. Parts that have not registered before
   * receive the resumed state.
   */
  public void restore() {
    StateMap state = new StateMap();
    if (step < 0 && resumed != null) {
      state.putAll(resumed.master());
    }
    state.putAll(registry.state());
    registry.restoreFitting(state);
  }

  /**
   * Number of examples in results that arrived since the end of the last step; the end of a
   * generation discards them.
   */
  public long discarded() {
    long discarded = 0;
    for (int rank = 1; rank < members.length; rank++) {
      discarded += collector.examples(rank) - examples[members[rank]];
    }
    return discarded;
  }

  /** Sets the listener for every step and for the end of training. */
  public void tell(StateRegistry.StepListener checkpoints) {
    this.checkpoints = checkpoints;
  }

  /**
   * Ends training with a {@link StoppedException} after the step in which {@code requested} becomes
   * true.
   */
  public void stopWhen(BooleanSupplier requested) {
    stop = requested;
  }

  /** Sets an action at every step's end; its exceptions end the generation. */
  public void afterStep(Runnable action) {
    stepEnded = action;
  }

  /** Sets an action for the end of training, called before workers are informed. */
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

  /** Whether no step follows. */
  public boolean isOver() {
    return over;
  }

  @Override
  public void trainingOver() {
    over = true;
    checkpoints.trainingOver();
    trainingOver.run();
  }
}
