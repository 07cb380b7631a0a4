package io.github.amb.runtime.checkpoint;

import io.github.amb.core.file.Disk;
import io.github.amb.core.thread.Waits;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/**
 * Writes checkpoints on a thread of its own, one at a time. A checkpoint that cannot be written is
 * logged and abandoned; earlier ones stay, and training continues.
 */
final class CheckpointWriter implements AutoCloseable {
  /** Limit of a write, in nanoseconds; a disk that hangs longer is left to itself. */
  static final long WRITE_LIMIT = TimeUnit.MINUTES.toNanos(5);

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
   * @param directory the run's checkpoints
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

  /** Sets an action that runs on the writer's thread before each checkpoint is written. */
  void writeAfter(Runnable before) {
    this.before = before;
  }

  /**
   * Keeps old checkpoints while they are {@code wanted}, by step; called on the writer's thread.
   */
  void keepWhile(LongPredicate wanted) {
    this.wanted = wanted;
  }

  /** Whether no checkpoint is being written. */
  synchronized boolean isIdle() {
    return next == null && nextBest == null;
  }

  /**
   * Writes snapshots, which must not change until {@link #isIdle}.
   *
   * @param snapshot the checkpoint; null for the best parameters alone
   * @param best the best parameters if they are new, otherwise null
   */
  synchronized void write(Snapshot snapshot, Snapshot best) {
    next = snapshot;
    nextBest = best;
    notifyAll();
  }

  /**
   * Waits until no checkpoint is being written; returns false after {@code limitNanos} nanoseconds.
   */
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

  /** When the last checkpoint was written or abandoned, by {@link System#nanoTime}. */
  long idleSince() {
    return idleSince;
  }

  /** An operation that the disk may reject. */
  @FunctionalInterface
  private interface Attempt {
    void run() throws IOException;
  }

  /** Why the last checkpoint is not on the disk; empty if it is. */
  String failure() {
    return failure;
  }

  /** Runs an operation; returns why it failed, or an empty text. */
  private String attempt(Attempt attempt, String what) {
    try {
      attempt.run();
      return "";
    } catch (IOException | RuntimeException | Error e) {
      warnings.accept(what + ": " + e + "; earlier checkpoints are intact, the run continues");
      return what + ": " + e.getMessage();
    }
  }

  /**
   * Ends the thread, after what it writes now: whoever releases the run's lock next leaves nobody
   * behind who still changes its files.
   */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    Waits.uninterrupted(() -> TimeUnit.NANOSECONDS.timedJoin(thread, WRITE_LIMIT));
  }
}
