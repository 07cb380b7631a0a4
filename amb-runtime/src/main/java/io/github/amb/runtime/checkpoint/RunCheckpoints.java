package io.github.amb.runtime.checkpoint;

import io.github.amb.core.engine.EngineException;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.record.Disk;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.state.StateMap;
import io.github.amb.core.state.StateRegistry;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/**
 * Makes a run's checkpoints: at the end of a step it copies what the master remembers, asks the
 * workers for what they do, and has it all written when every worker has answered. Training goes on
 * meanwhile, and waits only where the newest checkpoint would get older than was asked for.
 */
public final class RunCheckpoints implements AutoCloseable {
  private static final long WRITE_LIMIT = TimeUnit.MINUTES.toNanos(5);

  /** Seconds; a wait is told of that is longer, and then every one twice as long. */
  private static final double WAIT_TOLD = 1;

  private final CheckpointInterval every;
  private final CheckpointPace pace;
  private final LastStep last;
  private final Snapshot snapshot;
  private final CheckpointWriter writer;
  private final BestParameters best;
  private final Consumer<String> warnings;
  private Consumer<Boolean> waiting = now -> {};
  private StateRegistry localWorker;
  private boolean virtual;
  private boolean begun;
  private boolean pending;
  private long begunAt;
  private double longestWait = WAIT_TOLD;

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
    this.warnings = warnings;
    pace = new CheckpointPace(every);
    snapshot = new Snapshot(layout);
    best = new BestParameters(layout, BestParameters.accuracy(directory, warnings));
    writer = new CheckpointWriter(directory, keep, disk, warnings);
    last.tell(
        new StateRegistry.StepListener() {
          @Override
          public void stepEnds(long step, double time) {
            ends(step, time);
          }

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
    pace.begun(last.step(), last.time());
    pace.safe();
    if (diskTakesTime()) {
      pace.expectMost();
    }
  }

  /** Whether what the disk takes counts in the interval. */
  private boolean diskTakesTime() {
    return !virtual && !every.countsSteps();
  }

  /** A new generation begins; states that workers of the one before owe do not come. */
  public void entered() {
    begun = false;
    pending = false;
  }

  /** Says that the only worker is this process itself, and what it remembers. */
  public void local(StateRegistry worker) {
    localWorker = worker;
  }

  /**
   * Says that time is virtual: the disk takes none, and which checkpoints there are does not depend
   * on it.
   */
  public void virtualTime() {
    virtual = true;
  }

  /**
   * Has {@code records} run before each checkpoint is written, on the thread that writes: a
   * checkpoint must not be ahead of the records, or a run that is killed would go on without them.
   */
  public void writeAfter(Runnable records) {
    writer.writeAfter(records);
  }

  /**
   * Keeps a number of old checkpoints beyond those to be kept while they are {@code wanted}, by
   * step; asked on the thread that writes.
   */
  public void keepWhile(LongPredicate wanted) {
    writer.keepWhile(wanted);
  }

  /** Tells {@code waiting} when training waits for the disk, and when no longer. */
  public void whenWaiting(Consumer<Boolean> waiting) {
    this.waiting = waiting;
  }

  /** Notes an evaluation; may be called on any thread. {@code parameters} are not kept. */
  public void evaluated(EvaluationRecord result, float[] parameters) {
    best.offer(result, parameters);
  }

  /** Waits before a step counts as done that would make the newest checkpoint too old. */
  private void ends(long step, double time) {
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

  private void done(long step, double time) {
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
    capture();
    pending = true;
    if (last.collector() == null) {
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
    if (pending && last.collector() != null) {
      snapshot.workers.putAll(last.collector().states());
    }
    pending = false;
    writer.write(snapshot, best.news());
  }

  /** Waits until the checkpoint that was begun is on the disk. */
  private void settle() {
    if (!awaitDisk()) {
      warnings.accept(
          "the checkpoint of step %d was not written within %d s, as the disk is busy; training continues without it"
              .formatted(snapshot.step, TimeUnit.NANOSECONDS.toSeconds(WRITE_LIMIT)));
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
    boolean idle = writer.awaitIdle(WRITE_LIMIT);
    waiting.accept(false);
    return idle;
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
    if (pending || !isBegun()) {
      save();
    }
    boolean written = writer.awaitIdle(WRITE_LIMIT);
    if (!written || !writer.failure().isEmpty()) {
      throw new EngineException(
          "cannot save the final parameters: %s; make room on the disk"
              .formatted(written ? writer.failure() : "writing takes too long"));
    }
  }

  /** Wants the workers' states in the last checkpoint. */
  private void over() {
    if (last.collector() != null && last.exists() && !isBegun() && awaitDisk()) {
      begin();
    }
  }

  /** Whether that of the last step is. */
  private boolean isBegun() {
    return begun && snapshot.step == last.step();
  }

  /** Saves the last step that is done, with those states that have come. */
  public void save() {
    if (last.exists() && writer.awaitIdle(WRITE_LIMIT)) {
      if (!pending || !isBegun()) {
        pending = false;
        capture();
      }
      submit();
      writer.awaitIdle(WRITE_LIMIT);
    }
  }

  @Override
  public void close() {
    writer.close();
  }
}
