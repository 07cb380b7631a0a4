package io.github.amb.core.update;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import java.nio.FloatBuffer;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;

/**
 * The master's update. It sums the workers' gradients in the order given, divides by the number of
 * examples, adds weight decay and applies the update rule. Running statistics take the mean update
 * without weight decay and rule.
 *
 * <p>Long vectors are split into ranges, on which all cores work. A range is processed chunk by
 * chunk, so that intermediate results stay in the processor's cache. The result does not depend on
 * the number of ranges and threads or the size of the chunks, bit for bit.
 */
public final class MasterUpdate {
  private static final int CHUNK = 4096;
  private static final int RANGE = 1 << 16;

  /**
   * Minimum number of entries for a second thread; a shorter vector is updated before a thread
   * wakes.
   */
  private static final int MIN_FOR_THREADS = 1 << 18;

  private static final int MAX_THREADS = 8;

  private final Layout layout;
  private final UpdateRule rule;
  private final Clipping clipping;
  private final float[] mean;
  private final UpdateRanges ranges;
  private final UpdateThread[] threads;
  private final ForkJoinTask<?>[] tasks;
  private final UpdateHook hook;

  /**
   * An update of vectors with the given layout, without clipping and hook.
   *
   * @param rule applied to the trainable blocks; its state is modified by every update
   * @param decay applied to blocks of kind {@link Block.Kind#WEIGHT} only
   */
  public MasterUpdate(Layout layout, UpdateRule rule, WeightDecay decay) {
    this(layout, rule, decay, Clipping.NONE, null);
  }

  /**
   * An update of vectors with the given layout.
   *
   * @param rule applied to the trainable blocks; its state is modified by every update
   * @param decay applied to blocks of kind {@link Block.Kind#WEIGHT} only
   * @param clipping applied to mean gradients, before weight decay
   * @param hook part of every update; null for none
   */
  public MasterUpdate(
      Layout layout, UpdateRule rule, WeightDecay decay, Clipping clipping, UpdateHook hook) {
    this(
        layout,
        rule,
        decay,
        clipping,
        hook,
        CHUNK,
        Math.max(1, layout.size() / RANGE),
        usefulThreads(layout.size()));
  }

  MasterUpdate(
      Layout layout,
      UpdateRule rule,
      WeightDecay decay,
      Clipping clipping,
      UpdateHook hook,
      int chunk,
      int ranges,
      int threads) {
    this.layout = layout;
    this.clipping = clipping;
    this.hook = hook;
    boolean moved = decay.momentum() > 0 && decay.coefficient() > 0;
    this.rule = moved ? new DecayMomentum(rule, layout, decay) : rule;
    WeightDecay own = moved ? WeightDecay.NONE : decay;
    this.ranges = new UpdateRanges(layout.size(), ranges);
    this.threads = new UpdateThread[threads];
    tasks = new ForkJoinTask<?>[threads];
    mean = new float[layout.size()];
    for (int thread = 0; thread < threads; thread++) {
      this.threads[thread] =
          new UpdateThread(
              this.ranges, layout.blocks(), this.rule, own, clipping, hook, mean, chunk);
      tasks[thread] = ForkJoinTask.adapt(this.threads[thread]);
    }
  }

  private static int usefulThreads(int size) {
    int cores = Runtime.getRuntime().availableProcessors();
    return size < MIN_FOR_THREADS ? 1 : Math.min(cores, MAX_THREADS);
  }

  /** The layout of the vectors. */
  public Layout layout() {
    return layout;
  }

  /** The hook of every update, or null. */
  public UpdateHook hook() {
    return hook;
  }

  /** The update rule, whose state checkpoints save. */
  public UpdateRule rule() {
    return rule;
  }

  /**
   * As {@link #apply(float[], FloatBuffer, FloatBuffer[], int[], int, long, double)}, without a
   * copy of the parameters.
   */
  public void apply(
      float[] parameters,
      FloatBuffer[] gradientSums,
      int[] ranks,
      int count,
      long examples,
      double learningRate) {
    apply(parameters, null, gradientSums, ranks, count, examples, learningRate);
  }

  /**
   * Applies one update. If it throws because of a gradient, nothing has changed.
   *
   * @param parameters the flat vector; modified
   * @param copy receives the updated parameters as well, from index 0 on; null for none
   * @param gradientSums the first {@code count} are gradient sums, in rank order, from index 0 on;
   *     not modified
   * @param ranks {@code ranks[i]} is the worker that sent {@code gradientSums[i]}; not modified
   * @param count number of gradient sums, at least 1
   * @param examples number of examples in all of them; with 0 nothing changes
   * @param learningRate learning rate of this step
   * @throws IllegalArgumentException if {@code count} is less than 1 or {@code examples} less than
   *     0
   * @throws NonFiniteGradientException if a sum has an entry that is infinite or not a number; it
   *     names the first one
   * @throws NonFiniteParametersException if an entry of the updated parameters or of the rule's
   *     state is infinite or not a number; both are unusable then
   */
  public void apply(
      float[] parameters,
      FloatBuffer copy,
      FloatBuffer[] gradientSums,
      int[] ranks,
      int count,
      long examples,
      double learningRate) {
    if (count < 1 || examples < 0) {
      throw new IllegalArgumentException(
          "expected at least 1 gradient and 0 examples, found %d and %d"
              .formatted(count, examples));
    }
    if (examples == 0) {
      return;
    }
    for (UpdateThread thread : threads) {
      thread.prepare(parameters, copy, gradientSums, ranks, count, examples, learningRate);
    }
    runThreads();
    float factor = clipping.factor(mean, layout.blocks());
    rule.beginStep();
    if (hook != null) {
      hook.begin(ranks, count);
    }
    for (UpdateThread thread : threads) {
      thread.proceed(factor);
    }
    runThreads();
  }

  /**
   * Runs all threads, the calling one included. Returns or throws only when all of them are idle,
   * as others reuse the memory of their vectors.
   */
  private void runThreads() {
    ranges.reset();
    int started = 1;
    try {
      for (; started < threads.length; started++) {
        tasks[started].reinitialize();
        ForkJoinPool.commonPool().execute(tasks[started]);
      }
    } finally {
      threads[0].run();
      for (int thread = 1; thread < started; thread++) {
        tasks[thread].quietlyJoin();
      }
    }
    check();
  }

  private void check() {
    UpdateThread first = null;
    for (UpdateThread thread : threads) {
      if (thread.failure() != null
          && (first == null || thread.failedRange() < first.failedRange())) {
        first = thread;
      }
    }
    if (first != null) {
      if (first.failure() instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) first.failure();
    }
  }
}
