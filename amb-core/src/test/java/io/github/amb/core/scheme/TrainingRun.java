package io.github.amb.core.scheme;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.evaluation.BlockingEvaluator;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.SoftmaxRegression;
import io.github.amb.core.random.Streams;
import io.github.amb.core.record.CollectRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.core.sim.CostModel;
import io.github.amb.core.sim.VirtualCluster;
import io.github.amb.core.update.MasterUpdate;
import io.github.amb.core.update.UpdateRules;
import io.github.amb.core.update.WeightDecay;
import java.util.ArrayList;
import java.util.List;

/** A small training run on the virtual cluster, and what came of it. */
final class TrainingRun {
  final List<LogRecord> records = new ArrayList<>();
  final float[] parameters;
  private final Streams streams;
  private final DelayModel delays;
  private final StopRule stop;
  private final GradientSource model;

  private TrainingRun(long seed, DelayModel delays, StopRule stop) {
    streams = new Streams(seed);
    this.delays = delays;
    this.stop = stop;
    model = source();
    parameters = new float[model.layout().size()];
    model.initialise(seed, parameters);
  }

  private static GradientSource source() {
    return SoftmaxRegression.blobs(4, 6, 240, 60, 7);
  }

  /** Runs {@code scheme} with the given workers. */
  static TrainingRun distributed(
      Scheme scheme, int workers, CostModel costs, long seed, DelayModel delays, StopRule stop) {
    TrainingRun run = new TrainingRun(seed, delays, stop);
    new VirtualCluster(workers + 1, costs)
        .run(
            (communicator, clock) -> {
              if (communicator.rank() == Communicator.MASTER) {
                scheme.runMaster(run.master(clock), communicator);
              } else {
                scheme.runWorker(run.worker(communicator.rank(), workers, clock), communicator);
              }
            });
    return run;
  }

  /** Runs in one process. */
  static TrainingRun local(Scheme scheme, long seed, DelayModel delays, StopRule stop) {
    TrainingRun run = new TrainingRun(seed, delays, stop);
    new VirtualCluster(1, CostModel.perExample(0.001))
        .run(
            (communicator, clock) ->
                new LocalTraining(run.master(clock), run.worker(1, 1, clock), scheme.batchPolicy())
                    .run());
    return run;
  }

  private MasterContext master(Clock clock) {
    var rule = UpdateRules.named("rms").create(parameters.length);
    return new MasterContext(
        clock,
        parameters,
        new MasterUpdate(model.layout(), rule, new WeightDecay(5e-4)),
        (step, epochs) -> 0.01,
        stop,
        model.trainingExamples(),
        new BlockingEvaluator(model, clock, streams, Integer.MAX_VALUE, -1, records::add),
        records::add);
  }

  private WorkerContext worker(int rank, int workers, Clock clock) {
    GradientSource source = source();
    return new WorkerContext(
        rank,
        clock,
        source,
        new ExampleOrder(streams, source.trainingExamples(), rank - 1, workers),
        delays,
        streams,
        record -> {});
  }

  List<StepRecord> steps() {
    return of(StepRecord.class);
  }

  List<WorkerRecord> workers() {
    return of(WorkerRecord.class);
  }

  List<CollectRecord> collections() {
    return of(CollectRecord.class);
  }

  <T extends LogRecord> List<T> of(Class<T> type) {
    return records.stream().filter(type::isInstance).map(type::cast).toList();
  }
}
