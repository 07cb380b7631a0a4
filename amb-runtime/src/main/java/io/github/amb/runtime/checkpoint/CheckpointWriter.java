package io.github.amb.runtime.checkpoint;

import io.github.amb.core.record.Disk;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/**
 * Writes checkpoints on a thread of its own, one at a time. A checkpoint that cannot be written is
 * told of and given up; those before it stay, and training goes on.
 */
final class CheckpointWriter implements AutoCloseable {
  private final CheckpointDirectory directory;
  private final int keep;
  private final Consumer<String> warnings;
  private final Disk disk;
  private final Thread thread = new Thread(this::work, "checkpoints");
  private Snapshot next;
  private Snapshot nextBest;
  private boolean closed;
  private volatile Runnable before = () -> {};
  private volatile LongPredicate wanted = step -> false;
  private volatile String failure = "";
  private volatile long idleSince;

  /**
   * @param keep how many checkpoints to keep
   * @param disk asked before each is written
   * @param warnings receives a line when one cannot be written; called on the writer's thread
   */
  CheckpointWriter(CheckpointDirectory directory, int keep, Disk disk, Consumer<String> warnings) {
    this.disk = disk;
    this.directory = directory;
    this.keep = keep;
    this.warnings = warnings;
    thread.setDaemon(true);
    thread.start();
  }

  /** Has {@code before} run, on the writer's thread, before each checkpoint is written. */
  void writeAfter(Runnable before) {
    this.before = before;
  }

  /** Keeps some of the old checkpoints while they are {@code wanted}; asked on this thread. */
  void keepWhile(LongPredicate wanted) {
    this.wanted = wanted;
  }

  /** Whether nothing is being written. */
  synchronized boolean isIdle() {
    return next == null && nextBest == null;
  }

  /**
   * Writes snapshots, which must not change until {@link #isIdle}.
   *
   * @param best the best parameters if they are news, else null
   */
  synchronized void write(Snapshot snapshot, Snapshot best) {
    next = snapshot;
    nextBest = best;
    notifyAll();
  }

  /** Waits until nothing is being written; returns false if that takes too long. */
  synchronized boolean awaitIdle(long limitNanos) {
    long end = System.nanoTime() + limitNanos;
    try {
      while (!isIdle()) {
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (left <= 0) {
          return false;
        }
        wait(left);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void work() {
    attempt(directory::clean, "cannot remove an unfinished checkpoint");
    while (awaitNext()) {
      Snapshot snapshot = next;
      Snapshot best = nextBest;
      before.run();
      if (snapshot != null) {
        failure =
            attempt(
                () -> {
                  disk.check();
                  directory.write(snapshot);
                },
                "cannot write the checkpoint of step " + snapshot.step);
        if (failure.isEmpty()) {
          attempt(() -> prune(snapshot.step), "cannot remove an old checkpoint");
        }
      }
      if (best != null) {
        attempt(
            () -> {
              disk.check();
              directory.writeBest(best);
            },
            "cannot write the best parameters, those of step " + best.step);
      }
      done();
    }
  }

  private void prune(long newest) throws IOException {
    for (long step : directory.prune(newest, keep, wanted)) {
      if (wanted.test(step)) {
        warnings.accept(
            "removed the checkpoint of step %d before it was tested; raise --checkpoint-keep or --checkpoint-every"
                .formatted(step));
      }
    }
  }

  private synchronized boolean awaitNext() {
    try {
      while (isIdle() && !closed) {
        wait();
      }
    } catch (InterruptedException e) {
      return false;
    }
    return !isIdle();
  }

  private synchronized void done() {
    next = null;
    nextBest = null;
    idleSince = System.nanoTime();
    notifyAll();
  }

  /** When the last one was done with, by {@link System#nanoTime}. */
  long idleSince() {
    return idleSince;
  }

  /** Something that the disk may refuse. */
  @FunctionalInterface
  private interface Attempt {
    void run() throws IOException;
  }

  /** Why the last checkpoint is not on the disk; empty if it is. */
  String failure() {
    return failure;
  }

  /** Returns why it failed; empty if it did not. */
  private String attempt(Attempt attempt, String what) {
    try {
      attempt.run();
      return "";
    } catch (IOException | RuntimeException | Error e) {
      warnings.accept(what + ": " + e + "; earlier checkpoints are intact, the run continues");
      return what + ": " + e.getMessage();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }
}
