package io.github.amb.runtime.checkpoint;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.record.Disk;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.state.StateMap;
import io.github.amb.core.state.StateRegistry;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Makes a run's checkpoints: at the end of a step it copies what the master remembers, asks the
 * workers for what they do, and has it all written when every worker has answered, or when the next
 * one is due.
 */
public final class RunCheckpoints implements AutoCloseable {
  private static final long WRITE_LIMIT = TimeUnit.MINUTES.toNanos(5);

  private final CheckpointInterval every;
  private final StateRegistry registry;
  private final Snapshot snapshot;
  private final CheckpointWriter writer;
  private final BestParameters best;
  private StateCollector collector;
  private StateRegistry localWorker;
  private BooleanSupplier stop = () -> false;
  private ResumePoint resumed;
  private long[] examples = {};
  private int[] members = {};
  private boolean waits;
  private Runnable stepEnded = () -> {};
  private Runnable trainingOver = () -> {};
  private boolean pending;
  private long step = -1;
  private double time;
  private long lastStep;
  private double lastTime;

  /**
   * @param keep how many checkpoints to keep
   * @param registry what the master remembers; its steps are listened to
   * @param disk asked before each is written
   * @param warnings receives a line when a checkpoint cannot be written
   */
  public RunCheckpoints(
      CheckpointDirectory directory,
      CheckpointInterval every,
      int keep,
      Layout layout,
      StateRegistry registry,
      Disk disk,
      Consumer<String> warnings) {
    this.every = every;
    this.registry = registry;
    snapshot = new Snapshot(layout);
    best = new BestParameters(layout, BestParameters.accuracy(directory, warnings));
    writer = new CheckpointWriter(directory, keep, disk, warnings);
    registry.listen(
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

  /** The communicator for the master's scheme in one epoch. */
  public Communicator collecting(Communicator communicator, int[] members) {
    collector = new StateCollector(communicator, members);
    this.members = members;
    pending = false;
    for (int rank = 1; rank < members.length; rank++) {
      collector.examples(rank, examples[members[rank]]);
    }
    return collector;
  }

  /**
   * What a worker goes on from that joins a later epoch: its place in the data, or, until a step is
   * done, all that it was taken up with. Examples of results that were under way when the epoch
   * before ended come again.
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

  /** Updates applied. */
  public long step() {
    return step < 0 && resumed != null ? resumed.step() : Math.max(0, step);
  }

  /** Seconds since training started, at the last step's end. */
  public double time() {
    return time;
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

  /** Calls {@code action} at every step's end; what it throws ends the epoch. */
  public void afterStep(Runnable action) {
    stepEnded = action;
  }

  /** Calls {@code action} when no step follows, before workers are told. */
  public void whenOver(Runnable action) {
    trainingOver = action;
  }

  /** Ends training with a {@link StoppedException} after the step in which {@code requested}. */
  public void stopWhen(BooleanSupplier requested) {
    stop = requested;
  }

  /** Notes an evaluation; may be called on any thread. {@code parameters} are not kept. */
  public void evaluated(EvaluationRecord result, float[] parameters) {
    best.offer(result, parameters);
  }

  private void done(long step, double time) {
    if (this.step < 0) {
      lastStep = step - 1;
      lastTime = this.time;
    }
    this.step = step;
    this.time = time;
    for (int rank = 1; rank < members.length; rank++) {
      examples[members[rank]] = collector.examples(rank);
    }
    boolean due = every.isDue(step - lastStep, time - lastTime);
    if (stop.getAsBoolean()) {
      throw new StoppedException();
    }
    if (pending && (due || collector.isComplete())) {
      submit();
    }
    if (due && !pending && (waits ? writer.awaitIdle(WRITE_LIMIT) : writer.isIdle())) {
      begin();
    }
    stepEnded.run();
  }

  private void begin() {
    lastStep = step;
    lastTime = time;
    capture();
    pending = true;
    if (collector == null) {
      submit();
    } else {
      collector.ask(snapshot.workers);
    }
  }

  private void capture() {
    registry.save(snapshot.master);
    snapshot.step = step;
    snapshot.seconds = time;
    snapshot.accuracy = best.accuracyAt(step);
    snapshot.workers.clear();
    if (localWorker != null) {
      StateMap state = new StateMap();
      localWorker.save(state);
      snapshot.workers.put(1, state);
    }
    for (int worker = 1; worker < examples.length; worker++) {
      snapshot.workers.put(worker, place(worker));
    }
  }

  private void submit() {
    pending = false;
    writer.write(snapshot, best.news());
  }

  /**
   * Examples in results that have come since the last step's end, which an epoch's end discards.
   */
  public long discarded() {
    long discarded = 0;
    for (int rank = 1; rank < members.length; rank++) {
      discarded += collector.examples(rank) - examples[members[rank]];
    }
    return discarded;
  }

  /**
   * Training is over: makes the last checkpoint, with the workers' states as they come.
   *
   * @throws EngineException if it cannot be written, so that the final parameters would be lost
   *     unnoticed
   */
  public void finish(long deadline) {
    if (step < 0) {
      return;
    }
    if (collector != null) {
      collector.awaitStates(deadline);
    }
    if (pending && snapshot.step == step) {
      submit();
    } else {
      save();
    }
    boolean written = writer.awaitIdle(WRITE_LIMIT);
    if (!written || !writer.failure().isEmpty()) {
      throw new EngineException(
          "the final parameters are not saved: %s; make room and go on with amb train --resume"
              .formatted(written ? writer.failure() : "the disk takes too long"));
    }
  }

  /** Wants the workers' states in the last checkpoint. */
  private void over() {
    boolean begun = pending && snapshot.step == step;
    if (collector != null && step >= 0 && !begun && writer.awaitIdle(WRITE_LIMIT)) {
      pending = false;
      begin();
    }
    trainingOver.run();
  }

  /** Saves the last step that is done, without the workers, when training cannot go on. */
  public void save() {
    if (step >= 0 && writer.awaitIdle(WRITE_LIMIT)) {
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
