package io.github.amb.core.evaluation;

import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;

/** Offers another evaluator the first parameters of each interval of time. */
public final class TimedEvaluator implements Evaluator, Checkpointed {
  private final Evaluator evaluator;
  private final double seconds;
  private long begun;

  /**
   * @param evaluator closed with this one
   * @param seconds length of an interval; positive
   */
  public TimedEvaluator(Evaluator evaluator, double seconds) {
    this.evaluator = evaluator;
    this.seconds = seconds;
  }

  @Override
  public void visit(StateVisitor state) {
    if (evaluator instanceof Checkpointed member) {
      member.visit(state);
    }
    begun = state.integer("begun", begun);
  }

  @Override
  public void offer(double time, long step, float[] parameters) {
    long interval = (long) (time / seconds);
    if (interval > begun) {
      begun = interval;
      evaluator.offer(time, step, parameters);
    }
  }

  @Override
  public void last(double time, long step, float[] parameters) {
    evaluator.last(time, step, parameters);
  }

  @Override
  public EvaluationRecord newest() {
    return evaluator.newest();
  }

  @Override
  public void close() {
    evaluator.close();
  }
}
