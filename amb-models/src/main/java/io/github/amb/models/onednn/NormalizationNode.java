package io.github.amb.models.onednn;

import io.github.amb.models.graph.Activation;
import io.github.amb.models.graph.Node;
import io.github.amb.models.graph.Value;
import io.github.amb.models.onednn.primitive.Formats;
import io.github.amb.models.onednn.primitive.Tensor;
import java.util.List;
import org.bytedeco.dnnl.dnnl_memory_desc;

/**
 * Batch normalization (Ioffe and Szegedy, 2015) with DL4J's parameters, in this order: γ and β,
 * unless they are fixed at 1 and 0; the running mean; log₁₀ of the running standard deviation.
 *
 * <p>In training it normalizes by the statistics of the current examples, otherwise by the running
 * ones.
 */
record NormalizationNode(Node.Normalization node) implements PlanNode {

  @Override
  public Value<Tensor> addTo(PlanBuilder plan, List<Value<Tensor>> inputs) {
    Value<Tensor> x = inputs.get(0);
    dnnl_memory_desc format = x.tensor().format();
    Tensor result = plan.tensor(format);
    Statistics statistics = new Statistics(plan);
    if (!plan.training) {
      plan.add(statistics::readRunning, statistics.mean, statistics.variance);
    }
    var options =
        new Normalization.Options(
            (float) node.epsilon(),
            !plan.training,
            node.scaled() ? node.offset() : -1,
            node.activation() == Activation.RELU);
    var forward =
        new Normalization(plan, options, x.tensor(), statistics.mean, statistics.variance, result);
    if (plan.training) {
      plan.mayRepeat(result, () -> forward.repetition(result));
      plan.add(statistics::addUpdate, statistics.mean, statistics.variance);
    }
    if (!plan.training || !node.scaled() && !x.isDifferentiable()) {
      return new Value<>(result, node.shape(), null);
    }
    return new Value<>(
        result,
        node.shape(),
        delta -> {
          Tensor d = plan.as(delta, format);
          Tensor gradient = plan.tensor(format);
          forward.addBackward(d, gradient);
          x.addGradient(gradient);
        });
  }

  /** Mean and variance of the current examples, and the running ones. */
  private final class Statistics {
    private final PlanBuilder.Memory memory;
    private final Tensor mean;
    private final Tensor variance;
    private final int first = node.statistics();
    private final int examples;
    private final float[] batch;
    private final float[] running;
    private final float[] meanUpdate;
    private final float[] deviationUpdate;

    Statistics(PlanBuilder plan) {
      memory = plan.memory;
      examples = plan.examples;
      int channels = node.shape().channels();
      mean = plan.tensor(Formats.rowMajor(channels));
      variance = plan.tensor(Formats.rowMajor(channels));
      batch = new float[channels];
      running = new float[channels];
      meanUpdate = memory.gradient().statistic(first, channels);
      deviationUpdate = memory.gradient().statistic(first + channels, channels);
    }

    private void running(int block, float[] target) {
      int at = first + block * batch.length;
      memory.parameters().copy(at, target);
    }

    /** Sets the statistics to the running ones. */
    void readRunning() {
      running(0, running);
      mean.data().put(running, 0, running.length);
      running(1, running);
      for (int i = 0; i < running.length; i++) {
        running[i] = (float) variance(running[i]);
      }
      variance.data().put(running, 0, running.length);
    }

    private static double variance(float log10Deviation) {
      return Math.pow(10, 2.0 * log10Deviation);
    }

    /** Adds what is to be subtracted from the running statistics, times the number of examples. */
    void addUpdate() {
      double share = 1 - node.decay();
      mean.data().get(batch, 0, batch.length);
      running(0, running);
      for (int i = 0; i < batch.length; i++) {
        meanUpdate[i] += (float) (examples * share * (running[i] - batch[i]));
      }
      variance.data().get(batch, 0, batch.length);
      running(1, running);
      for (int i = 0; i < batch.length; i++) {
        double old = variance(running[i]);
        double next = Math.max(Float.MIN_NORMAL, node.decay() * old + share * batch[i]);
        deviationUpdate[i] += (float) (examples * 0.5 * Math.log10(old / next));
      }
    }
  }
}
