package io.github.amb.runtime.evaluate;

import io.github.amb.core.record.RunDirectory;
import java.io.IOException;
import java.io.PrintStream;

/**
 * Waits for new checkpoints of a run, and tests them, until the run has ended.
 *
 * @param run the run's directory
 * @param poll seconds between two checks
 * @param idleLimit seconds without a new checkpoint after which to stop
 * @param err receives warnings
 */
record Watch(RunDirectory run, double poll, double idleLimit, PrintStream err) {
  void run(RunEvaluation evaluation) throws IOException, InterruptedException {
    long last = System.nanoTime();
    while (true) {
      // Ask first whether it has ended, so that its last checkpoints are not missed.
      boolean ended = run.read().ending() != null;
      if (evaluation.evaluateNew() > 0) {
        last = System.nanoTime();
      }
      if (ended) {
        return;
      }
      if (System.nanoTime() - last > 1e9 * idleLimit) {
        err.println(
            "amb: %s: stopped, as there was no new checkpoint for %.0f s (--idle-limit); the run has not recorded its end"
                .formatted(run.path(), idleLimit));
        return;
      }
      Thread.sleep(Math.max(1, (long) (1e3 * poll)));
    }
  }
}
