package io.github.amb.bench.compute;

import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.scheme.context.BatchPolicy;
import io.github.amb.core.update.MasterUpdate;
import io.github.amb.core.update.UpdateRules;
import io.github.amb.core.update.WeightDecay;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.FloatBuffer;

/** Training with one number of partitions, to compare losses as well as times. */
final class PartitionTraining {
  private static final int[] RANKS = {1};
  private static final double LEARNING_RATE = 1e-4;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final GradientSource source;
  private final BatchPolicy policy;
  private final float[] parameters;
  private final float[] gradient;
  private final FloatBuffer[] gradients;
  private final MasterUpdate update;

  /**
   * A step.
   *
   * @param seconds time of its gradient
   * @param processorSeconds processor time of its gradient, on which other processes have less
   *     influence
   * @param loss mean loss of its examples, before its update
   */
  record Step(double seconds, double processorSeconds, double loss) {}

  /** Starts at the parameters that every instance with this network starts at. */
  PartitionTraining(GradientSource source, BatchPolicy policy) {
    this.source = source;
    this.policy = policy;
    int size = source.layout().size();
    parameters = new float[size];
    gradient = new float[size];
    gradients = new FloatBuffer[] {FloatBuffer.wrap(gradient)};
    var rule = UpdateRules.named("adm").create(size);
    update = new MasterUpdate(source.layout(), rule, new WeightDecay(0));
    source.initialize(1, parameters);
  }

  /**
   * Computes a gradient, which is timed, and updates, which is not.
   *
   * @param batch indices of training examples; not modified
   */
  Step step(int[] batch) {
    long processorStart = THREADS.getCurrentThreadCpuTime();
    long start = System.nanoTime();
    source.begin(parameters, 1);
    double sum = 0;
    int from = 0;
    for (int k = 0; k < policy.partitions(); k++) {
      int to = policy.partitionEnd(k);
      sum += source.accumulate(batch, from, to);
      from = to;
    }
    source.finish(gradient);
    double seconds = (System.nanoTime() - start) / 1e9;
    double processorSeconds = (THREADS.getCurrentThreadCpuTime() - processorStart) / 1e9;
    update.apply(parameters, gradients, RANKS, 1, batch.length, LEARNING_RATE);
    return new Step(seconds, processorSeconds, sum / batch.length);
  }

  int partitions() {
    return policy.partitions();
  }
}
