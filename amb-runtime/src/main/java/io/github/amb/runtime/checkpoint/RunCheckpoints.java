package io.github.amb.runtime.checkpoint;

import io.github.amb.core.engine.EngineException;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.record.Disk;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.state.StateMap;
import io.github.amb.core.state.StateRegistry;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Makes a run's checkpoints: at the end of a step it copies what the master remembers, asks the
 * workers for what they do, and has it all written when every worker has answered, or when the next
 * one is due.
 */
public final class RunCheckpoints implements AutoCloseable {
  private static final long WRITE_LIMIT = TimeUnit.MINUTES.toNanos(5);

  private final CheckpointInterval every;
  private final LastStep last;
  private final Snapshot snapshot;
  private final CheckpointWriter writer;
  private final BestParameters best;
  private StateRegistry localWorker;
  private boolean waits;
  private boolean pending;
  private long savedStep;
  private double savedTime;

  /**
   * @param keep how many checkpoints to keep
   * @param last where the run stands
   * @param disk asked before each is written
   * @param warnings receives a line when a checkpoint cannot be written
   */
  public RunCheckpoints(
      CheckpointDirectory directory,
      CheckpointInterval every,
      int keep,
      Layout layout,
      LastStep last,
      Disk disk,
      Consumer<String> warnings) {
    this.every = every;
    this.last = last;
    snapshot = new Snapshot(layout);
    best = new BestParameters(layout, BestParameters.accuracy(directory, warnings));
    writer = new CheckpointWriter(directory, keep, disk, warnings);
    last.tell(
        new StateRegistry.StepListener() {
          @Override
          public void stepDone(long step, double time) {
            done(step, time);
          }

          @Override
          public void trainingOver() {
            over();
          }
        });
  }

  /** The run is taken up from where it stands. */
  public void start() {
    savedStep = last.step();
    savedTime = last.time();
  }

  /** A new epoch begins; states that workers of the one before owe do not come. */
  public void entered() {
    pending = false;
  }

  /** Says that the only worker is this process itself, and what it remembers. */
  public void local(StateRegistry worker) {
    localWorker = worker;
  }

  /** Makes a step wait for the disk, so that which checkpoints there are does not depend on it. */
  public void waitForDisk() {
    waits = true;
  }

  /**
   * Has {@code records} run before each checkpoint is written, on the thread that writes: a
   * checkpoint must not be ahead of the records, or a run that is killed would go on without them.
   */
  public void writeAfter(Runnable records) {
    writer.writeAfter(records);
  }

  /** Notes an evaluation; may be called on any thread. {@code parameters} are not kept. */
  public void evaluated(EvaluationRecord result, float[] parameters) {
    best.offer(result, parameters);
  }

  private void done(long step, double time) {
    boolean due = every.isDue(step - savedStep, time - savedTime);
    if (pending && (due || last.collector().isComplete())) {
      submit();
    }
    if (due && !pending && (waits ? writer.awaitIdle(WRITE_LIMIT) : writer.isIdle())) {
      begin();
    }
  }

  private void begin() {
    savedStep = last.step();
    savedTime = last.time();
    capture();
    pending = true;
    if (last.collector() == null) {
      submit();
    } else {
      last.collector().ask(snapshot.workers);
    }
  }

  private void capture() {
    last.registry().save(snapshot.master);
    snapshot.step = last.step();
    snapshot.seconds = last.time();
    snapshot.accuracy = best.accuracyAt(snapshot.step);
    snapshot.workers.clear();
    if (localWorker != null) {
      StateMap state = new StateMap();
      localWorker.save(state);
      snapshot.workers.put(1, state);
    }
    for (int worker = 1; worker <= last.workers(); worker++) {
      snapshot.workers.put(worker, last.place(worker));
    }
  }

  private void submit() {
    pending = false;
    writer.write(snapshot, best.news());
  }

  /**
   * Training is over: makes the last checkpoint, with the workers' states as they come.
   *
   * @throws EngineException if it cannot be written, so that the final parameters would be lost
   *     unnoticed
   */
  public void finish(long deadline) {
    if (!last.exists()) {
      return;
    }
    if (last.collector() != null) {
      last.collector().awaitStates(deadline);
    }
    if (pending && snapshot.step == last.step()) {
      submit();
    } else {
      save();
    }
    boolean written = writer.awaitIdle(WRITE_LIMIT);
    if (!written || !writer.failure().isEmpty()) {
      throw new EngineException(
          "the final parameters are not saved: %s; make room on the disk"
              .formatted(written ? writer.failure() : "the disk takes too long"));
    }
  }

  /** Wants the workers' states in the last checkpoint. */
  private void over() {
    boolean begun = pending && snapshot.step == last.step();
    if (last.collector() != null && last.exists() && !begun && writer.awaitIdle(WRITE_LIMIT)) {
      pending = false;
      begin();
    }
  }

  /** Saves the last step that is done, without the workers, when training cannot go on. */
  public void save() {
    if (last.exists() && writer.awaitIdle(WRITE_LIMIT)) {
      pending = false;
      capture();
      submit();
      writer.awaitIdle(WRITE_LIMIT);
    }
  }

  @Override
  public void close() {
    writer.close();
  }
}
