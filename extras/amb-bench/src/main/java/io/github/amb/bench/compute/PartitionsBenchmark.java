package io.github.amb.bench.compute;

import static io.github.amb.bench.harness.Parameter.DATA_DIR;
import static io.github.amb.bench.harness.Parameter.integer;
import static io.github.amb.bench.harness.Parameter.integers;
import static io.github.amb.bench.harness.Parameter.text;

import io.github.amb.bench.harness.Benchmark;
import io.github.amb.bench.harness.BenchmarkReport;
import io.github.amb.bench.harness.BenchmarkRun;
import io.github.amb.bench.harness.Sample;
import io.github.amb.bench.harness.Table;
import io.github.amb.bench.harness.Target;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.gradient.ExampleOrder;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.random.Streams;
import io.github.amb.core.scheme.context.BatchPolicy;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.network.Networks;
import io.github.amb.plots.panel.Partitions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The cost of splitting a batch of B examples into P partitions, as anytime mini-batch does:
 * seconds per gradient against P.
 */
public final class PartitionsBenchmark extends Benchmark {
  private static final String NOISE = "noise";

  private static final Setting<String> NETWORK =
      text("network", "mnist-cnn", "a network (amb models)", "what computes gradients");
  private static final Setting<List<Integer>> BATCH_SIZE =
      integers("batch-size", "512", 1, "examples per step, B");
  private static final Setting<List<Integer>> PARTITIONS =
      integers("partitions", "1,2,4,8,16,32", 1, "partitions per batch, P");
  private static final Setting<String> DATA_SET =
      text("data-set", NOISE, "a data set (amb data list), or " + NOISE, "the examples");
  private static final Setting<Integer> REPEATS =
      integer("repeats", 10, 1, "steps timed for each P");

  private static final Setting<String> OUT =
      text(
          "out",
          null,
          "a directory",
          "write partitions.json there, for amb plot --type partitions");

  private static final List<String> NOTES =
      List.of(
          "a step is one gradient sum, without update; P take turns; ratios are of the same turn",
          "processor time leaves out when other processes had the core",
          "last losses differ only by rounding, unless the network normalizes batches");

  private static final int WARM_UP = 2;
  private static final int TARGET_BATCH_SIZE = 512;
  private static final int TARGET_PARTITIONS = 16;
  private static final double LARGEST_RATIO = 1.05;

  public PartitionsBenchmark() {
    super(
        "partitions",
        "time of a gradient against the number of partitions of its batch",
        List.of(NETWORK, BATCH_SIZE, PARTITIONS, DATA_SET, DATA_DIR, REPEATS, OUT));
  }

  @Override
  public BenchmarkReport run(BenchmarkRun given) throws IOException {
    DataSet data = data(given);
    List<Table> tables = new ArrayList<>();
    List<Target> targets = new ArrayList<>();
    Map<String, Object> byBatchSize = new LinkedHashMap<>();
    try (GradientSource source = Networks.open(given.text(NETWORK), data)) {
      for (int batchSize : given.integers(BATCH_SIZE)) {
        List<PartitionTraining> trainings = measure(source, batchSize, given);
        tables.add(table(given, batchSize, trainings));
        addTarget(batchSize, trainings, targets);
        byBatchSize.put(Integer.toString(batchSize), byPartitions(trainings));
      }
    }
    if (given.text(OUT) != null) {
      write(byBatchSize, given.path(OUT));
    }
    return new BenchmarkReport(tables, targets, NOTES, Map.of("partitions", byBatchSize));
  }

  private static DataSet data(BenchmarkRun given) {
    if (given.text(DATA_SET).equals(NOISE)) {
      int most = Arrays.stream(given.integers(BATCH_SIZE)).max().orElseThrow();
      return NoiseData.of(Networks.summary(given.text(NETWORK)), most);
    }
    return DataSets.load(given.text(DATA_SET), given.path(DATA_DIR), 1);
  }

  private static void write(Map<String, Object> byBatchSize, Path folder) throws IOException {
    Files.createDirectories(folder);
    BenchmarkReport.JSON.writeValue(folder.resolve(Partitions.FILE).toFile(), byBatchSize);
  }

  @Override
  public void check(BenchmarkRun given) {
    int[] partitions = given.integers(PARTITIONS);
    int most = Arrays.stream(partitions).max().orElseThrow();
    int largest = Arrays.stream(given.integers(BATCH_SIZE)).max().orElseThrow();
    if (partitions[0] != 1) {
      throw new UsageException(
          "--partitions: expected 1 first, with which the others are compared, found "
              + given.text(PARTITIONS));
    }
    if (most > largest) {
      throw new UsageException(
          "--partitions: expected at most one per example of the batch (%d), found %d",
          largest, most);
    }
  }

  /**
   * Performs one step for each number of partitions in every turn, and another one is first each
   * time, so that changes of the machine's speed affect all equally.
   */
  private static List<PartitionTraining> measure(
      GradientSource source, int batchSize, BenchmarkRun given) {
    int turns = WARM_UP + given.get(REPEATS);
    List<PartitionTraining> trainings =
        given.get(PARTITIONS).stream()
            .filter(p -> p <= batchSize)
            .map(p -> new BatchPolicy(batchSize, p, Clock.NEVER))
            .map(policy -> new PartitionTraining(source, policy, given.get(REPEATS)))
            .toList();
    var order = new ExampleOrder(new Streams(1), source.trainingExamples(), 0, 1);
    int[] batch = new int[batchSize];
    for (int turn = 0; turn < turns; turn++) {
      order.peek(batch);
      order.advance(batchSize);
      for (int k = 0; k < trainings.size(); k++) {
        trainings.get((k + turn) % trainings.size()).step(batch, Math.max(0, turn - WARM_UP));
        given.say("batches of " + batchSize + ", turns", turn, turns);
      }
    }
    return trainings;
  }

  private static Table table(BenchmarkRun given, int batchSize, List<PartitionTraining> trainings) {
    Table table =
        new Table(
            "%s on %s, batches of %s"
                .formatted(given.text(NETWORK), given.text(DATA_SET), batchSize),
            "partitions step_ms us_per_example ratio_to_1_partition processor_time_ratio"
                + " last_loss");
    PartitionTraining first = trainings.get(0);
    for (PartitionTraining each : trainings) {
      Sample seconds = Sample.of(each.seconds);
      table.row(
          each.partitions(),
          seconds.map(s -> 1e3 * s),
          1e6 * seconds.median() / batchSize,
          Sample.ratio(each.seconds, first.seconds),
          Sample.ratio(each.processorSeconds, first.processorSeconds),
          each.loss);
    }
    return table;
  }

  /** {@code {P: {time_per_step, last_loss}}}, the format that plots of such experiments read. */
  private static Map<String, Object> byPartitions(List<PartitionTraining> trainings) {
    Map<String, Object> times = new LinkedHashMap<>();
    for (PartitionTraining each : trainings) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("time_per_step", Sample.of(each.seconds).median());
      entry.put("last_loss", each.loss);
      times.put(Integer.toString(each.partitions()), entry);
    }
    return times;
  }

  private static void addTarget(
      int batchSize, List<PartitionTraining> trainings, List<Target> targets) {
    for (PartitionTraining each : trainings) {
      if (each.partitions() == TARGET_PARTITIONS && batchSize == TARGET_BATCH_SIZE) {
        double ratio = Sample.ratio(each.seconds, trainings.get(0).seconds).median();
        targets.add(new Target("median time at P = 16 to P = 1, B = 512,", LARGEST_RATIO, ratio));
      }
    }
  }
}
