package io.github.amb.core.sim;

import io.github.amb.core.Seeds;
import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.Message;
import io.github.amb.core.evaluation.BlockingEvaluator;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.ExampleSequence;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.SoftmaxRegression;
import io.github.amb.core.option.Setting;
import io.github.amb.core.random.Streams;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.core.scheme.Scheme;
import io.github.amb.core.scheme.SchemeOptions;
import io.github.amb.core.scheme.Schemes;
import io.github.amb.core.scheme.context.MasterContext;
import io.github.amb.core.scheme.context.NonFinite;
import io.github.amb.core.scheme.context.StopRule;
import io.github.amb.core.scheme.context.WorkerContext;
import io.github.amb.core.state.StateRegistry;
import io.github.amb.core.update.MasterUpdate;
import io.github.amb.core.update.UpdateRules;
import io.github.amb.core.update.WeightDecay;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** A training run on a virtual cluster, and what came of it. */
final class SimulatedTraining {
  final List<LogRecord> records = new ArrayList<>();

  /** When the master heard of computations that were abandoned, in virtual nanoseconds. */
  final List<Long> abandoned = new ArrayList<>();

  private final Function<Clock, GradientSource> sources;
  private final Streams streams;
  private float[] parameters;

  private SimulatedTraining(Function<Clock, GradientSource> sources, long seed) {
    this.sources = sources;
    streams = new Streams(Seeds.of(seed));
  }

  static GradientSource softmax() {
    return SoftmaxRegression.blobs(4, 6, 240, 60, Seeds.of(7));
  }

  static GradientSource nothing() {
    return new TimingSource(50_000, 10_000);
  }

  static Scheme amb(int batchSize, double timeLimit, int partitions) {
    return Schemes.named("amb")
        .create(
            options(batchSize)
                .withText(option("amb-time-limit"), String.valueOf(timeLimit))
                .withText(option("amb-num-partitions"), String.valueOf(partitions)));
  }

  /** A scheme of 5 workers, batch size 12; options as {@code name=value}. */
  static Scheme scheme(String name, String... options) {
    SchemeOptions all = new SchemeOptions(12, 5);
    for (String option : options) {
      String[] parts = option.split("=");
      all = all.withText(option(parts[0]), parts[1]);
    }
    return Schemes.named(name).create(all);
  }

  private static SchemeOptions options(int batchSize) {
    return new SchemeOptions(batchSize, 1);
  }

  private static Setting<?> option(String name) {
    return Schemes.ALL.options().stream()
        .filter(o -> o.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  static Scheme fmb(int batchSize) {
    return Schemes.named("fmb").create(options(batchSize));
  }

  static SimulatedTraining run(
      VirtualCluster cluster,
      Scheme scheme,
      Supplier<GradientSource> sources,
      IntFunction<DelayModel> delays,
      int steps) {
    return runOn(cluster, scheme, clock -> sources.get(), delays, steps);
  }

  /** The same with models that are told whose clock goes with them. */
  static SimulatedTraining runOn(
      VirtualCluster cluster,
      Scheme scheme,
      Function<Clock, GradientSource> sources,
      IntFunction<DelayModel> delays,
      int steps) {
    return runUntil(cluster, scheme, sources, delays, StopRule.after(steps));
  }

  static SimulatedTraining runUntil(
      VirtualCluster cluster,
      Scheme scheme,
      Function<Clock, GradientSource> sources,
      IntFunction<DelayModel> delays,
      StopRule stop) {
    SimulatedTraining training = new SimulatedTraining(sources, 3);
    ExampleSequence sequence =
        new ExampleSequence(training.streams, sources.apply(null).trainingExamples());
    cluster.run(
        (communicator, clock) -> {
          if (communicator.rank() == Communicator.MASTER) {
            scheme.runMaster(
                training.master(clock, stop),
                new ForwardingCommunicator(communicator) {
                  @Override
                  protected boolean received(Message message) {
                    if (message.kind() == Message.Kind.TAKEN) {
                      training.abandoned.add(clock.now());
                    }
                    return true;
                  }
                });
          } else {
            int rank = communicator.rank();
            ExampleOrder order = new ExampleOrder(sequence, rank - 1, communicator.size() - 1);
            scheme.runWorker(training.worker(rank, clock, order, delays.apply(rank)), communicator);
          }
        });
    return training;
  }

  private MasterContext master(Clock clock, StopRule stop) {
    GradientSource source = sources.apply(clock);
    parameters = new float[source.layout().size()];
    source.initialize(Seeds.of(5), parameters);
    return new MasterContext(
        clock,
        parameters,
        update(source),
        (step, epochs) -> 0.01,
        stop,
        source.trainingExamples(),
        streams,
        new BlockingEvaluator(source, clock, streams, Integer.MAX_VALUE, 1, (result, tested) -> {}),
        records::add,
        new StateRegistry());
  }

  private WorkerContext worker(int rank, Clock clock, ExampleOrder order, DelayModel delays) {
    GradientSource source = sources.apply(clock);
    return new WorkerContext(
        rank,
        clock,
        source,
        order,
        delays,
        streams,
        update(source),
        record -> {},
        new StateRegistry(),
        NonFinite.HALT);
  }

  private static MasterUpdate update(GradientSource source) {
    var rule = UpdateRules.named("rms").create(source.layout().size());
    return new MasterUpdate(source.layout(), rule, new WeightDecay(5e-4));
  }

  float[] parameters() {
    return parameters;
  }

  List<WorkerRecord> workers() {
    return LogRecord.of(WorkerRecord.class, records);
  }

  List<StepRecord> steps() {
    return LogRecord.of(StepRecord.class, records);
  }

  /** Virtual seconds from start to the last update, per update. */
  double secondsPerStep() {
    StepRecord last = steps().get(steps().size() - 1);
    return last.time() / last.step();
  }
}
