package io.github.amb.core.update;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Finite;
import io.github.amb.core.gradient.Layout;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.function.IntPredicate;

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
  private final Block[] blocks;
  private final UpdateRule rule;
  private final float[][] states;
  private final WeightDecay given;
  private final WeightDecay decay;
  private final Clipping clipping;
  private final UpdateHook hook;
  private IntPredicate active = block -> true;
  private final int chunk;
  private final float[] mean;
  private final UpdateRanges ranges;
  private final UpdateThread[] threads;
  private final ForkJoinTask<?>[] tasks;

  // Of the update that is being applied.
  private float[] parameters;
  private FloatBuffer copy;
  private FloatBuffer[] gradientSums;
  private int[] ranks;
  private int count;
  private float scale;
  private double learningRate;
  private boolean applies;
  private float factor;
  private double gradientNorm = Double.NaN;

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
    given = decay;
    boolean moved = decay.momentum() > 0 && decay.coefficient() > 0;
    this.rule = moved ? new DecayMomentum(rule, layout, decay) : rule;
    this.decay = moved ? WeightDecay.NONE : decay;
    this.chunk = chunk;
    this.ranges = new UpdateRanges(layout.size(), ranges);
    blocks = layout.blocks().toArray(Block[]::new);
    states = this.rule.state().toArray(float[][]::new);
    mean = new float[layout.size()];
    this.threads = new UpdateThread[threads];
    Arrays.setAll(this.threads, thread -> new UpdateThread());
    tasks = Arrays.stream(this.threads).map(ForkJoinTask::adapt).toArray(ForkJoinTask<?>[]::new);
  }

  private static int usefulThreads(int size) {
    int cores = Runtime.getRuntime().availableProcessors();
    return size < MIN_FOR_THREADS ? 1 : Math.min(cores, MAX_THREADS);
  }

  /** The layout of the vectors. */
  public Layout layout() {
    return layout;
  }

  /** How mean gradients are clipped and measured. */
  public Clipping clipping() {
    return clipping;
  }

  /**
   * The norm of the last update's mean gradient, before clipping and weight decay; NaN if it was
   * not measured.
   */
  public double gradientNorm() {
    return gradientNorm;
  }

  /**
   * Lets updates change some blocks alone from now on.
   *
   * @param which blocks, by their number in the layout
   */
  public void only(IntPredicate which) {
    active = which;
  }

  /** The hook of every update, or null. */
  public UpdateHook hook() {
    return hook;
  }

  /**
   * Adds the weight decay's part to a mean gradient, as updates do.
   *
   * @param parameters the flat vector; not modified unless decay is decoupled
   * @param gradient modified
   */
  public void decay(float[] parameters, float[] gradient, double learningRate) {
    for (Block block : layout.blocks()) {
      if (block.kind() == Block.Kind.WEIGHT && given.coefficient() > 0) {
        given.apply(parameters, gradient, block.offset(), block.end(), learningRate);
      }
    }
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
    gradientNorm = Double.NaN;
    if (examples == 0) {
      return;
    }
    this.parameters = parameters;
    this.copy = copy;
    this.gradientSums = gradientSums;
    this.ranks = ranks;
    this.count = count;
    this.learningRate = learningRate;
    scale = (float) (1.0 / examples);
    applies = false;
    runThreads();
    gradientNorm = clipping.measure(mean, layout.blocks());
    factor = clipping.factor(gradientNorm);
    rule.beginStep();
    if (hook != null) {
      hook.begin(rule.steps(), ranks, count);
    }
    applies = true;
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
      if (thread.failure != null && (first == null || thread.failedRange < first.failedRange)) {
        first = thread;
      }
    }
    if (first != null) {
      if (first.failure instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) first.failure;
    }
  }

  /**
   * Takes ranges of the vector until none is left, first to form mean gradients, then to apply
   * them. Reused in every step.
   */
  private final class UpdateThread implements Runnable {
    private final OrderedSum total = new OrderedSum(Math.min(chunk, mean.length));
    private final float[] sum = total.values();
    private Throwable failure; // null if all ranges have succeeded
    private int failedRange; // some thread has taken each range before it

    @Override
    public void run() {
      failure = null;
      int range = ranges.take();
      try {
        for (; range < ranges.count; range = ranges.take()) {
          update(ranges.begin(range), ranges.begin(range + 1));
        }
      } catch (Throwable e) {
        failure = e;
        failedRange = range;
      }
    }

    private void update(int from, int to) {
      for (int b = 0; b < blocks.length; b++) {
        Block block = blocks[b];
        boolean changes = active.test(b);
        int begin = Math.max(from, block.offset());
        int end = Math.min(to, block.end());
        for (int start = begin; start < end; start += chunk) {
          int stop = Math.min(end, start + chunk);
          if (applies) {
            apply(block, start, stop, changes);
          } else if (changes) {
            form(block, start, stop);
          }
        }
      }
    }

    private void form(Block block, int from, int to) {
      int length = to - from;
      total.form(gradientSums, count, from, length);
      if (!total.isFinite(length)) {
        reject(block, from, to);
      }
      multiply(sum, scale, length);
      System.arraycopy(sum, 0, mean, from, length);
    }

    private void apply(Block block, int from, int to, boolean changes) {
      if (changes) {
        step(block.kind(), from, to);
        expectFinite("parameters", parameters, block, from, to);
        for (float[] state : states) {
          expectFinite("state of the update rule", state, block, from, to);
        }
      }
      if (copy != null) {
        copy.put(from, parameters, from, to - from);
      }
    }

    private void step(Block.Kind kind, int from, int to) {
      if (kind == Block.Kind.RUNNING_STATISTIC) {
        subtract(parameters, mean, from, to);
        return;
      }
      clipping.apply(mean, from, to, factor);
      if (hook != null) {
        System.arraycopy(mean, from, sum, 0, to - from);
        hook.change(sum, to - from);
        System.arraycopy(sum, 0, mean, from, to - from);
      }
      if (kind == Block.Kind.WEIGHT && decay.coefficient() > 0) {
        decay.apply(parameters, mean, from, to, learningRate);
      }
      rule.apply(parameters, mean, from, to, learningRate);
    }

    /**
     * Checks new values while they are in the processor's cache. Finite results do not imply finite
     * parameters.
     */
    private static void expectFinite(String what, float[] values, Block block, int from, int to) {
      int bad = Finite.firstBad(values, from, to);
      if (bad >= 0) {
        throw new NonFiniteParametersException(what, block, bad, values[bad]);
      }
    }

    private static void multiply(float[] values, float factor, int length) {
      for (int i = 0; i < length; i++) {
        values[i] *= factor;
      }
    }

    private static void subtract(float[] parameters, float[] update, int from, int to) {
      for (int i = from; i < to; i++) {
        parameters[i] -= update[i];
      }
    }

    /** Throws for the first entry that is not finite, if there is one. */
    private void reject(Block block, int from, int to) {
      for (int i = from; i < to; i++) {
        if (!Float.isFinite(sum[i - from])) {
          int k = OrderedSum.nonFinite(gradientSums, count, i);
          float own = gradientSums[k].get(i);
          float found = Float.isFinite(own) ? sum[i - from] : own;
          throw new NonFiniteGradientException(ranks[k], block.name(), i - block.offset(), found);
        }
      }
    }
  }
}
