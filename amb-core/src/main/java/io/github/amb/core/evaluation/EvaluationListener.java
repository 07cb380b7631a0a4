package io.github.amb.core.evaluation;

import io.github.amb.core.record.EvaluationRecord;

/** Hears of every evaluation. */
@FunctionalInterface
public interface EvaluationListener {
  /**
   * Parameters have been tested.
   *
   * @param parameters the flat vector; not modified, not kept after return
   */
  void evaluated(EvaluationRecord result, float[] parameters);
}
