package io.github.amb.runtime.checkpoint;

import io.github.amb.core.engine.EngineException;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.state.StateMap;
import io.github.amb.core.state.StateRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * Writes a run's checkpoints. At the end of a step it copies the master's state and asks the
 * workers for theirs; when all have answered, it writes the checkpoint in the background. Training
 * waits only if the newest checkpoint would become older than the interval.
 */
public final class RunCheckpoints implements StateRegistry.StepListener, AutoCloseable {
  private static final double NONE = Double.NEGATIVE_INFINITY;

  /**
   * The ranks of a cluster whose places and messages in transit checkpoints can have.
   *
   * @param save adds them to the master's state, if the master is at the end of a step; returns
   *     whether it did, as workers are asked for their states otherwise
   * @param worker copies the state with which a worker's round began, by its rank
   */
  public record Rounds(Predicate<StateMap> save, IntFunction<StateMap> worker) {}

  /** Seconds; a longer wait is logged, and then every wait of twice the length. */
  private static final double WAIT_TOLD = 1;

  private final Interval every;
  private final CheckpointPace pace;
  private final LastStep last;
  private final boolean virtual;
  private final Snapshot snapshot;
  private final CheckpointWriter writer;
  private final Consumer<String> warnings;
  private Consumer<Boolean> waiting = now -> {};
  private Rounds rounds;
  private StateRegistry localWorker;
  private boolean begun;
  private boolean pending;
  private boolean entered; // No checkpoint of this generation has been taken.
  private boolean knowsWorkers;
  private long begunAt;
  private EvaluationRecord tested;
  private double bestMerit;
  private Snapshot better;
  private double longestWait = WAIT_TOLD;

  /**
   * @param directory the run's checkpoints
   * @param every the interval
   * @param keep how many checkpoints to keep
   * @param wanted whether an older one is kept, too, by step; called on the writer's thread
   * @param virtual whether writing takes no time and does not influence which checkpoints there are
   * @param last the state after the last step
   * @param warnings receives a line when a checkpoint cannot be written
   * @throws UncheckedIOException if the best parameters cannot be read
   */
  public RunCheckpoints(
      CheckpointDirectory directory,
      Interval every,
      int keep,
      LongPredicate wanted,
      boolean virtual,
      Layout layout,
      LastStep last,
      Consumer<String> warnings) {
    this.every = every;
    this.last = last;
    this.virtual = virtual;
    this.warnings = warnings;
    pace = new CheckpointPace(every);
    snapshot = new Snapshot(layout);
    bestMerit = merit(directory, warnings);
    writer = new CheckpointWriter(directory, keep, wanted, warnings);
    last.tell(this);
  }

  /** {@link EvaluationRecord#merit} of the best parameters on the disk; −∞ if there are none. */
  private static double merit(CheckpointDirectory directory, Consumer<String> warnings) {
    try {
      return directory.best().map(best -> best.manifest().merit()).orElse(NONE);
    } catch (DamagedException e) {
      warnings.accept("best parameters are not used: " + e.getMessage());
      return NONE;
    } catch (IOException e) {
      throw new UncheckedIOException(e); // Worse ones could replace them.
    }
  }

  /** Starts or resumes at the state after the last step. */
  public void start() {
    pace.begun(last.step(), last.time());
    pace.safe();
    if (diskTakesTime()) {
      pace.expectMost();
    }
  }

  /** Whether the duration of writing counts in the interval. */
  private boolean diskTakesTime() {
    return !virtual && !every.countsSteps();
  }

  /** A new generation begins; states that workers of the former one owe will not arrive. */
  public void entered() {
    begun = false;
    pending = false;
    entered = true;
  }

  /** Sets the state of the only worker, which is in this process. */
  public void local(StateRegistry worker) {
    localWorker = worker;
  }

  /**
   * Sets what saves messages in transit.
   *
   * @param rounds null if nothing does
   */
  public void rounds(Rounds rounds) {
    this.rounds = rounds;
  }

  /**
   * Sets an action that runs on the writer's thread before each checkpoint is written. A checkpoint
   * must not be ahead of the records, or a resumed run would lack some.
   */
  public void writeAfter(Runnable records) {
    writer.writeAfter(records);
  }

  /**
   * Calls {@code waiting} with true when training begins to wait for the disk, and with false at
   * the end of the wait.
   */
  public void whenWaiting(Consumer<Boolean> waiting) {
    this.waiting = waiting;
  }

  /**
   * Records an evaluation; may be called on any thread.
   *
   * @param result the evaluation
   * @param parameters the evaluated ones; copied if they are the best
   */
  public synchronized void evaluated(EvaluationRecord result, float[] parameters) {
    tested = result;
    if (result.merit() > bestMerit) {
      bestMerit = result.merit();
      better = new Snapshot(snapshot.layout);
      better.step = result.step();
      better.seconds = result.time();
      better.tested(result);
      better.master.put(Snapshot.PARAMETERS, parameters.clone());
    }
  }

  /** The test of the parameters of a step if they were the last ones tested; otherwise null. */
  private synchronized EvaluationRecord testOf(long step) {
    return tested != null && tested.step() == step ? tested : null;
  }

  /** The best parameters, or null if they have not changed since the last call. */
  private synchronized Snapshot better() {
    Snapshot news = better;
    better = null;
    return news;
  }

  /** Waits at the end of a step that would make the newest checkpoint too old. */
  @Override
  public void stepEnds(long step, double time) {
    if (begun && pace.isLate(step, time)) {
      if (pending) {
        submit();
      }
      long start = System.nanoTime();
      settle();
      tellWait((System.nanoTime() - start) / 1e9);
    }
  }

  private void tellWait(double seconds) {
    if (seconds > longestWait) {
      longestWait = 2 * seconds;
      warnings.accept(
          "training waited %.1f s for the checkpoint of step %d to be written; to wait less often, raise --checkpoint-every"
              .formatted(seconds, snapshot.step));
    }
  }

  @Override
  public void stepDone(long step, double time) {
    if (begun && !pending && (virtual || writer.isIdle())) {
      settle();
    }
    if (!begun && pace.isDue(step, time) && writer.isIdle()) {
      begin();
    }
  }

  private void begin() {
    begun = true;
    begunAt = System.nanoTime();
    pace.begun(last.step(), last.time());
    boolean whole = capture();
    pending = true;
    if (whole || last.collector() == null) {
      submit();
    } else {
      last.collector().ask(this::answered);
    }
  }

  private void answered() {
    if (!diskTakesTime()) {
      pace.took(pace.passed(last.step(), last.time()));
    }
    if (pending) {
      submit();
    }
  }

  /** Returns whether the states of the workers are known. */
  private boolean capture() {
    if (entered) {
      snapshot.master.removeAll(""); // State by rank may be that of more ranks.
      entered = false;
    }
    last.registry().save(snapshot.master);
    boolean whole = rounds != null && rounds.save().test(snapshot.master);
    if (!whole) {
      snapshot.master.removeAll(StateRegistry.ROUND);
    }
    snapshot.step = last.step();
    snapshot.seconds = last.time();
    snapshot.tested(testOf(snapshot.step));
    snapshot.workers.clear();
    if (localWorker != null) {
      StateMap state = new StateMap();
      localWorker.save(state);
      snapshot.workers.put(1, state);
    }
    for (int worker = 1; worker <= last.workers(); worker++) {
      snapshot.workers.put(worker, whole ? rounds.worker().apply(worker) : last.place(worker));
    }
    knowsWorkers = whole;
    return whole;
  }

  private void submit() {
    if (pending && !knowsWorkers && last.collector() != null) {
      snapshot.workers.putAll(last.collector().states());
    }
    pending = false;
    writer.write(snapshot, better());
  }

  /** Waits until the current checkpoint is on the disk. */
  private void settle() {
    if (!awaitDisk()) {
      warnings.accept(
          "the checkpoint of step %d was not written within %d s, as the disk is busy; training continues without it"
              .formatted(
                  snapshot.step, TimeUnit.NANOSECONDS.toSeconds(CheckpointWriter.WRITE_LIMIT)));
    }
    begun = false;
    pace.safe();
    if (diskTakesTime()) {
      pace.took((writer.idleSince() - begunAt) / 1e9);
    }
  }

  private boolean awaitDisk() {
    if (writer.isIdle()) {
      return true;
    }
    waiting.accept(true);
    boolean idle = writer.awaitIdle(CheckpointWriter.WRITE_LIMIT);
    waiting.accept(false);
    return idle;
  }

  /**
   * Writes the last checkpoint after the end of training, with the workers' states as they arrive.
   *
   * @param deadline of the wait for states, on the communicator's clock in nanoseconds
   * @throws EngineException if it cannot be written; the final parameters would be lost
   */
  public void finish(long deadline) {
    if (last.step() == 0) {
      return;
    }
    if (last.collector() != null) {
      last.collector().awaitStates(deadline);
    }
    if (last.exists() && (pending || !isBegun())) {
      save();
    } else if (writer.awaitIdle(CheckpointWriter.WRITE_LIMIT)) {
      writer.write(null, better()); // A test after the last checkpoint may have found better ones.
    }
    boolean written = writer.awaitIdle(CheckpointWriter.WRITE_LIMIT);
    if (!written || !writer.failure().isEmpty()) {
      throw new EngineException(
          "cannot save the final parameters: %s; make room on the disk"
              .formatted(written ? writer.failure() : "writing takes too long"));
    }
  }

  /** Requests the workers' states for the last checkpoint. */
  @Override
  public void trainingOver() {
    if (last.collector() != null && last.exists() && !isBegun() && awaitDisk()) {
      begin();
    }
  }

  /** Whether the checkpoint of the last step has begun. */
  private boolean isBegun() {
    return begun && snapshot.step == last.step();
  }

  /** Saves the last completed step, with the states that have arrived. */
  public void save() {
    if (last.exists() && writer.awaitIdle(CheckpointWriter.WRITE_LIMIT)) {
      if (!pending || !isBegun()) {
        pending = false;
        capture();
      }
      submit();
      writer.awaitIdle(CheckpointWriter.WRITE_LIMIT);
    }
  }

  @Override
  public void close() {
    writer.close();
  }
}
