package io.github.amb.core.scheme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.MemoryLink;
import io.github.amb.core.engine.SystemClock;
import io.github.amb.core.evaluation.BlockingEvaluator;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.Streams;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.scheme.context.MasterContext;
import io.github.amb.core.scheme.context.StopRule;
import io.github.amb.core.scheme.context.WorkerContext;
import io.github.amb.core.update.UpdateRules;
import io.github.amb.core.update.master.MasterUpdate;
import io.github.amb.core.update.master.WeightDecay;
import java.lang.management.ManagementFactory;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In steady state a step allocates its records and the state of its random streams, no more. */
@Timeout(120)
class AllocationTest {
  private static final int MOST_BYTES = 2048;
  private static final int SMALL = 1_000;
  private static final int LARGE = 1_000_000;
  private static final int EXAMPLES = 1_000;
  private static final int BATCH_SIZE = 8;
  private static final int STEPS = 60;

  /** Later than the worker's second epoch begins, for which it keeps a second permutation. */
  private static final int WARM_UP = EXAMPLES / BATCH_SIZE + 5;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final Clock CLOCK = new SystemClock();
  private static final Streams STREAMS = new Streams(1);

  /** Bytes per step of a master and a worker. */
  private record Bytes(long master, long worker) {}

  @ParameterizedTest
  @ValueSource(strings = {"fmb", "amb"})
  void aStepAllocatesLittleWhateverTheNumberOfParameters(String scheme) {
    Bytes small = perStep(scheme, SMALL);
    Bytes large = perStep(scheme, LARGE);
    assertTrue(small.master() <= MOST_BYTES, () -> "master: " + small);
    assertTrue(small.worker() <= MOST_BYTES, () -> "worker: " + small);
    assertEquals(small.master(), large.master(), MOST_BYTES / 4.0, "master: grows with parameters");
    assertEquals(small.worker(), large.worker(), MOST_BYTES / 4.0, "worker: grows with parameters");
  }

  private static Bytes perStep(String name, int parameters) {
    Scheme scheme = Schemes.named(name).create(options(name));
    Counter master = new Counter();
    Counter worker = new Counter();
    MemoryLink link = new MemoryLink();
    var other =
        CompletableFuture.runAsync(
            () -> scheme.runWorker(worker(parameters, worker), link.worker()),
            AllocationTest::startDaemon);
    scheme.runMaster(master(parameters, master), link.master());
    other.join();
    return new Bytes(master.perStep(), worker.perStep());
  }

  private static SchemeOptions options(String name) {
    SchemeOptions options = new SchemeOptions(BATCH_SIZE, 1);
    return name.equals("fmb")
        ? options
        : options.withText(AnytimeOptions.TIME_LIMIT, "10").with(AnytimeOptions.NUM_PARTITIONS, 4);
  }

  private static void startDaemon(Runnable work) {
    Thread thread = new Thread(work, "worker");
    thread.setDaemon(true);
    thread.start();
  }

  private static WorkerContext worker(int parameters, Counter counter) {
    return new WorkerContext(
        1,
        CLOCK,
        new StandIn(parameters),
        new ExampleOrder(STREAMS, EXAMPLES, 0, 1),
        DelayModel.NONE,
        STREAMS,
        null,
        record -> counter.stepEnded());
  }

  private static MasterContext master(int parameters, Counter counter) {
    StandIn source = new StandIn(parameters);
    var rule = UpdateRules.named("rms").create(parameters);
    return new MasterContext(
        CLOCK,
        new float[parameters],
        new MasterUpdate(source.layout(), rule, new WeightDecay(5e-4)),
        (step, epochs) -> 1e-3,
        StopRule.after(WARM_UP + STEPS),
        EXAMPLES,
        STREAMS,
        new BlockingEvaluator(
            source, CLOCK, STREAMS, Integer.MAX_VALUE, -1, (result, tested) -> {}),
        record -> {
          if (record instanceof StepRecord) {
            counter.stepEnded();
          }
        });
  }

  /** What one thread has allocated after each step; counting allocates nothing. */
  private static final class Counter {
    private final long[] bytes = new long[WARM_UP + STEPS];
    private int steps;

    void stepEnded() {
      bytes[steps++] = THREADS.getCurrentThreadAllocatedBytes();
    }

    /** The median, as a JIT compiler may change what one step allocates. */
    long perStep() {
      long[] differences = new long[STEPS];
      Arrays.setAll(differences, i -> bytes[WARM_UP + i] - bytes[WARM_UP + i - 1]);
      Arrays.sort(differences);
      return differences[STEPS / 2];
    }
  }

  /** A model that copies its vector and computes nothing. */
  private record StandIn(float[] vector) implements GradientSource {
    StandIn(int parameters) {
      this(new float[parameters]);
    }

    @Override
    public Layout layout() {
      return new Layout(List.of(new Block("w", Block.Kind.WEIGHT, 0, vector.length)));
    }

    @Override
    public int trainingExamples() {
      return EXAMPLES;
    }

    @Override
    public int testExamples() {
      return 1;
    }

    @Override
    public void initialize(long seed, float[] parameters) {}

    @Override
    public void begin(FloatBuffer parameters, long drawSeed) {
      parameters.get(0, vector);
    }

    @Override
    public double accumulate(int[] examples, int from, int to) {
      return to - from;
    }

    @Override
    public void finish(FloatBuffer gradient) {
      gradient.put(0, vector);
    }

    @Override
    public Evaluation evaluate(float[] parameters, int[] examples, int from, int to) {
      return new Evaluation(1, 0, to - from);
    }

    @Override
    public void close() {}
  }
}
