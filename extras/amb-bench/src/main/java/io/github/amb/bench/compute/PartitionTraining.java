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
  /** Seconds of the gradient of each repeat. */
  final double[] seconds;

  /**
   * Processor time of the gradient of each repeat, on which other processes have less influence.
   */
  final double[] processorSeconds;

  /** Mean loss of the last step's examples, before its update. */
  double loss;

  private static final int[] RANKS = {1};
  private static final double LEARNING_RATE = 1e-4;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final GradientSource source;
  private final BatchPolicy policy;
  private final float[] parameters;
  private final float[] gradient;
  private final FloatBuffer[] gradients;
  private final MasterUpdate update;

  /** Starts at the parameters that every instance with this network starts at. */
  PartitionTraining(GradientSource source, BatchPolicy policy, int repeats) {
    seconds = new double[repeats];
    processorSeconds = new double[repeats];
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
   * @param repeat the repeat that the times are of
   */
  void step(int[] batch, int repeat) {
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
    seconds[repeat] = (System.nanoTime() - start) / 1e9;
    processorSeconds[repeat] = (THREADS.getCurrentThreadCpuTime() - processorStart) / 1e9;
    loss = sum / batch.length;
    update.apply(parameters, gradients, RANKS, 1, batch.length, LEARNING_RATE);
  }

  int partitions() {
    return policy.partitions();
  }
}
