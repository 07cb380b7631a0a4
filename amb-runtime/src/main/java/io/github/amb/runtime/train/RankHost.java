package io.github.amb.runtime.train;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.evaluation.Evaluator;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.record.EvaluationRecord;
import java.util.Map;
import java.util.function.Consumer;

/** What a rank has to itself where it is a process, and shares where it is a thread of many. */
interface RankHost {
  /** The network on its data; the rank closes it. */
  GradientSource source();

  /**
   * The order in which a worker takes the training examples.
   *
   * @param worker from 0
   */
  ExampleOrder order(int worker, int workers);

  /**
   * Distribution of a worker's induced delays.
   *
   * @param rank from 1
   */
  DelayModel delays(int rank);

  /** Evaluates while workers go on; closes {@code source}. */
  Evaluator background(GradientSource source, Clock clock, Consumer<? super EvaluationRecord> log);

  /** What computes gradients, for {@code run.json}. */
  Map<String, String> describe();
}
