package io.github.amb.core.evaluation;

import io.github.amb.core.record.EvaluationRecord;

/** Receives the result of every evaluation. */
@FunctionalInterface
public interface EvaluationListener {
  /**
   * Called after an evaluation.
   *
   * @param result the scores
   * @param parameters the evaluated flat vector; not modified, not kept after return
   */
  void evaluated(EvaluationRecord result, float[] parameters);

  /**
   * An evaluation is under way.
   *
   * @param done examples tested
   * @param of examples to test
   */
  default void tested(int done, int of) {}
}
