package io.github.amb.core.sim;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.gradient.SizedSource;
import io.github.amb.core.thread.Daemon;
import io.github.amb.core.thread.Waits;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A few models for all ranks of a virtual cluster, one per core. The examples of a gradient sum are
 * known before the virtual time at which the sum is due. So any core computes the sum while other
 * ranks do what comes before that time, and the rank waits for it when its turn comes. Ranks whose
 * computations overlap in virtual time compute at the same time, and no result depends on the speed
 * of a core. A rank that ends during a sum waits for the end of the sum.
 */
public final class SharedSource implements AutoCloseable {
  private final Supplier<GradientSource> factory;

  /** One model per thread, as native libraries keep memory per thread. */
  private final ThreadLocal<GradientSource> own = ThreadLocal.withInitial(this::open);

  private final List<GradientSource> all = new ArrayList<>();
  private final ExecutorService arithmetic;
  private final Layout layout;
  private final int trainingExamples;
  private final int testExamples;

  /** One model per core. */
  public SharedSource(Supplier<GradientSource> factory) {
    this(factory, Runtime.getRuntime().availableProcessors());
  }

  /**
   * @param factory opens a model; called on a thread that computes
   * @param models maximum number of models, and of sums that are computed at the same time
   */
  public SharedSource(Supplier<GradientSource> factory, int models) {
    this.factory = factory;
    arithmetic = Executors.newFixedThreadPool(models, Daemon.factory("arithmetic"));
    boolean open = false;
    try {
      layout = join(submit(GradientSource::layout));
      trainingExamples = join(submit(GradientSource::trainingExamples));
      testExamples = join(submit(GradientSource::testExamples));
      open = true;
    } finally {
      if (!open) {
        close();
      }
    }
  }

  /**
   * One rank's view of the models. Closing it has no effect. The examples of a sum's slices must
   * not change until the sum is finished.
   *
   * @param clock the rank's clock; on a virtual cluster, other ranks run while a sum is computed
   */
  public GradientSource view(Clock clock) {
    return new View(clock instanceof VirtualCommunicator node ? node::awaitTurn : () -> {});
  }

  private <T> CompletableFuture<T> submit(Function<GradientSource, T> work) {
    try {
      return CompletableFuture.supplyAsync(() -> work.apply(own.get()), arithmetic);
    } catch (RejectedExecutionException e) {
      throw new IllegalStateException("expected the models of a run, found them closed", e);
    }
  }

  private GradientSource open() {
    GradientSource source = factory.get();
    synchronized (this) {
      all.add(source);
    }
    return source;
  }

  /** Waits for a result. Throws the failure of the computation unchanged. */
  private static <T> T join(CompletableFuture<T> result) {
    try {
      return result.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) e.getCause();
    }
  }

  /**
   * Waits for the computations of all ranks, then frees the models. Nothing is computed after that.
   * Further calls have no effect.
   */
  @Override
  public void close() {
    arithmetic.shutdown();
    Waits.uninterrupted(() -> arithmetic.awaitTermination(Long.MAX_VALUE, TimeUnit.DAYS));
    synchronized (this) {
      all.forEach(GradientSource::close);
      all.clear();
    }
  }

  /** A part of a batch, {@code examples[from]} to {@code examples[to − 1]}. */
  private record Slice(int[] examples, int from, int to) {}

  /** One rank's view. */
  private final class View extends SizedSource {
    private final Runnable awaitTurn;
    private final List<Slice> slices = new ArrayList<>();
    private final FloatBuffer parameters = FloatBuffer.allocate(layout.size());
    private long drawSeed;
    private double deferredLoss;

    View(Runnable awaitTurn) {
      super(layout, trainingExamples, testExamples);
      this.awaitTurn = awaitTurn;
    }

    @Override
    public void initialize(long seed, float[] parameters) {
      join(
          submit(
              source -> {
                source.initialize(seed, parameters);
                return null;
              }));
    }

    @Override
    public void begin(FloatBuffer parameters, long drawSeed) {
      this.parameters.put(0, parameters, 0, layout.size());
      this.drawSeed = drawSeed;
      slices.clear();
    }

    @Override
    public double accumulate(int[] examples, int from, int to) {
      slices.add(new Slice(examples, from, to));
      return 0;
    }

    /** When it returns or throws, no computation uses the rank's memory any longer. */
    @Override
    public void finish(FloatBuffer gradient) {
      AtomicBoolean wanted = new AtomicBoolean(true);
      CompletableFuture<Double> result = submit(source -> compute(source, gradient, wanted));
      try {
        awaitTurn.run();
      } catch (RuntimeException | Error e) {
        abandon(wanted, result, e);
        throw e;
      }
      deferredLoss = join(result);
    }

    private static void abandon(
        AtomicBoolean wanted, CompletableFuture<Double> result, Throwable cause) {
      wanted.set(false);
      try {
        result.join();
      } catch (CompletionException e) {
        cause.addSuppressed(e.getCause());
      }
    }

    private double compute(GradientSource source, FloatBuffer gradient, AtomicBoolean wanted) {
      double loss = 0;
      if (wanted.get()) {
        source.begin(parameters, drawSeed);
      }
      for (int i = 0; wanted.get() && i < slices.size(); i++) {
        Slice slice = slices.get(i);
        loss += source.accumulate(slice.examples(), slice.from(), slice.to());
      }
      if (!wanted.get()) {
        return 0;
      }
      source.finish(gradient);
      return loss + source.deferredLoss();
    }

    @Override
    public double deferredLoss() {
      return deferredLoss;
    }

    @Override
    public Evaluation evaluate(float[] parameters, int[] examples, int from, int to) {
      return join(submit(source -> source.evaluate(parameters, examples, from, to)));
    }

    @Override
    public Map<String, Double> metrics(float[] parameters, Evaluation scores) {
      return join(submit(source -> source.metrics(parameters, scores)));
    }
  }
}
