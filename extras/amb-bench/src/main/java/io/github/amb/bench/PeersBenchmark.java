package io.github.amb.bench;

import static io.github.amb.bench.harness.Parameter.integer;
import static io.github.amb.bench.harness.Parameter.integers;
import static io.github.amb.bench.harness.Parameter.seconds;
import static io.github.amb.bench.harness.Parameter.text;

import io.github.amb.bench.harness.Benchmark;
import io.github.amb.bench.harness.BenchmarkReport;
import io.github.amb.bench.harness.BenchmarkRun;
import io.github.amb.bench.harness.Target;
import io.github.amb.bench.harness.TemporaryDirectory;
import io.github.amb.core.option.Setting;
import io.github.amb.models.network.Networks;
import io.github.amb.models.onednn.primitive.MatrixProduct;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * This program's gradients beside PyTorch's and TensorFlow's: same network and batch, one thread.
 */
public final class PeersBenchmark extends Benchmark {
  private static final Setting<String> NETWORKS =
      text(
          "networks",
          "sigmoid-mlp,mnist-cnn,lenet,cifar10-cnn,resnet18",
          "networks (amb models), joined by commas",
          "which");
  private static final Setting<List<Integer>> BATCH_SIZES =
      integers("batch-sizes", "4,8,32,128", 1, "examples per gradient, at most 256");
  private static final Setting<Integer> REPEATS =
      integer("repeats", 7, 1, "times each is measured");
  private static final Setting<Double> SLICE =
      seconds("slice", 0.3, "least time of one measurement");

  /** Target ratio to PyTorch's speed, by batch size. */
  private static final Map<Integer, Double> WANTED =
      Map.of(1, 1.0, 8, 1.0, 12, 1.0, 32, 1.0, 64, 1.0, 128, 1.0);

  private static final double START_SECONDS = 1.5;
  private static final double PEAK_SECONDS = 0.2;

  public PeersBenchmark() {
    super(
        "peers",
        "our gradients beside PyTorch's and TensorFlow's",
        List.of(
            NETWORKS,
            BATCH_SIZES,
            REPEATS,
            SLICE,
            PeerProgram.PRECISION,
            PeerProgram.PYTHON,
            PeerProgram.TORCH_PROGRAM,
            PeerProgram.TENSORFLOW_CLASSES));
  }

  @Override
  public BenchmarkReport run(BenchmarkRun given) throws Exception {
    List<String> notes = new ArrayList<>();
    notes.add("examples/s of one thread; programs take turns, ratios are of the same turn");
    notes.add(
        "amb copies parameters in, scales a batch of bytes, and copies the gradient sum out; the"
            + " others find parameters and a batch of floats in place and leave the gradient"
            + " there");
    notes.add(
        "amb_gflop_per_s: of convolutions and dense layers; amb_share_of_peak: to a product of"
            + " matrices of 1,024 x 1,024 floats, measured before and after each network");
    List<PeerProgram> peers = PeerProgram.installed(given, notes);
    int[] sizes = given.integers(BATCH_SIZES);
    PeerTables tables = new PeerTables(peers, sizes);
    List<String> networks = given.texts(NETWORKS);
    try (TemporaryDirectory directory = new TemporaryDirectory()) {
      for (int i = 0; i < networks.size(); i++) {
        given.say(networks.get(i), i, networks.size());
        PeerRace race = new PeerRace(networks.get(i), peers, directory.path(), given);
        double before = MatrixProduct.operationsPerSecond(PEAK_SECONDS);
        PeerRace.Result result = race.run(sizes, given.get(REPEATS), given.get(SLICE));
        double peak = Math.max(before, MatrixProduct.operationsPerSecond(PEAK_SECONDS));
        tables.add(result, Networks.operations(networks.get(i)).orElseThrow(), peak);
      }
    }
    return new BenchmarkReport(
        tables.tables(), targets(tables), notes, Map.of("natives", Networks.describeEngine()));
  }

  private static List<Target> targets(PeerTables tables) {
    List<Target> targets = new ArrayList<>();
    for (PeerTables.Ratio ratio : tables.ratios) {
      Double wanted = WANTED.get(ratio.batch());
      if (wanted != null) {
        targets.add(
            Target.atLeast(
                "%s, batch %s: examples/s to PyTorch's".formatted(ratio.network(), ratio.batch()),
                wanted,
                ratio.median()));
      }
    }
    targets.add(new Target("seconds to amb's first gradient", START_SECONDS, tables.slowestStart));
    return targets;
  }
}
