package io.github.amb.core.sim;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Work;
import io.github.amb.core.evaluation.BackgroundEvaluator;
import io.github.amb.core.evaluation.BlockingEvaluator;
import io.github.amb.core.evaluation.EvaluationListener;
import io.github.amb.core.evaluation.Evaluator;
import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.random.Streams;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;
import java.util.Map;

/**
 * {@link BackgroundEvaluator} in virtual time. No worker waits for an evaluation. A snapshot is
 * declined while another one is evaluated, and while evaluations have taken more than {@link
 * BackgroundEvaluator#MAX_SHARE} of the time. A result is known when its evaluation ends.
 *
 * <p>Evaluations that take no virtual time still take real time. So they may be spaced: one every
 * {@link #SPACING} of the time.
 */
public final class VirtualEvaluator implements Evaluator, Checkpointed {
  /** Share of the time so far after which the next spaced evaluation comes. */
  public static final double SPACING = 0.02;

  private final Evaluator evaluator;
  private final GradientSource source;
  private final Stopwatch stopwatch;
  private final Clock clock;
  private final int every;
  private final EvaluationListener listener;
  private final double spacing;
  private final float[] tested;
  private EvaluationRecord result;
  private boolean told = true;
  private long due;
  private long declineUntil = Long.MIN_VALUE;

  /** Adds up the time of an evaluation. The master's clock does not advance. */
  private static final class Stopwatch implements Clock {
    private final WorkTime workTime;
    private long now;

    Stopwatch(WorkTime workTime) {
      this.workTime = workTime;
    }

    @Override
    public long now() {
      return now;
    }

    @Override
    public void sleep(long nanos) {
      now += nanos;
    }

    @Override
    public void charge(Work work, long amount) {
      sleep(workTime.nanos(0, work, amount));
    }
  }

  /**
   * @param source model and test examples; closed with this evaluator
   * @param clock the master's clock
   * @param workTime duration of an evaluation
   * @param streams source of random test subsets
   * @param every the steps to evaluate are multiples of this positive number
   * @param testSize number of test examples, a new random subset each time; −1 for all
   * @param spacing share of the time so far that lies between two evaluations at least; 0 for none
   * @param listener receives each result when its evaluation has ended
   */
  public VirtualEvaluator(
      GradientSource source,
      Clock clock,
      WorkTime workTime,
      Streams streams,
      int every,
      int testSize,
      double spacing,
      EvaluationListener listener) {
    this.source = source;
    this.clock = clock;
    this.every = every;
    this.listener = listener;
    this.spacing = spacing;
    tested = new float[source.layout().size()];
    stopwatch = new Stopwatch(workTime);
    evaluator = new BlockingEvaluator(source, stopwatch, streams, 1, testSize, new Results());
  }

  @Override
  public void visit(StateVisitor state) {
    due = state.integer("due", due);
    declineUntil = state.integer("decline-until", declineUntil);
    told = state.integer("told", told ? 1 : 0) == 1;
    state.floats("tested", tested);
    double[] numbers = state.anyDoubles("result", numbers());
    if (numbers.length > 0) {
      Evaluation scores = new Evaluation(numbers[2], numbers[3], (int) numbers[4]);
      result =
          new EvaluationRecord(
              numbers[0],
              (long) numbers[1],
              scores.loss(),
              scores.accuracy(),
              scores.examples(),
              numbers[5],
              told ? Map.of() : source.metrics(tested, scores));
    }
  }

  private double[] numbers() {
    return result == null
        ? new double[0]
        : new double[] {
          result.time(),
          result.step(),
          result.testLoss(),
          result.accuracy(),
          result.testSize(),
          result.duration()
        };
  }

  /** Keeps the result of an evaluation until it has ended in virtual time. */
  private final class Results implements EvaluationListener {
    @Override
    public void evaluated(EvaluationRecord record, float[] parameters) {
      result = record;
      System.arraycopy(parameters, 0, tested, 0, tested.length);
    }

    @Override
    public void tested(int done, int of) {
      listener.tested(done, of);
    }
  }

  @Override
  public void offer(double time, long step, float[] parameters) {
    tell();
    boolean spaced = result == null || time >= result.time() * (1 + spacing);
    if (step % every == 0 && told && spaced && clock.now() >= declineUntil) {
      start(time, step, parameters);
    }
  }

  @Override
  public void last(double time, long step, float[] parameters) {
    clock.sleep(due - clock.now());
    tell();
    if (result == null || result.step() != step) {
      start(time, step, parameters);
      clock.sleep(due - clock.now());
      tell();
    }
  }

  @Override
  public EvaluationRecord newest() {
    tell();
    return told ? result : null;
  }

  private void start(double time, long step, float[] parameters) {
    long before = stopwatch.now();
    evaluator.last(time, step, parameters);
    long duration = stopwatch.now() - before;
    due = clock.now() + duration;
    declineUntil = due + (long) (duration * (1 / BackgroundEvaluator.MAX_SHARE - 1));
    told = false;
    tell();
  }

  private void tell() {
    if (!told && clock.now() >= due) {
      told = true;
      listener.evaluated(result, tested);
    }
  }

  @Override
  public void close() {
    evaluator.close();
  }
}
