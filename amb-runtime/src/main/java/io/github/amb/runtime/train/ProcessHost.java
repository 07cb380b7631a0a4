package io.github.amb.runtime.train;

import static io.github.amb.runtime.config.TrainSettings.EVALUATE_EVERY;
import static io.github.amb.runtime.config.TrainSettings.TEST_SIZE;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.evaluation.BackgroundEvaluator;
import io.github.amb.core.evaluation.BlockingEvaluator;
import io.github.amb.core.evaluation.Evaluator;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.models.dl4j.Natives;
import io.github.amb.models.network.Networks;
import java.util.Map;
import java.util.function.Consumer;

/** A rank with a process of its own shares nothing. */
record ProcessHost(RunParts run) implements RankHost {
  @Override
  public GradientSource source() {
    return Networks.open(run.network(), run.data());
  }

  @Override
  public ExampleOrder order(int worker, int workers) {
    return new ExampleOrder(run.streams(), run.data().train().count(), worker, workers);
  }

  @Override
  public DelayModel delays(int rank) {
    return run.delays();
  }

  @Override
  public Evaluator background(
      GradientSource source, Clock clock, Consumer<? super EvaluationRecord> log) {
    int every = run.settings().get(EVALUATE_EVERY);
    int testSize = run.settings().get(TEST_SIZE);
    return new BackgroundEvaluator(
        new BlockingEvaluator(source, clock, run.streams(), every, testSize, log), clock, every);
  }

  @Override
  public Map<String, String> describe() {
    return Natives.describe();
  }
}
