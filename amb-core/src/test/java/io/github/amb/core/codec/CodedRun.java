package io.github.amb.core.codec;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.Deviation;
import io.github.amb.core.Seeds;
import io.github.amb.core.codec.link.Codings;
import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.evaluation.BlockingEvaluator;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.SoftmaxRegression;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.scheme.Scheme;
import io.github.amb.core.scheme.SchemeSamples;
import io.github.amb.core.scheme.context.MasterContext;
import io.github.amb.core.scheme.context.NonFinite;
import io.github.amb.core.scheme.context.StopRule;
import io.github.amb.core.scheme.context.WorkerContext;
import io.github.amb.core.sim.CostModel;
import io.github.amb.core.sim.VirtualCluster;
import io.github.amb.core.state.StateRegistry;
import io.github.amb.core.update.Clipping;
import io.github.amb.core.update.MasterUpdate;
import io.github.amb.core.update.UpdateHook;
import io.github.amb.core.update.UpdateRules;
import io.github.amb.core.update.WeightDecay;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A short training by a scheme through codecs, on a virtual cluster of unequal workers. */
final class CodedRun {
  static final int WORKERS = 3;
  static final long SEED = Seeds.of(1);
  static final int STEPS = 60;
  private static final int CLASSES = 6;
  private static final int FEATURES = 40;
  private static final int TESTED = 60;
  private static final int BATCH = 8;
  private static final double GUESS = 1.0 / CLASSES;

  /** The accuracy of guesses is larger but once in 1e10 runs. */
  static final double CHANCE = GUESS + Deviation.ofMean(TESTED, GUESS * (1 - GUESS), 1 - GUESS);

  /**
   * A scheme with options.
   *
   * @param text its name, then options as {@code name=value}, separated by blanks
   */
  static Scheme scheme(String text) {
    return SchemeSamples.make(text, BATCH, WORKERS);
  }

  final List<LogRecord> records = new ArrayList<>();
  float[] parameters;

  /** A hash of the parameters' bits at each step's record. */
  final List<String> hashes = new ArrayList<>();

  CodedRun(String scheme, String uplink, String downlink, double rate) {
    Scheme made = scheme(scheme);
    Codings codings =
        new Codings(Codecs.parse(uplink), Codecs.parse(downlink))
            .where(made.uplink())
            .inFragments(made.fragments());
    CostModel costs = CostModel.perExample(0.001);
    new VirtualCluster(4, costs, costs.workTime(1, 1, 0.7, 0.4), 1)
        .run((link, clock) -> rank(made, codings, link, clock, rate));
  }

  static GradientSource model() {
    return SoftmaxRegression.blobs(CLASSES, FEATURES, 240, TESTED, Seeds.of(7));
  }

  static MasterUpdate update(GradientSource model, UpdateHook hook) {
    var rule = UpdateRules.named("sgd").create(model.layout().size());
    return new MasterUpdate(model.layout(), rule, WeightDecay.NONE, Clipping.NONE, hook);
  }

  private void rank(Scheme scheme, Codings codings, Communicator link, Clock clock, double rate) {
    GradientSource model = model();
    if (link.rank() == Communicator.MASTER) {
      MasterContext master = master(model, codings, clock, rate);
      scheme.runMaster(
          master, codings.master(link, clock, master.update(), master.streams(), master.state()));
      parameters = master.parameters();
    } else {
      WorkerContext worker = worker(model, link.rank(), clock);
      scheme.runWorker(
          worker,
          codings.worker(link, clock, model.layout(), worker.streams(), new StateRegistry()));
    }
  }

  private MasterContext master(GradientSource model, Codings codings, Clock clock, double rate) {
    float[] parameters = new float[model.layout().size()];
    model.initialize(SEED, parameters);
    return new MasterContext(
        clock,
        parameters,
        update(model, codings.hook(model.layout())),
        (step, epochs) -> rate,
        StopRule.after(STEPS),
        model.trainingExamples(),
        CodecSamples.STREAMS,
        new BlockingEvaluator(
            model,
            clock,
            CodecSamples.STREAMS,
            Integer.MAX_VALUE,
            -1,
            (record, tested) -> records.add(record)),
        record -> add(record, parameters),
        new StateRegistry());
  }

  private void add(LogRecord record, float[] parameters) {
    records.add(record);
    if (record instanceof StepRecord) {
      int hash = Arrays.hashCode(parameters);
      hashes.add("%08x".formatted(hash));
    }
  }

  private static WorkerContext worker(GradientSource model, int rank, Clock clock) {
    return new WorkerContext(
        rank,
        clock,
        model,
        new ExampleOrder(CodecSamples.STREAMS, model.trainingExamples(), rank - 1, WORKERS),
        DelayModel.NONE,
        CodecSamples.STREAMS,
        update(model, null),
        record -> {},
        new StateRegistry(),
        NonFinite.HALT);
  }

  private <T> T last(Class<T> type) {
    return records.stream()
        .filter(type::isInstance)
        .map(type::cast)
        .reduce((first, second) -> second)
        .orElseThrow();
  }

  double accuracy() {
    return last(EvaluationRecord.class).accuracy();
  }

  void assertLearnt(String name) {
    assertTrue(accuracy() > CHANCE, () -> name + ": " + accuracy() + ", by chance " + CHANCE);
  }

  long bytesReceived() {
    return last(StepRecord.class).bytesReceived();
  }

  long bytesSent() {
    return last(StepRecord.class).bytesSent();
  }
}
