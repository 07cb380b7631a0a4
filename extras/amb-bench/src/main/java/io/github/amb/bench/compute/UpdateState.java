package io.github.amb.bench.compute;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.update.MasterUpdate;
import io.github.amb.core.update.UpdateRule;
import io.github.amb.core.update.UpdateRules;
import io.github.amb.core.update.WeightDecay;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The operations that JMH times: a copy, one update rule, or the master's whole update with three
 * gradients.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class UpdateState {
  /** The word for a copy of one vector to another, in place of a rule. */
  static final String COPY = "copy";

  /** Prefix of a rule's name for the master's whole update. */
  static final String MASTER = "master ";

  /** Number of gradients in the master's update. */
  static final int WORKERS = 3;

  private static final int[] RANKS = {1, 2, 3};
  private static final double LEARNING_RATE = 1e-3;
  private static final int EXAMPLES = 1 << 20;

  /** {@link #COPY}, a rule, or {@link #MASTER} and a rule. */
  @Param(COPY)
  public String work;

  /** Length of the vector. */
  @Param("1000")
  public int parameters;

  private float[] w;
  private float[][] gradients;
  private Runnable step;

  /** Fills the vectors with values. */
  @Setup
  public void prepare() {
    w = new float[parameters];
    gradients = new float[WORKERS][parameters];
    for (float[] gradient : gradients) {
      Arrays.fill(gradient, 1e-3f);
    }
    step = work.equals(COPY) ? this::copy : update(work);
  }

  private void copy() {
    System.arraycopy(gradients[0], 0, w, 0, parameters);
  }

  private Runnable update(String name) {
    boolean master = name.startsWith(MASTER);
    UpdateRule rule =
        UpdateRules.named(master ? name.substring(MASTER.length()) : name).create(parameters);
    if (!master) {
      return () -> {
        rule.beginStep();
        rule.apply(w, gradients[0], 0, parameters, LEARNING_RATE);
      };
    }
    Layout layout = new Layout(List.of(new Block("w", Block.Kind.WEIGHT, 0, parameters)));
    MasterUpdate update = new MasterUpdate(layout, rule, new WeightDecay(5e-4));
    FloatBuffer[] sums =
        Arrays.stream(gradients).map(FloatBuffer::wrap).toArray(FloatBuffer[]::new);
    return () -> update.apply(w, sums, RANKS, WORKERS, EXAMPLES, LEARNING_RATE);
  }

  /** Performs one step. */
  @Benchmark
  public void step() {
    step.run();
  }

  /** Number of vectors that a step reads or writes if it accesses each of them once. */
  static int vectors(String work) {
    if (work.equals(COPY)) {
      return 2;
    }
    boolean master = work.startsWith(MASTER);
    String name = master ? work.substring(MASTER.length()) : work;
    int rule = 3 + 2 * UpdateRules.named(name).create(1).state().size();
    return master ? rule + WORKERS : rule;
  }
}
