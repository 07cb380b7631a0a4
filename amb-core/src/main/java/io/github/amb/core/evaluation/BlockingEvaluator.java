package io.github.amb.core.evaluation;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Work;
import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.random.Streams;
import io.github.amb.core.record.EvaluationRecord;
import java.util.Arrays;
import org.apache.commons.rng.UniformRandomProvider;

/** Evaluates every k-th step on the caller's thread; the master and its workers wait. */
public final class BlockingEvaluator implements Evaluator {
  /** Examples after which the listener hears how far an evaluation is. */
  static final int PART = 1024;

  private final GradientSource source;
  private final Clock clock;
  private final Streams streams;
  private final int every;
  private final int[] examples;
  private final int testSize;
  private final EvaluationListener listener;
  private volatile EvaluationRecord newest;

  /**
   * @param source model and test examples; closed with this evaluator
   * @param clock charged for the evaluations
   * @param streams source of the random test subsets
   * @param every evaluate steps that are multiples of this; positive
   * @param testSize number of test examples, a new random subset each time; −1 for all
   * @param listener receives the result of every evaluation
   */
  public BlockingEvaluator(
      GradientSource source,
      Clock clock,
      Streams streams,
      int every,
      int testSize,
      EvaluationListener listener) {
    this.source = source;
    this.clock = clock;
    this.streams = streams;
    this.every = every;
    this.listener = listener;
    examples = new int[source.testExamples()];
    Arrays.setAll(examples, i -> i);
    this.testSize = testSize < 0 ? examples.length : Math.min(testSize, examples.length);
  }

  @Override
  public void offer(double time, long step, float[] parameters) {
    if (step % every == 0) {
      evaluate(time, step, parameters);
    }
  }

  @Override
  public void last(double time, long step, float[] parameters) {
    if (newest == null || step != newest.step()) {
      evaluate(time, step, parameters);
    }
  }

  @Override
  public EvaluationRecord newest() {
    return newest;
  }

  private void evaluate(double time, long step, float[] parameters) {
    long start = clock.now();
    if (testSize < examples.length) {
      drawSubset(streams.stream("test subset", 0, step));
    }
    Evaluation result = evaluate(parameters);
    clock.charge(Work.EVALUATION, testSize);
    EvaluationRecord found =
        new EvaluationRecord(
            time,
            step,
            result.loss(),
            result.accuracy(),
            testSize,
            Clock.seconds(start, clock.now()),
            source.metrics(parameters, result));
    newest = found;
    listener.evaluated(found, parameters);
  }

  private Evaluation evaluate(float[] parameters) {
    double loss = 0;
    double right = 0;
    int done = 0;
    while (done + PART < testSize) {
      Evaluation part = source.evaluate(parameters, examples, done, done + PART);
      loss += part.loss() * PART;
      right += part.accuracy() * PART;
      done += PART;
      listener.tested(done, testSize);
    }
    Evaluation rest = source.evaluate(parameters, examples, done, testSize);
    listener.tested(testSize, testSize);
    if (done == 0) {
      return rest;
    }
    loss += rest.loss() * (testSize - done);
    right += rest.accuracy() * (testSize - done);
    return new Evaluation(loss / testSize, Math.rint(right) / testSize, testSize);
  }

  /**
   * Moves a random subset to the front, by the first steps of a Fisher-Yates shuffle. The subset
   * depends only on the step, so a resumed run uses the same one.
   */
  private void drawSubset(UniformRandomProvider random) {
    Arrays.setAll(examples, i -> i);
    for (int i = 0; i < testSize; i++) {
      int j = i + random.nextInt(examples.length - i);
      int swapped = examples[i];
      examples[i] = examples[j];
      examples[j] = swapped;
    }
  }

  @Override
  public void close() {
    source.close();
  }
}
