package io.github.amb.runtime.checkpoint;

import io.github.amb.core.gradient.Layout;
import io.github.amb.core.record.EvaluationRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Consumer;

/**
 * Keeps the parameters with the highest accuracy on test examples, or with the smallest loss where
 * there is no accuracy. Used by several threads.
 */
final class BestParameters {
  private static final double NONE = Double.NEGATIVE_INFINITY;

  private final Layout layout;
  private double merit;
  private EvaluationRecord last;
  private Snapshot news;

  /**
   * @param layout layout of the parameter vector
   * @param merit of the best parameters on disk, as {@link #merit} returns it
   */
  BestParameters(Layout layout, double merit) {
    this.layout = layout;
    this.merit = merit;
  }

  /**
   * The merit of the best parameters on disk, as {@link EvaluationRecord#merit} has it; −∞ if there
   * are none.
   *
   * @param directory the run's checkpoints
   * @param warnings receives a line if they are damaged
   * @throws UncheckedIOException if they cannot be read, and worse ones could so replace them
   */
  static double merit(CheckpointDirectory directory, Consumer<String> warnings) {
    try {
      return directory.best().map(best -> best.manifest().merit()).orElse(NONE);
    } catch (DamagedException e) {
      warnings.accept("best parameters are not used: " + e.getMessage());
      return NONE;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  synchronized void offer(EvaluationRecord tested, float[] values) {
    last = tested;
    if (tested.merit() > merit) {
      merit = tested.merit();
      news = news == null ? new Snapshot(layout) : news;
      news.step = tested.step();
      news.seconds = tested.time();
      news.tested(tested);
      news.master.put(Snapshot.PARAMETERS, values.clone());
    }
  }

  /** The test of the parameters of a step if they were the last ones tested; otherwise null. */
  synchronized EvaluationRecord testOf(long step) {
    return last != null && last.step() == step ? last : null;
  }

  /** A copy of the best parameters, or null if they have not changed since the last call. */
  synchronized Snapshot news() {
    Snapshot copy = news;
    news = null;
    return copy;
  }
}
