package io.github.amb.bench.compute;

import io.github.amb.bench.harness.BenchmarkRun;
import io.github.amb.bench.harness.Sample;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.random.Streams;
import io.github.amb.core.scheme.context.BatchPolicy;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Times of one batch size with several numbers of partitions, which alternate, so that changes of
 * the machine's speed affect all equally.
 */
final class PartitionTimes {
  private static final int WARM_UP = 2;

  private final int batchSize;
  private final List<PartitionTraining> trainings;
  private final double[][] seconds;
  private final double[][] processorSeconds;
  private final double[] losses;

  private PartitionTimes(GradientSource source, int batchSize, int[] partitions, int repeats) {
    this.batchSize = batchSize;
    trainings =
        Arrays.stream(partitions)
            .mapToObj(p -> new BatchPolicy(batchSize, p, Clock.NEVER))
            .map(policy -> new PartitionTraining(source, policy))
            .toList();
    seconds = new double[partitions.length][repeats];
    processorSeconds = new double[partitions.length][repeats];
    losses = new double[partitions.length];
  }

  /** Measures {@code repeats} steps for each number of partitions, after two for warm-up. */
  static PartitionTimes measure(
      GradientSource source, int batchSize, int[] partitions, int repeats, BenchmarkRun given) {
    PartitionTimes times = new PartitionTimes(source, batchSize, partitions, repeats);
    var order = new ExampleOrder(new Streams(1), source.trainingExamples(), 0, 1);
    int[] batch = new int[batchSize];
    for (int turn = 0; turn < WARM_UP + repeats; turn++) {
      order.peek(batch);
      order.advance(batchSize);
      times.takeTurns(batch, turn, given);
    }
    return times;
  }

  /** Performs one step for each number of partitions; another one is first each time. */
  private void takeTurns(int[] batch, int turn, BenchmarkRun given) {
    int repeat = Math.max(0, turn - WARM_UP);
    for (int k = 0; k < trainings.size(); k++) {
      int i = (k + turn) % trainings.size();
      PartitionTraining.Step step = trainings.get(i).step(batch);
      seconds[i][repeat] = step.seconds();
      processorSeconds[i][repeat] = step.processorSeconds();
      losses[i] = step.loss();
      given.say("batches of " + batchSize + ", turns", turn, WARM_UP + seconds[i].length);
    }
  }

  int batchSize() {
    return batchSize;
  }

  /** Number of different numbers of partitions P. */
  int count() {
    return trainings.size();
  }

  /** The i-th P. */
  int partitions(int i) {
    return trainings.get(i).partitions();
  }

  /** Seconds per step with the i-th P. */
  Sample seconds(int i) {
    return Sample.of(seconds[i]);
  }

  /** Time with the i-th P, divided by that with the first P, of the same turn. */
  Sample ratio(int i) {
    return Sample.ratio(seconds[i], seconds[0]);
  }

  /** Processor time with the i-th P, divided by that with the first P, of the same turn. */
  Sample processorRatio(int i) {
    return Sample.ratio(processorSeconds[i], processorSeconds[0]);
  }

  /** Mean loss of the last step's examples with the i-th P. */
  double loss(int i) {
    return losses[i];
  }

  /** {@code {P: {time_per_step, last_loss}}}, the format that plots of such experiments read. */
  Map<String, Object> byPartitions() {
    Map<String, Object> times = new LinkedHashMap<>();
    for (int i = 0; i < seconds.length; i++) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("time_per_step", seconds(i).median());
      entry.put("last_loss", loss(i));
      times.put(Integer.toString(partitions(i)), entry);
    }
    return times;
  }
}
