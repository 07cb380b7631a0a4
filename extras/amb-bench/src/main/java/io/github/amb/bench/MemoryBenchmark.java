package io.github.amb.bench;

import static io.github.amb.bench.harness.Parameter.DATA_DIR;
import static io.github.amb.bench.harness.Parameter.integer;
import static io.github.amb.bench.harness.Parameter.text;

import io.github.amb.bench.harness.AmbProgram;
import io.github.amb.bench.harness.Benchmark;
import io.github.amb.bench.harness.BenchmarkReport;
import io.github.amb.bench.harness.BenchmarkRun;
import io.github.amb.bench.harness.ResidentMemory;
import io.github.amb.bench.harness.Table;
import io.github.amb.bench.harness.Target;
import io.github.amb.bench.harness.TemporaryDirectory;
import io.github.amb.core.option.Setting;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

/** Resident memory of the master and the workers of a short real run of {@code amb train}. */
public final class MemoryBenchmark extends Benchmark {
  private static final Setting<String> DATA_SET =
      text("data-set", "digits", "a data set (amb data list)", "what to train on");
  private static final Setting<String> NETWORK =
      text("network", "mnist-cnn", "a network (amb models)", "what is trained");
  private static final Setting<Integer> BATCH_SIZE =
      integer("batch-size", 256, 1, "examples per worker and step");
  private static final Setting<Integer> WORKERS =
      integer("workers", 2, 1, "worker processes beside the master");
  private static final Setting<Integer> STEPS = integer("steps", 30, 1, "length of the run");

  private static final String TIME_LIMIT = "0.5";
  private static final int PARTITIONS = 16;
  private static final double LARGEST_WORKER = 700;

  public MemoryBenchmark() {
    super(
        "memory",
        "resident memory of master and workers of a short run",
        List.of(DATA_SET, DATA_DIR, NETWORK, BATCH_SIZE, WORKERS, STEPS));
  }

  @Override
  public void check(BenchmarkRun given) {
    ResidentMemory.requireAvailable();
  }

  @Override
  public BenchmarkReport run(BenchmarkRun given) throws IOException, InterruptedException {
    try (TemporaryDirectory directory = new TemporaryDirectory()) {
      RankMemory memory = new RankMemory();
      AmbProgram.run(
          arguments(given, directory.path()),
          directory.path().resolve("output"),
          given,
          process -> memory.read(process.descendants()));
      return report(given, memory.ranks);
    }
  }

  private static List<String> arguments(BenchmarkRun given, Path runs) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("train", given.text(DATA_SET), "amb", "rms"));
    command.add(given.text(BATCH_SIZE));
    command.addAll(List.of("--network", given.text(NETWORK), "--workers", given.text(WORKERS)));
    int partitions = Math.min(PARTITIONS, given.get(BATCH_SIZE));
    command.addAll(List.of("--amb-time-limit", TIME_LIMIT));
    command.addAll(List.of("--amb-num-partitions", Integer.toString(partitions)));
    command.addAll(List.of("--last-step", given.text(STEPS), "--runs-dir", runs.toString()));
    if (given.text(DATA_DIR) != null) {
      command.addAll(List.of("--data-dir", given.text(DATA_DIR)));
    }
    return command;
  }

  private static BenchmarkReport report(
      BenchmarkRun given, SortedMap<Integer, ResidentMemory> ranks) {
    Table table =
        new Table(
            "resident memory, %s on %s, batches of %s"
                .formatted(given.text(NETWORK), given.text(DATA_SET), given.text(BATCH_SIZE)),
            "rank resident_mb peak_mb");
    ranks.forEach(
        (rank, memory) ->
            table.row(rank == 0 ? "master" : "worker " + rank, memory.last(), memory.peak()));
    double worst =
        ranks.tailMap(1).values().stream()
            .mapToDouble(ResidentMemory::peak)
            .max()
            .orElseThrow(() -> new IllegalStateException("no worker was seen while it lived"));
    return new BenchmarkReport(
        List.of(table),
        List.of(new Target("largest worker's peak resident memory, MB", LARGEST_WORKER, worst)),
        List.of("VmRSS at the last reading before the end, and VmHWM; MB are 10^6 bytes"));
  }
}
