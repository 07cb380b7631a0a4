package io.github.amb.runtime.checkpoint;

import io.github.amb.core.thread.Daemon;
import io.github.amb.core.thread.Waits;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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

  private static final String UNCLEAN = "cannot remove an unfinished checkpoint";

  private final CheckpointDirectory directory;
  private final int keep;
  private final LongPredicate wanted;
  private final Consumer<String> warnings;
  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(Daemon.factory("checkpoints"));
  private volatile CountDownLatch written = new CountDownLatch(0);
  private volatile Runnable before = () -> {};
  private volatile String failure = "";
  private volatile long idleSince;

  /**
   * @param directory the run's checkpoints
   * @param keep how many checkpoints to keep
   * @param wanted whether an older one is kept, too, by step; called on the writer's thread
   * @param warnings receives a line when one cannot be written; called on the writer's thread
   */
  CheckpointWriter(
      CheckpointDirectory directory, int keep, LongPredicate wanted, Consumer<String> warnings) {
    this.wanted = wanted;
    this.directory = directory;
    this.keep = keep;
    this.warnings = warnings;
    thread.execute(() -> attempt(directory::clean, UNCLEAN));
  }

  /** Sets an action that runs on the writer's thread before each checkpoint is written. */
  void writeAfter(Runnable before) {
    this.before = before;
  }

  /** Whether no checkpoint is being written. */
  boolean isIdle() {
    return written.getCount() == 0;
  }

  /**
   * Writes snapshots, which must not change until {@link #isIdle}.
   *
   * @param snapshot the checkpoint; null for none
   * @param best the best parameters if they are new; otherwise null
   */
  void write(Snapshot snapshot, Snapshot best) {
    CountDownLatch done = new CountDownLatch(1);
    written = done;
    thread.execute(
        () -> {
          work(snapshot, best);
          idleSince = System.nanoTime();
          done.countDown();
        });
  }

  /**
   * Waits until no checkpoint is being written; returns false after {@code limitNanos} nanoseconds.
   */
  boolean awaitIdle(long limitNanos) {
    return Waits.await(written, limitNanos, TimeUnit.NANOSECONDS);
  }

  private void work(Snapshot snapshot, Snapshot best) {
    before.run();
    if (best != null) { // First: a run that resumes after the snapshot does not test them again.
      attempt(
          () -> directory.writeBest(best),
          "cannot write the best parameters, those of step " + best.step);
    }
    if (snapshot != null) {
      failure =
          attempt(
              () -> directory.write(snapshot),
              "cannot write the checkpoint of step " + snapshot.step);
      if (failure.isEmpty()) {
        attempt(directory::clean, UNCLEAN);
        attempt(() -> prune(snapshot.step), "cannot remove an old checkpoint");
      }
    }
    if (best != null) {
      attempt(directory::pruneBest, "cannot remove former best parameters");
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
    thread.shutdown();
    Waits.uninterrupted(() -> thread.awaitTermination(WRITE_LIMIT, TimeUnit.NANOSECONDS));
  }
}
