package io.github.amb.runtime.train.rank;

import static io.github.amb.runtime.config.TrainSettings.*;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.evaluation.BlockingEvaluator;
import io.github.amb.core.evaluation.EvaluationListener;
import io.github.amb.core.evaluation.Evaluator;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.scheme.context.MasterContext;
import io.github.amb.core.scheme.context.NonFinite;
import io.github.amb.core.scheme.context.WorkerContext;
import io.github.amb.core.state.StateRegistry;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.console.WorkerConsole;
import io.github.amb.runtime.train.part.RuleParts;
import io.github.amb.runtime.train.part.RunParts;
import java.io.PrintStream;
import java.util.function.Consumer;

/**
 * Makes the contexts of a master and a worker from a run's parts.
 *
 * @param run the run's parts
 * @param clock the engine's clock
 * @param host what the rank shares with others
 * @param nonFinite handles non-finite gradients that a worker applies itself
 */
record RankParts(RunParts run, Clock clock, RankEnvironment host, NonFinite nonFinite) {
  /** The network with its data; the caller closes it. */
  GradientSource source() {
    return host.source(clock);
  }

  /**
   * The master's context.
   *
   * @param source evaluates and describes the parameters; closed together with the evaluator
   * @param log receives every record
   * @param tested receives every evaluation
   * @param state state of the master, saved in checkpoints
   */
  MasterContext master(
      GradientSource source,
      Consumer<? super LogRecord> log,
      EvaluationListener tested,
      StateRegistry state) {
    Settings settings = run.settings();
    Layout layout = source.layout();
    float[] parameters = new float[layout.size()];
    source.initialize(settings.get(SEED), parameters);
    return new MasterContext(
        clock,
        parameters,
        RuleParts.update(run, layout, run.codings().hook(layout)),
        run.schedule(),
        run.stop(),
        source.trainingExamples(),
        run.streams(),
        evaluator(source, tested),
        log,
        state);
  }

  private Evaluator evaluator(GradientSource source, EvaluationListener tested) {
    Settings settings = run.settings();
    int every = settings.get(EVALUATE_EVERY);
    int testSize = settings.get(TEST_SIZE);
    return switch (settings.get(EVALUATE)) {
      case BLOCKING -> new BlockingEvaluator(source, clock, run.streams(), every, testSize, tested);
      case "background" -> host.background(source, clock, tested);
      default ->
          new BlockingEvaluator(source, clock, run.streams(), Integer.MAX_VALUE, testSize, tested);
    };
  }

  /**
   * A worker's context.
   *
   * @param rank from 1
   * @param workers number of workers
   * @param console receives its progress lines
   * @param state state of the worker, saved in checkpoints
   */
  WorkerContext worker(
      int rank,
      int workers,
      Clock clock,
      GradientSource source,
      PrintStream console,
      StateRegistry state) {
    return new WorkerContext(
        rank,
        clock,
        source,
        host.order(rank - 1, workers),
        host.delays(rank),
        run.streams(),
        RuleParts.update(run, source.layout(), null),
        new WorkerConsole(console, !run.settings().get(INDUCE).equals("none")),
        state,
        nonFinite);
  }
}
