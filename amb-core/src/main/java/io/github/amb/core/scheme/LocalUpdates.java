package io.github.amb.core.scheme;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Uplink;
import io.github.amb.core.update.Nesterov;
import io.github.amb.core.update.RuleForm;
import io.github.amb.core.update.Sgd;
import io.github.amb.core.update.UpdateRule;
import java.util.function.Function;
import java.util.function.IntFunction;

/** Schemes whose workers update locally for a number of steps or for some time. */
final class LocalUpdates implements Scheme {
  static final SchemeOption<Integer> LOCAL_STEPS =
      SchemeOption.integer("local-steps", 10, 1, "local steps per update of the master, H");
  static final SchemeOption<Double> OUTER_LEARNING_RATE =
      SchemeOption.real(
              "outer-learning-rate",
              null,
              value -> value > 0 && value < Double.POSITIVE_INFINITY,
              "above 0",
              "learning rate for what workers changed; default 0.7 with diloco, 1 with esync")
          .optional();
  static final SchemeOption<Double> OUTER_MOMENTUM =
      SchemeOption.real(
          "outer-momentum",
          0.9,
          value -> value >= 0 && value < 1,
          "0 up to less than 1",
          "Nesterov's momentum for what workers changed");

  private static final double DILOCO_RATE = 0.7;

  private final BatchPolicy policy;
  private final Weighting weighting;
  private final IntFunction<UpdateRule> rule;
  private final double outerLearningRate;
  private final Function<Clock, LocalIterations> iterations;

  private LocalUpdates(
      SchemeOptions options,
      Weighting weighting,
      IntFunction<UpdateRule> rule,
      double outerLearningRate,
      Function<Clock, LocalIterations> iterations) {
    policy = BatchPolicy.fixed(options.batchSize());
    this.weighting = weighting;
    this.rule = rule;
    this.outerLearningRate = outerLearningRate;
    this.iterations = iterations;
  }

  /**
   * Local SGD: H steps at each worker, then the mean of all parameters.
   *
   * <p>Stich: "Local SGD Converges Fast and Communicates Little", ICLR 2019.
   */
  static LocalUpdates localSgd(SchemeOptions options) {
    int steps = options.get(LOCAL_STEPS);
    return new LocalUpdates(options, Weighting.UNIFORM, n -> new Sgd(), 1, clock -> count(steps));
  }

  /**
   * DiLoCo: H steps at each worker, then a step of Nesterov's momentum along their mean change.
   *
   * <p>Douillard et al.: "DiLoCo: Distributed Low-Communication Training of Language Models", 2023.
   */
  static LocalUpdates diLoCo(SchemeOptions options) {
    int steps = options.get(LOCAL_STEPS);
    double momentum = options.get(OUTER_MOMENTUM);
    Double given = options.get(OUTER_LEARNING_RATE);
    return new LocalUpdates(
        options,
        Weighting.UNIFORM,
        n -> new Nesterov(n, momentum, RuleForm.TENSORFLOW),
        given == null ? DILOCO_RATE : given,
        clock -> count(steps));
  }

  /**
   * Anytime SGD: local steps for a time T, an induced delay included, then the mean of all
   * parameters weighted by the examples processed.
   *
   * <p>Ferdinand and Draper: "Anytime Stochastic Gradient Descent: A Time to Hear from all the
   * Workers", Allerton 2018.
   */
  static LocalUpdates anytime(SchemeOptions options) {
    long limit = Clock.nanos(options.get(AnytimeMiniBatch.TIME_LIMIT));
    return new LocalUpdates(
        options, Weighting.EXAMPLES, n -> new Sgd(), 1, clock -> new FixedTime(clock, limit));
  }

  private static LocalIterations count(int steps) {
    return new LocalIterations() {
      @Override
      public void begin(long step) {
        // The count alone matters.
      }

      @Override
      public boolean goOn(int done) {
        return done < steps;
      }
    };
  }

  /** Iterations for some time; an induced delay comes once, before the first. */
  private static final class FixedTime implements LocalIterations {
    private final Clock clock;
    private final long limit;
    private long start;

    FixedTime(Clock clock, long limit) {
      this.clock = clock;
      this.limit = limit;
    }

    @Override
    public void begin(long step) {
      start = clock.now();
    }

    @Override
    public boolean goOn(int done) {
      return clock.now() - start < limit;
    }

    @Override
    public boolean delayed(int done) {
      return done == 0;
    }
  }

  @Override
  public void runMaster(MasterContext master, Communicator communicator) {
    UpdateRule outer = rule.apply(master.parameters().length);
    int workers = communicator.size() - 1;
    OuterUpdate update = new OuterUpdate(master, workers, outer, outerLearningRate, weighting);
    new SynchronousMaster(master, communicator, Round.ofDeltas(update, Advisor.NONE)).run();
  }

  @Override
  public void runWorker(WorkerContext worker, Communicator communicator) {
    new LocalWorker(worker, communicator, policy, iterations.apply(worker.clock())).run();
  }

  @Override
  public Uplink uplink() {
    return Uplink.CHANGES;
  }

  @Override
  public BatchPolicy batchPolicy() {
    return policy;
  }
}
