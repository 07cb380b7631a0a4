package io.github.amb.core.sim;

import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.Layout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * One model for all ranks of a virtual cluster: a rank borrows it from {@link GradientSource#begin}
 * to {@link GradientSource#finish}. As ranks compute without interruption, one is enough; only
 * where ranks look for messages in the middle of a sum are more opened, one per sum under way.
 *
 * <p>All arithmetic is done on one thread, as libraries keep memory per thread.
 */
public final class SharedSource implements AutoCloseable {
  private final Supplier<GradientSource> factory;
  private final Deque<GradientSource> free = new ArrayDeque<>();
  private final Deque<GradientSource> all = new ArrayDeque<>();
  private final ExecutorService arithmetic =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "arithmetic");
            thread.setDaemon(true);
            return thread;
          });
  private final Layout layout;
  private final int trainingExamples;
  private final int testExamples;

  /**
   * @param factory opens the model; called on the thread that does the arithmetic
   */
  public SharedSource(Supplier<GradientSource> factory) {
    this.factory = factory;
    GradientSource first = borrow();
    layout = first.layout();
    trainingExamples = first.trainingExamples();
    testExamples = first.testExamples();
    giveBack(first);
  }

  /** What one rank uses; closing it changes nothing. */
  public GradientSource view() {
    return new View();
  }

  /** Models opened so far. */
  int opened() {
    return all.size();
  }

  private GradientSource borrow() {
    GradientSource source = free.poll();
    if (source == null) {
      source = compute(factory::get);
      all.add(source);
    }
    return source;
  }

  private void giveBack(GradientSource source) {
    free.push(source);
  }

  private <T> T compute(Callable<T> work) {
    boolean interrupted = false;
    try {
      var result = arithmetic.submit(work);
      while (true) {
        try {
          return result.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) e.getCause();
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Frees the models. */
  @Override
  public void close() {
    compute(
        () -> {
          all.forEach(GradientSource::close);
          return null;
        });
    arithmetic.shutdown();
  }

  /** One rank's view. */
  private final class View implements GradientSource {
    private GradientSource source;

    @Override
    public Layout layout() {
      return layout;
    }

    @Override
    public int trainingExamples() {
      return trainingExamples;
    }

    @Override
    public int testExamples() {
      return testExamples;
    }

    @Override
    public void initialise(long seed, float[] parameters) {
      GradientSource borrowed = borrow();
      run(() -> borrowed.initialise(seed, parameters));
      giveBack(borrowed);
    }

    @Override
    public void begin(float[] parameters, long drawSeed) {
      if (source == null) {
        source = borrow();
      }
      run(() -> source.begin(parameters, drawSeed));
    }

    @Override
    public double accumulate(int[] examples, int from, int to) {
      return compute(() -> source.accumulate(examples, from, to));
    }

    @Override
    public void finish(float[] gradient) {
      run(() -> source.finish(gradient));
      giveBack(source);
      source = null;
    }

    @Override
    public Evaluation evaluate(float[] parameters, int[] examples, int from, int to) {
      GradientSource borrowed = borrow();
      Evaluation result = compute(() -> borrowed.evaluate(parameters, examples, from, to));
      giveBack(borrowed);
      return result;
    }

    private void run(Runnable work) {
      compute(
          () -> {
            work.run();
            return null;
          });
    }

    @Override
    public void close() {}
  }
}
