package io.github.amb.core.scheme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.Seeds;
import io.github.amb.core.codec.link.Codings;
import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.evaluation.BlockingEvaluator;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.SoftmaxRegression;
import io.github.amb.core.random.Streams;
import io.github.amb.core.record.CollectRecord;
import io.github.amb.core.record.DropRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.core.scheme.context.LocalTraining;
import io.github.amb.core.scheme.context.MasterContext;
import io.github.amb.core.scheme.context.NonFinite;
import io.github.amb.core.scheme.context.StopRule;
import io.github.amb.core.scheme.context.WorkerContext;
import io.github.amb.core.sim.CostModel;
import io.github.amb.core.sim.VirtualCluster;
import io.github.amb.core.state.StateRegistry;
import io.github.amb.core.topology.Topology;
import io.github.amb.core.update.Clipping;
import io.github.amb.core.update.MasterUpdate;
import io.github.amb.core.update.UpdateHook;
import io.github.amb.core.update.UpdateRules;
import io.github.amb.core.update.WeightDecay;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** A small training run on the virtual cluster, and what came of it. */
final class TrainingRun {
  /** Largest relative error of one operation on floats. */
  static final double UNIT_ROUNDOFF = 0x1p-24;

  final List<LogRecord> records = new ArrayList<>();

  /** What the workers say they sent. */
  final List<WorkerRecord> sent = new ArrayList<>();

  final float[] parameters;
  private final Plan plan;
  private final Streams streams;
  private final GradientSource model;

  /** How a run is to be. */
  static final class Plan {
    private final Scheme scheme;
    private final int workers;
    private CostModel costs = CostModel.perExample(0.001);
    private double[] speeds;
    private long seed = 1;
    private IntFunction<DelayModel> delays = rank -> DelayModel.NONE;
    private StopRule stop = StopRule.after(30);
    private String rule = "rms";
    private double learningRate = 0.01;
    private double weightDecay = 5e-4;
    private UnaryOperator<Communicator> links = UnaryOperator.identity();
    private Topology topology = Topology.STAR;
    private Codings codings;
    private UnaryOperator<GradientSource> sources = UnaryOperator.identity();
    private NonFinite nonFinite = NonFinite.HALT;

    private Plan(Scheme scheme, int workers) {
      this.scheme = scheme;
      this.workers = workers;
      codings = Codings.NONE.inFragments(scheme.fragments());
      speeds = new double[workers + 1];
      Arrays.fill(speeds, 1);
    }

    Plan costs(CostModel costs) {
      this.costs = costs;
      return this;
    }

    /** Speeds of the workers. */
    Plan speeds(double... workers) {
      System.arraycopy(workers, 0, speeds, 1, workers.length);
      return this;
    }

    Plan seed(long seed) {
      this.seed = seed;
      return this;
    }

    Plan delays(DelayModel delays) {
      return delaysByRank(rank -> delays);
    }

    Plan delaysByRank(IntFunction<DelayModel> byRank) {
      delays = byRank;
      return this;
    }

    Plan steps(long steps) {
      stop = StopRule.after(steps);
      return this;
    }

    Plan rule(String name, double learningRate, double weightDecay) {
      rule = name;
      this.learningRate = learningRate;
      this.weightDecay = weightDecay;
      return this;
    }

    /** Puts something between the ranks and their communicators. */
    Plan links(UnaryOperator<Communicator> links) {
      this.links = links;
      return this;
    }

    /** The way of vectors, between the codecs and what {@link #links} puts in. */
    Plan topology(Topology topology) {
      this.topology = topology;
      return this;
    }

    /** How vectors are put on the wire. */
    Plan codings(Codings codings) {
      this.codings = codings.inFragments(scheme.fragments());
      return this;
    }

    /** Puts something between the ranks and their model. */
    Plan sources(UnaryOperator<GradientSource> sources) {
      this.sources = sources;
      return this;
    }

    /** What becomes of gradients that workers apply themselves. */
    Plan nonFinite(NonFinite nonFinite) {
      this.nonFinite = nonFinite;
      return this;
    }

    TrainingRun run() {
      TrainingRun run = new TrainingRun(this);
      new VirtualCluster(speeds.length, costs, costs.workTime(speeds), 1).run(run::rank);
      return run;
    }

    /** In one process. */
    TrainingRun runLocally() {
      TrainingRun run = new TrainingRun(this);
      new VirtualCluster(1, costs)
          .run(
              (communicator, clock) ->
                  new LocalTraining(run.master(clock), run.worker(1, clock), scheme.batchPolicy())
                      .run());
      return run;
    }
  }

  private TrainingRun(Plan plan) {
    this.plan = plan;
    streams = new Streams(Seeds.of(plan.seed));
    model = plan.sources.apply(source());
    parameters = new float[model.layout().size()];
    model.initialize(Seeds.of(plan.seed), parameters);
  }

  /**
   * Who guesses has a quarter of the answers; less than half would be the best there is only if
   * three of the four classes had the same center, whatever the seed.
   */
  void assertLearnt() {
    int[] all = IntStream.range(0, model.testExamples()).toArray();
    double accuracy = model.evaluate(parameters, all, 0, all.length).accuracy();
    assertTrue(accuracy > 0.5, () -> "accuracy " + accuracy);
  }

  /**
   * Expects the parameters that sums of gradients in another order, and in other parts, lead to.
   *
   * <p>With plain SGD at a rate of at most 0.05 a step brings two runs no farther apart: the loss
   * is convex, and bends by at most ½ (1 + mean ‖x‖²), above 40 but once in 1e10 draws of the
   * examples. So each step adds its own rounding: that of a sum of products, one per example, of
   * features below 12 but once in 1e10 draws, and of a few operations on the parameter.
   *
   * @param examples in a step
   */
  void assertEqualButForRounding(TrainingRun other, int examples) {
    for (int i = 0; i < parameters.length; i++) {
      double each = roundingOfStep(plan.learningRate, examples, parameters[i]);
      assertEquals(parameters[i], other.parameters[i], steps().size() * each, "parameter " + i);
    }
  }

  /**
   * Expects the parameters of the same steps of plain SGD, computed without messages.
   *
   * <p>A step brings two runs at most 1 + 40 times the rate farther apart, also where its gradient
   * is of earlier parameters: 40 bounds how the loss bends (see {@link
   * #assertEqualButForRounding}).
   *
   * @param examples in a step
   * @param count number of steps, one after the other
   */
  void assertParametersAreNearly(float[] expected, int examples, int count) {
    double growth = 40 * plan.learningRate;
    double sum = (Math.pow(1 + growth, count) - 1) / growth;
    for (int i = 0; i < expected.length; i++) {
      double each = roundingOfStep(plan.learningRate, examples, expected[i]);
      assertEquals(expected[i], parameters[i], sum * each, "parameter " + i);
    }
  }

  private static double roundingOfStep(double rate, int examples, double parameter) {
    double ofGradients = rate * (examples + 8) * 12;
    double ofParameters = 8 * (1 + Math.abs(parameter));
    return 2 * UNIT_ROUNDOFF * (ofGradients + ofParameters);
  }

  static GradientSource source() {
    return SoftmaxRegression.blobs(4, 6, 240, 60, Seeds.of(7));
  }

  static Plan plan(Scheme scheme, int workers) {
    return new Plan(scheme, workers);
  }

  /** Runs {@code scheme} with the given workers. */
  static TrainingRun distributed(
      Scheme scheme, int workers, CostModel costs, long seed, DelayModel delays, long steps) {
    return plan(scheme, workers).costs(costs).seed(seed).delays(delays).steps(steps).run();
  }

  /** Runs in one process. */
  static TrainingRun local(Scheme scheme, long seed, DelayModel delays, long steps) {
    return plan(scheme, 1).seed(seed).delays(delays).steps(steps).runLocally();
  }

  private void rank(Communicator engine, Clock clock) {
    Communicator communicator = plan.links.apply(engine);
    if (communicator.rank() == Communicator.MASTER) {
      MasterContext master = master(clock);
      plan.scheme.runMaster(
          master,
          plan.topology.master(
              communicator, plan.codings, clock, master.update(), streams, master.state()));
    } else {
      WorkerContext worker = worker(communicator.rank(), clock);
      plan.scheme.runWorker(
          worker,
          plan.topology.worker(
              communicator, plan.codings, clock, model.layout(), streams, worker.state()));
    }
  }

  private MasterUpdate update(UpdateHook hook) {
    var rule = UpdateRules.named(plan.rule).create(parameters.length);
    var decay = new WeightDecay(plan.weightDecay);
    return new MasterUpdate(model.layout(), rule, decay, Clipping.NONE, hook);
  }

  private MasterContext master(Clock clock) {
    return new MasterContext(
        clock,
        parameters,
        update(plan.codings.hook(model.layout())),
        (step, epochs) -> plan.learningRate,
        plan.stop,
        model.trainingExamples(),
        streams,
        new BlockingEvaluator(
            model, clock, streams, Integer.MAX_VALUE, -1, (result, tested) -> records.add(result)),
        records::add,
        new StateRegistry());
  }

  private WorkerContext worker(int rank, Clock clock) {
    GradientSource source = plan.sources.apply(source());
    return new WorkerContext(
        rank,
        clock,
        source,
        new ExampleOrder(streams, source.trainingExamples(), rank - 1, plan.workers),
        plan.delays.apply(rank),
        streams,
        update(null),
        sent::add,
        new StateRegistry(),
        plan.nonFinite);
  }

  List<StepRecord> steps() {
    return of(StepRecord.class);
  }

  List<WorkerRecord> workers() {
    return of(WorkerRecord.class);
  }

  List<WorkerRecord> worker(int rank) {
    return workers().stream().filter(record -> record.rank() == rank).toList();
  }

  List<CollectRecord> collections() {
    return of(CollectRecord.class);
  }

  List<DropRecord> drops() {
    return of(DropRecord.class);
  }

  /** Examples in all updates, after checking that none was lost or counted twice on the way. */
  long accountedExamples() {
    long used = workers().stream().mapToLong(WorkerRecord::numSamples).sum();
    long updated = accountedResults();
    if (used != updated) {
      throw new AssertionError("used %d, in updates %d".formatted(used, updated));
    }
    return updated;
  }

  /** The same for schemes in which several workers compute the same examples. */
  long accountedResults() {
    long sentExamples = sent.stream().mapToLong(WorkerRecord::numSamples).sum();
    long used = workers().stream().mapToLong(WorkerRecord::numSamples).sum();
    long dropped = drops().stream().mapToLong(DropRecord::numSamples).sum();
    long updated = steps().stream().mapToLong(StepRecord::numSamples).sum();
    long total = steps().get(steps().size() - 1).totalSamples();
    if (sentExamples != used + dropped || updated != total) {
      throw new AssertionError(
          "sent %d, used %d, dropped %d, in updates %d, total %d"
              .formatted(sentExamples, used, dropped, updated, total));
    }
    if (sent.size() != workers().size() + drops().size()) {
      throw new AssertionError("results lost");
    }
    return updated;
  }

  <T extends LogRecord> List<T> of(Class<T> type) {
    return LogRecord.of(type, records);
  }
}
