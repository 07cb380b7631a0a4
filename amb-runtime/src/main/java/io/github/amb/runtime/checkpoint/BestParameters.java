package io.github.amb.runtime.checkpoint;

import io.github.amb.core.gradient.Layout;
import io.github.amb.core.record.EvaluationRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Consumer;

/** Keeps the parameters with the highest accuracy on test examples. Used by several threads. */
final class BestParameters {
  private final Layout layout;
  private double accuracy;
  private EvaluationRecord last;
  private Snapshot news;

  /**
   * @param layout layout of the parameter vector
   * @param accuracy accuracy of the best parameters on disk; less than 0 if there are none
   */
  BestParameters(Layout layout, double accuracy) {
    this.layout = layout;
    this.accuracy = accuracy;
  }

  /**
   * Accuracy of the best parameters on disk, 0 to 1; −1 if there are none.
   *
   * @param directory the run's checkpoints
   * @param warnings receives a line if they are damaged
   * @throws UncheckedIOException if they cannot be read, and worse ones could so replace them
   */
  static double accuracy(CheckpointDirectory directory, Consumer<String> warnings) {
    try {
      return directory.best().map(best -> best.manifest().accuracy()).orElse(-1.0);
    } catch (DamagedException e) {
      warnings.accept("best parameters are not used: " + e.getMessage());
      return -1;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  synchronized void offer(EvaluationRecord tested, float[] values) {
    last = tested;
    if (tested.accuracy() > accuracy) {
      accuracy = tested.accuracy();
      news = news == null ? new Snapshot(layout) : news;
      news.step = tested.step();
      news.seconds = tested.time();
      news.accuracy = tested.accuracy();
      news.master.put(Snapshot.PARAMETERS, values.clone());
    }
  }

  /** Accuracy of the parameters of a step if they were the last ones tested; otherwise null. */
  synchronized Double accuracyAt(long step) {
    return last != null && last.step() == step ? last.accuracy() : null;
  }

  /** A copy of the best parameters, or null if they have not changed since the last call. */
  synchronized Snapshot news() {
    Snapshot copy = news;
    news = null;
    return copy;
  }
}
