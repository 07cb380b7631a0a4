package io.github.amb.runtime.train;

import static io.github.amb.runtime.config.TrainSettings.DATA_SET;
import static io.github.amb.runtime.config.TrainSettings.EVALUATE_EVERY;
import static io.github.amb.runtime.config.TrainSettings.TEST_SIZE;
import static io.github.amb.runtime.config.TrainSettings.WORKERS;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Membership;
import io.github.amb.core.evaluation.EvaluationListener;
import io.github.amb.core.evaluation.Evaluator;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.sim.SharedSource;
import io.github.amb.core.sim.TimingSource;
import io.github.amb.core.sim.VirtualEvaluator;
import io.github.amb.core.state.StateMap;
import io.github.amb.models.data.DataSets;
import io.github.amb.runtime.checkpoint.ResumePoint;
import io.github.amb.runtime.fault.FaultInjector;
import java.io.IOException;
import java.util.Map;

/**
 * The environment of all ranks of a virtual cluster, which share one model and one order of
 * examples.
 */
final class VirtualEnvironment implements RankEnvironment, AutoCloseable {
  /** The first generation needs no handshake: ranks of one process have the same options. */
  private static final int FIRST = 1;

  private final RunParts run;
  private final Simulation simulation;
  private final SharedSource shared; // null where no gradients are computed
  private final ExampleOrder order;
  private final ResumePoint resumed;

  VirtualEnvironment(RunParts run, Simulation simulation) throws IOException {
    this.run = run;
    this.simulation = simulation;
    shared = run.timingOnly() ? null : new SharedSource(run::open);
    order =
        run.timingOnly()
            ? ExampleOrder.unread()
            : run.order(run.data().train().count(), run.settings().get(WORKERS));
    resumed = ResumeOptions.point(run);
  }

  private static GradientSource timing(RunParts run) {
    String data = run.settings().get(DATA_SET);
    return new TimingSource(DataSets.trainingExamples(data), DataSets.testExamples(data));
  }

  @Override
  public GradientSource source(Clock clock) {
    return shared == null ? timing(run) : shared.view(clock);
  }

  @Override
  public ExampleOrder order(int worker, int workers) {
    return order.of(worker);
  }

  @Override
  public DelayModel delays(int rank) {
    return simulation.trace() == null ? run.delays() : simulation.trace().delays(rank);
  }

  @Override
  public Evaluator background(GradientSource source, Clock clock, EvaluationListener listener) {
    return new VirtualEvaluator(
        source,
        clock,
        simulation.workTime(),
        run.streams(),
        run.settings().get(EVALUATE_EVERY),
        run.settings().get(TEST_SIZE),
        listener);
  }

  @Override
  public ResumePoint resumed() {
    return resumed;
  }

  @Override
  public void admit(Membership.Generation generation, ResumePoint states) {
    if (generation.number() > FIRST) {
      Handshake.welcome(generation.communicator(), states, Clock.NEVER);
    }
  }

  @Override
  public StateMap join(Membership.Generation generation) {
    if (generation.number() > FIRST) {
      return Handshake.awaitWelcome(generation.communicator(), Clock.NEVER);
    }
    return resumed == null ? new StateMap() : resumed.worker(generation.self());
  }

  @Override
  public FaultInjector.Signals signals() {
    return new VirtualSignals(run.settings());
  }

  @Override
  public Map<String, String> describe() {
    return run.describeEngine();
  }

  @Override
  public void close() {
    if (shared != null) {
      shared.close();
    }
  }
}
