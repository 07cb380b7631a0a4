package io.github.amb.runtime.scheme;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Message;
import io.github.amb.core.evaluation.BlockingEvaluator;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.option.Setting;
import io.github.amb.core.random.Streams;
import io.github.amb.core.record.DropRecord;
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
import io.github.amb.core.topology.Topology;
import io.github.amb.core.update.MasterUpdate;
import io.github.amb.core.update.UpdateRules;
import io.github.amb.core.update.WeightDecay;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.network.Networks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A short training job of one scheme on a small model, the same on every engine.
 *
 * @param scheme name
 * @param options of the scheme, by name; and the topology
 */
record SchemeJob(String scheme, Map<String, String> options) {
  static final int BATCH = 12;
  private static final int STEPS = 15;
  private static final DataSet DATA = DataSets.load("toy", null, 1);

  /** As text, one word: {@code scheme option=value …}, joined by colons. */
  static SchemeJob parse(String text) {
    String[] words = text.split(":");
    Map<String, String> options = new TreeMap<>();
    for (String word : List.of(words).subList(1, words.length)) {
      options.put(word.substring(0, word.indexOf('=')), word.substring(word.indexOf('=') + 1));
    }
    return new SchemeJob(words[0], options);
  }

  /**
   * What came of a job.
   *
   * @param parameters hash of the parameters' bits
   * @param loss mean training loss of the last step
   * @param steps updates
   * @param used examples in gradients used
   * @param dropped examples in gradients dropped
   * @param updated examples in updates
   * @param sent examples that workers say they sent
   */
  record Outcome(
      int parameters, double loss, long steps, long used, long dropped, long updated, long sent) {}

  private Scheme make(int workers) {
    SchemeOptions given = new SchemeOptions(BATCH, workers);
    for (Setting<?> option : Schemes.ALL.options()) {
      given = given.withText(option, options.get(option.name()));
    }
    return Schemes.named(scheme).create(given);
  }

  private static GradientSource source() {
    return Networks.open("mlp:16", DATA);
  }

  /** Delays of a few milliseconds, now and then of 10 times that. */
  private static DelayModel delays() {
    return random -> 0.002 * random.nextDouble() * (random.nextInt(8) == 0 ? 10 : 1);
  }

  private Communicator over(Communicator engine) {
    return Topology.named(options.getOrDefault("topology", "star")).over(engine);
  }

  /** Runs a worker, and then tells the master, when asked, how many examples it has sent. */
  void worker(Communicator communicator, Clock clock) {
    long[] sent = {0};
    Streams streams = new Streams(1);
    try (GradientSource source = source()) {
      int rank = communicator.rank();
      int workers = communicator.size() - 1;
      make(workers)
          .runWorker(
              new WorkerContext(
                  rank,
                  clock,
                  source,
                  new ExampleOrder(streams, source.trainingExamples(), rank - 1, workers),
                  delays(),
                  streams,
                  update(source),
                  step -> sent[0] += step.numSamples(),
                  new StateRegistry(),
                  NonFinite.HALT),
              over(communicator));
    }
    Message last = new Message();
    communicator.receive(Communicator.MASTER, last, Clock.NEVER);
    requireLast(last);
    last.examples(sent[0]);
    communicator.send(Communicator.MASTER, last, Clock.NEVER);
  }

  private static MasterUpdate update(GradientSource source) {
    var rule = UpdateRules.named("sgd").create(source.layout().size());
    return new MasterUpdate(source.layout(), rule, new WeightDecay(0));
  }

  /** Runs the master; every worker must have nothing more to say but how much it has sent. */
  Outcome master(Communicator communicator, Clock clock) {
    try (GradientSource source = source()) {
      float[] parameters = new float[source.layout().size()];
      source.initialize(1, parameters);
      List<LogRecord> records = new ArrayList<>();
      Streams streams = new Streams(1);
      MasterContext master =
          new MasterContext(
              clock,
              parameters,
              update(source),
              (step, epochs) -> 0.1,
              StopRule.after(STEPS),
              source.trainingExamples(),
              streams,
              new BlockingEvaluator(
                  source,
                  clock,
                  streams,
                  Integer.MAX_VALUE,
                  1,
                  (result, tested) -> records.add(result)),
              records::add,
              new StateRegistry());
      make(communicator.size() - 1).runMaster(master, over(communicator));
      return outcome(parameters, records, sent(communicator));
    }
  }

  private static long sent(Communicator communicator) {
    long sent = 0;
    Message message = new Message();
    communicator.broadcast(message.reset(Message.Kind.READY, STEPS), Clock.NEVER);
    for (int worker = 1; worker < communicator.size(); worker++) {
      communicator.receive(worker, message, Clock.NEVER);
      requireLast(message);
      sent += message.examples();
    }
    return sent;
  }

  private static void requireLast(Message message) {
    if (message.kind() != Message.Kind.READY || message.step() != STEPS) {
      throw new IllegalStateException(
          "from rank %d: a %s of step %d is left"
              .formatted(message.source(), message.kind(), message.step()));
    }
  }

  private static Outcome outcome(float[] parameters, List<LogRecord> records, long sent) {
    long used = 0;
    long dropped = 0;
    long updated = 0;
    StepRecord last = null;
    for (LogRecord record : records) {
      used += record instanceof WorkerRecord worker ? worker.numSamples() : 0;
      dropped += record instanceof DropRecord drop ? drop.numSamples() : 0;
      if (record instanceof StepRecord step) {
        updated += step.numSamples();
        last = step;
      }
    }
    return new Outcome(
        Arrays.hashCode(parameters), last.loss(), last.step(), used, dropped, updated, sent);
  }
}
