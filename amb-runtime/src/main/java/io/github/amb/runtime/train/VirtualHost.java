package io.github.amb.runtime.train;

import static io.github.amb.runtime.config.TrainSettings.DATA_SET;
import static io.github.amb.runtime.config.TrainSettings.EVALUATE_EVERY;
import static io.github.amb.runtime.config.TrainSettings.TEST_SIZE;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.evaluation.Evaluator;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.ExampleSequence;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.sim.SharedSource;
import io.github.amb.core.sim.TimingSource;
import io.github.amb.core.sim.VirtualEvaluator;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.dl4j.Natives;
import io.github.amb.models.network.Networks;
import java.util.Map;
import java.util.function.Consumer;

/** All ranks of a virtual cluster share one model and one sequence of examples. */
final class VirtualHost implements RankHost, AutoCloseable {
  private final RunParts run;
  private final Simulation simulation;
  private final SharedSource shared; // null where no gradients are computed
  private final ExampleSequence sequence;

  VirtualHost(RunParts run, Simulation simulation) {
    this.run = run;
    this.simulation = simulation;
    shared =
        run.timingOnly() ? null : new SharedSource(() -> Networks.open(run.network(), run.data()));
    sequence = new ExampleSequence(run.streams(), source().trainingExamples());
  }

  private static GradientSource timing(RunParts run) {
    String data = run.settings().get(DATA_SET);
    return new TimingSource(DataSets.trainingExamples(data), DataSets.testExamples(data));
  }

  @Override
  public GradientSource source() {
    return shared == null ? timing(run) : shared.view();
  }

  @Override
  public ExampleOrder order(int worker, int workers) {
    return new ExampleOrder(sequence, worker, workers);
  }

  @Override
  public DelayModel delays(int rank) {
    return simulation.trace() == null ? run.delays() : simulation.trace().delays(rank);
  }

  @Override
  public Evaluator background(
      GradientSource source, Clock clock, Consumer<? super EvaluationRecord> log) {
    return new VirtualEvaluator(
        source,
        clock,
        simulation.workTime(),
        run.streams(),
        run.settings().get(EVALUATE_EVERY),
        run.settings().get(TEST_SIZE),
        log);
  }

  @Override
  public Map<String, String> describe() {
    return run.timingOnly() ? Map.of() : Natives.describe();
  }

  @Override
  public void close() {
    if (shared != null) {
      shared.close();
    }
  }
}
