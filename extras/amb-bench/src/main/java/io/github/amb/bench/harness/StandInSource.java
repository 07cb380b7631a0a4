package io.github.amb.bench.harness;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.evaluation.BlockingEvaluator;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.gradient.SizedSource;
import io.github.amb.core.random.Streams;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.core.scheme.context.MasterContext;
import io.github.amb.core.scheme.context.NonFinite;
import io.github.amb.core.scheme.context.StopRule;
import io.github.amb.core.scheme.context.WorkerContext;
import io.github.amb.core.state.StateRegistry;
import io.github.amb.core.update.MasterUpdate;
import io.github.amb.core.update.UpdateRules;
import io.github.amb.core.update.WeightDecay;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * A model of a given size that sleeps instead of computing, and so takes no core from other ranks.
 * As an oneDNN model does, it reads parameters in place and writes the whole gradient.
 */
public final class StandInSource extends SizedSource {
  /** Size of the training set, which does not exist; that of MNIST. */
  public static final int EXAMPLES = 60_000;

  private static final float GRADIENT = 1e-3f;
  private static final double LEARNING_RATE = 1e-3;
  private static final double WEIGHT_DECAY = 5e-4;
  private static final Streams STREAMS = new Streams(1);

  private final Clock clock;
  private final long nanos;
  private final float[] parameters;
  private final float[] sum;

  /**
   * @param size number of parameters
   * @param seconds duration of every {@link #accumulate}; 0 for no sleep
   * @param clock used to sleep
   */
  public StandInSource(int size, double seconds, Clock clock) {
    super(new Layout(List.of(new Block("w", Block.Kind.WEIGHT, 0, size))), EXAMPLES, 1);
    this.clock = clock;
    nanos = Clock.nanos(seconds);
    parameters = new float[size];
    sum = new float[size];
    Arrays.fill(sum, GRADIENT);
  }

  /** What the master of a model needs to run a scheme; it does not evaluate. */
  public static MasterContext master(
      GradientSource source, Clock clock, StopRule stop, Consumer<? super LogRecord> log) {
    float[] values = new float[source.layout().size()];
    source.initialize(1, values);
    var rule = UpdateRules.named("rms").create(values.length);
    return new MasterContext(
        clock,
        values,
        new MasterUpdate(source.layout(), rule, new WeightDecay(WEIGHT_DECAY)),
        (step, epochs) -> LEARNING_RATE,
        stop,
        EXAMPLES,
        STREAMS,
        new BlockingEvaluator(
            source, clock, STREAMS, Integer.MAX_VALUE, -1, (result, tested) -> log.accept(result)),
        log,
        new StateRegistry());
  }

  /** What a worker needs to run a scheme with a model. */
  public static WorkerContext worker(
      GradientSource source,
      Clock clock,
      int rank,
      ExampleOrder order,
      DelayModel delay,
      Consumer<? super WorkerRecord> log) {
    var state = new StateRegistry();
    return new WorkerContext(
        rank, clock, source, order, delay, STREAMS, null, log, state, NonFinite.HALT);
  }

  /** What a master of this model needs to run a scheme; it does not evaluate. */
  public MasterContext master(StopRule stop, Consumer<? super LogRecord> log) {
    return master(this, clock, stop, log);
  }

  /** What one of {@code workers} workers needs to run a scheme. */
  public WorkerContext worker(int rank, int workers, Consumer<? super WorkerRecord> log) {
    ExampleOrder order = new ExampleOrder(STREAMS, EXAMPLES, rank - 1, workers);
    return worker(this, clock, rank, order, DelayModel.NONE, log);
  }

  @Override
  public void initialize(long seed, float[] parameters) {
    Arrays.fill(parameters, 1);
  }

  @Override
  public void begin(FloatBuffer parameters, long drawSeed) {
    parameters.get(0, this.parameters);
  }

  @Override
  public void begin(FloatBuffer parameters, FloatBuffer gradient, long drawSeed) {
    // Parameters are read in place.
  }

  @Override
  public double accumulate(int[] examples, int from, int to) {
    clock.sleep(nanos);
    return to - from;
  }

  @Override
  public void finish(FloatBuffer gradient) {
    gradient.put(0, sum);
  }

  @Override
  public Evaluation evaluate(float[] parameters, int[] examples, int from, int to) {
    return new Evaluation(1, 0, to - from);
  }
}
