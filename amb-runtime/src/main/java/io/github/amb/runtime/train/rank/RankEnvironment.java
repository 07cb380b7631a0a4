package io.github.amb.runtime.train.rank;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Membership;
import io.github.amb.core.evaluation.EvaluationListener;
import io.github.amb.core.evaluation.Evaluator;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.state.StateMap;
import io.github.amb.core.state.StateRegistry;
import io.github.amb.runtime.checkpoint.Interval;
import io.github.amb.runtime.checkpoint.ResumePoint;
import io.github.amb.runtime.checkpoint.RunCheckpoints;
import io.github.amb.runtime.fault.FaultInjector;
import io.github.amb.runtime.fault.Injected;
import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;

/** What a rank owns if it is a process, and shares if it is one of many threads. */
interface RankEnvironment {
  /** The network with its data; the rank closes it. */
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

  /**
   * An evaluator that runs while workers continue; it closes {@code source}.
   *
   * @param every how often parameters are tested at most
   */
  Evaluator background(
      GradientSource source, Clock clock, Interval every, EvaluationListener listener);

  /**
   * The resumed checkpoint; null in a new run.
   *
   * @throws IOException if the checkpoint cannot be read
   */
  ResumePoint resumed() throws IOException;

  /**
   * The master's part: sends the workers of a generation their states before training.
   *
   * @param states by rank in the generation; null at the start of a new run
   */
  void admit(Membership.Generation generation, ResumePoint states);

  /** A worker's part: joins a generation before training, and receives the state to start from. */
  StateMap join(Membership.Generation generation) throws IOException;

  /**
   * Lets checkpoints have the messages in transit, where that is possible. Called before a rank
   * registers what it remembers.
   *
   * @param rank its number in the run
   */
  default void keepRounds(int rank, StateRegistry state) {}

  /** What checkpoints have the messages in transit from; null where they have none. */
  default RunCheckpoints.Rounds rounds() {
    return null;
  }

  /** How injected faults that end or stop a rank affect it. */
  FaultInjector.Signals signals();

  /** Whether ranks may leave the run, so that a generation may end. */
  default boolean losesRanks() {
    return true;
  }

  /** Receives each occurrence of an injected fault of this rank. */
  Consumer<Injected> faults();

  /** The engine that computes gradients, for {@code run.json}. */
  Map<String, String> describe();
}
