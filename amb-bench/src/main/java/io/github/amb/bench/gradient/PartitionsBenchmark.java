package io.github.amb.bench.gradient;

import io.github.amb.bench.harness.Arguments;
import io.github.amb.bench.harness.Benchmark;
import io.github.amb.bench.harness.Parameter;
import io.github.amb.bench.harness.Progress;
import io.github.amb.bench.harness.Report;
import io.github.amb.bench.harness.Sample;
import io.github.amb.bench.harness.Table;
import io.github.amb.bench.harness.Target;
import io.github.amb.core.command.UsageException;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.random.Streams;
import io.github.amb.core.scheme.BatchPolicy;
import io.github.amb.models.data.DataSet;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.network.Networks;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What it costs to cut a batch of B examples into P partitions, as anytime mini-batch does: time of
 * one gradient against P. The numbers of partitions take turns, so that a change of the machine's
 * speed hits all alike.
 */
public final class PartitionsBenchmark implements Benchmark {
  private static final Parameter NETWORK =
      Parameter.text("network", "mnist-cnn", "a network (amb models)", "what computes gradients");
  private static final Parameter BATCH_SIZE =
      Parameter.integers("batch-size", "512", 1, "examples per step, B");
  private static final Parameter PARTITIONS =
      Parameter.integers("partitions", "1,2,4,8,16,32", 1, "partitions per batch, P");
  private static final Parameter DATA_SET =
      Parameter.text("data-set", "digits", "a data set (amb data list)", "the examples");
  private static final Parameter DATA_DIR =
      Parameter.text("data-dir", null, "a directory", "where the data set's files are");
  private static final Parameter REPEATS =
      Parameter.integer("repeats", 10, 1, "steps timed for each P");

  private static final int WARM_UP = 2;
  private static final int TARGET_BATCH_SIZE = 512;
  private static final int TARGET_PARTITIONS = 16;
  private static final double LARGEST_RATIO = 1.05;

  @Override
  public String name() {
    return "partitions";
  }

  @Override
  public String summary() {
    return "time of a gradient against the number of partitions of its batch";
  }

  @Override
  public List<Parameter> parameters() {
    return List.of(NETWORK, BATCH_SIZE, PARTITIONS, DATA_SET, DATA_DIR, REPEATS);
  }

  @Override
  public Report run(Arguments given, Progress progress) {
    check(given);
    Path directory = given.text(DATA_DIR) == null ? null : Path.of(given.text(DATA_DIR));
    DataSet data = DataSets.load(given.text(DATA_SET), directory, 1);
    List<Table> tables = new ArrayList<>();
    List<Target> targets = new ArrayList<>();
    Map<String, Object> times = new LinkedHashMap<>();
    try (GradientSource source = Networks.open(given.text(NETWORK), data)) {
      for (int batchSize : given.integers(BATCH_SIZE)) {
        List<PartitionTraining> trainings = trainings(source, batchSize, given);
        double[][] seconds = measure(source, batchSize, trainings, given, progress);
        tables.add(table(given, batchSize, trainings, seconds, targets));
        times.put(Integer.toString(batchSize), times(trainings, seconds));
      }
    }
    return new Report(tables, targets, NOTES, Map.of("partitions", times));
  }

  private static final List<String> NOTES =
      List.of(
          "a step is one gradient sum, without update; P take turns; ratios are of the same turn",
          "losses at the last step differ only by rounding, unless the network normalises batches");

  private static void check(Arguments given) {
    int[] partitions = given.integers(PARTITIONS);
    int most = Arrays.stream(partitions).max().orElseThrow();
    int smallest = Arrays.stream(given.integers(BATCH_SIZE)).min().orElseThrow();
    if (partitions[0] != 1) {
      throw new UsageException(
          "--partitions: expected 1 first, with which the others are compared, found "
              + given.text(PARTITIONS));
    }
    if (most > smallest) {
      throw new UsageException(
          "--partitions: expected at most one per example of the batch (%d), found %d"
              .formatted(smallest, most));
    }
  }

  private static List<PartitionTraining> trainings(
      GradientSource source, int batchSize, Arguments given) {
    return Arrays.stream(given.integers(PARTITIONS))
        .mapToObj(p -> new PartitionTraining(source, new BatchPolicy(batchSize, p, Clock.NEVER)))
        .toList();
  }

  /** Seconds by P and repeat. */
  private static double[][] measure(
      GradientSource source,
      int batchSize,
      List<PartitionTraining> trainings,
      Arguments given,
      Progress progress) {
    int repeats = given.integer(REPEATS);
    var order = new ExampleOrder(new Streams(1), source.trainingExamples(), 0, 1);
    int[] batch = new int[batchSize];
    int count = trainings.size();
    double[][] seconds = new double[count][repeats];
    for (int repeat = -WARM_UP; repeat < repeats; repeat++) {
      order.peek(batch);
      order.advance(batchSize);
      for (int i = 0; i < count; i++) {
        int turn = (i + repeat + WARM_UP) % count;
        double time = trainings.get(turn).step(batch);
        seconds[turn][Math.max(0, repeat)] = time;
        progress.say("batches of " + batchSize + ", turn", repeat + WARM_UP, repeats + WARM_UP);
      }
    }
    return seconds;
  }

  private static Table table(
      Arguments given,
      int batchSize,
      List<PartitionTraining> trainings,
      double[][] seconds,
      List<Target> targets) {
    Table table =
        new Table(
            "%s on %s, batches of %d"
                .formatted(given.text(NETWORK), given.text(DATA_SET), batchSize),
            "partitions",
            "step_ms",
            "us_per_example",
            "ratio_to_1_partition",
            "last_loss");
    for (int i = 0; i < seconds.length; i++) {
      PartitionTraining training = trainings.get(i);
      Sample time = Sample.of(seconds[i]);
      Sample ratio = ratio(seconds[i], seconds[0]);
      double perExample = 1e6 * time.median() / batchSize;
      table.row(training.partitions(), time.map(s -> 1e3 * s), perExample, ratio, training.loss());
      if (training.partitions() == TARGET_PARTITIONS && batchSize == TARGET_BATCH_SIZE) {
        targets.add(
            new Target("median time at P = 16 to P = 1, B = 512", LARGEST_RATIO, ratio.median()));
      }
    }
    return table;
  }

  private static Sample ratio(double[] seconds, double[] base) {
    double[] ratios = new double[seconds.length];
    Arrays.setAll(ratios, i -> seconds[i] / base[i]);
    return Sample.of(ratios);
  }

  /** {@code {P: {time_per_step, last_loss}}}, as plots of such experiments expect it. */
  private static Map<String, Object> times(List<PartitionTraining> trainings, double[][] seconds) {
    Map<String, Object> times = new LinkedHashMap<>();
    for (int i = 0; i < seconds.length; i++) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("time_per_step", Sample.of(seconds[i]).median());
      entry.put("last_loss", trainings.get(i).loss());
      times.put(Integer.toString(trainings.get(i).partitions()), entry);
    }
    return times;
  }
}
