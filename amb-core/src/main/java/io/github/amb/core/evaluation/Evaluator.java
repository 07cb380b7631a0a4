package io.github.amb.core.evaluation;

import io.github.amb.core.record.EvaluationRecord;

/** Evaluates snapshots of the parameters on test examples and records the results. */
public interface Evaluator extends AutoCloseable {
  /**
   * Offers a snapshot of the parameters, which may be declined.
   *
   * @param time seconds since the run's first step began
   * @param step updates applied to the parameters
   * @param parameters the flat vector; not modified, not kept after return
   */
  void offer(double time, long step, float[] parameters);

  /**
   * Evaluates the run's last parameters, never declined, and waits for the result.
   *
   * @param time seconds since the run's first step began
   * @param step updates applied to the parameters
   * @param parameters the flat vector; not modified, not kept after return
   */
  void last(double time, long step, float[] parameters);

  /** The newest evaluation whose result is known; null before the first one. */
  EvaluationRecord newest();

  @Override
  void close();
}
