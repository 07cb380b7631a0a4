package io.github.amb.runtime.train;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Membership;
import io.github.amb.core.evaluation.EvaluationListener;
import io.github.amb.core.evaluation.Evaluator;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.state.StateMap;
import io.github.amb.runtime.checkpoint.ResumePoint;
import io.github.amb.runtime.fault.FaultInjector;
import java.io.IOException;
import java.util.Map;

/** What a rank has to itself where it is a process, and shares where it is a thread of many. */
interface RankEnvironment {
  /** The network on its data; the rank closes it. */
  GradientSource source(Clock clock);

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
  Evaluator background(GradientSource source, Clock clock, EvaluationListener listener);

  /** Where the run is taken up; null if it starts. */
  ResumePoint resumed() throws IOException;

  /**
   * Lets the workers of a generation in before training; the master's part.
   *
   * @param states what each is to go on from, by its rank in the generation; null at the start of a
   *     run
   */
  void admit(Membership.Generation generation, ResumePoint states) throws IOException;

  /** Joins a generation before training, and gets the state to go on from; a worker's part. */
  StateMap join(Membership.Generation generation) throws IOException;

  /** How faults are done to a rank. */
  FaultInjector.Signals signals();

  /** What computes gradients, for {@code run.json}. */
  Map<String, String> describe();
}
