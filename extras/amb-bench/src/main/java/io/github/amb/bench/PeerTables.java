package io.github.amb.bench;

import io.github.amb.bench.harness.Sample;
import io.github.amb.bench.harness.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The tables of {@link PeersBenchmark}. */
final class PeerTables {
  private final List<PeerProgram> peers;
  private final int[] sizes;
  private final int torch;
  private final Table speeds;
  private final Table pairs;
  private final Table processes = new Table("processes", "network program start_s resident_mb");

  /** Ratios to PyTorch by network and batch size; empty without PyTorch. */
  final List<Ratio> ratios = new ArrayList<>();

  /** Maximum seconds of this program from the start of a process to its first gradient. */
  double slowestStart;

  /** This program's examples per second divided by PyTorch's. */
  record Ratio(String network, int batch, double median) {}

  PeerTables(List<PeerProgram> peers, int[] sizes) {
    this.peers = peers;
    this.sizes = sizes;
    List<String> names = peers.stream().map(PeerProgram::name).toList();
    torch = names.indexOf(PeerProgram.TORCH);
    speeds =
        table(
            "examples per second of one process",
            "network batch_size",
            names,
            " amb_gflop_per_s amb_share_of_peak");
    pairs =
        table(
            "examples per second of two processes at once, batch " + PeerRace.PAIR_BATCH,
            "network",
            names,
            "");
  }

  private static Table table(String title, String first, List<String> names, String last) {
    List<String> columns = new ArrayList<>(List.of(first));
    columns.addAll(names);
    names.stream().skip(1).forEach(name -> columns.add("amb_to_" + name));
    return new Table(title, String.join(" ", columns) + last);
  }

  /**
   * Adds rows.
   *
   * @param operations floating-point operations of one example's gradient
   * @param peak floating-point operations per second of a product of matrices
   */
  void add(PeerRace.Result result, long operations, double peak) {
    for (int size = 0; size < sizes.length; size++) {
      double[][] byPeer = of(result.speeds(), size);
      double work = operations * Sample.of(byPeer[0]).median();
      List<Object> cells = cells(byPeer, result.network(), sizes[size]);
      cells.addAll(List.of(work / 1e9, work / peak));
      speeds.row(cells.toArray());
      if (torch >= 0) {
        ratios.add(
            new Ratio(
                result.network(), sizes[size], Sample.ratio(byPeer[0], byPeer[torch]).median()));
      }
    }
    pairs.row(cells(of(result.pairs(), 0), result.network()).toArray());
    for (int i = 0; i < peers.size(); i++) {
      processes.row(
          result.network(), peers.get(i).name(), result.starts()[i], result.resident()[i]);
    }
    slowestStart = Math.max(slowestStart, result.starts()[0]);
  }

  private static double[][] of(double[][][] speeds, int size) {
    return Arrays.stream(speeds).map(bySize -> bySize[size]).toArray(double[][]::new);
  }

  private static List<Object> cells(double[][] byPeer, Object... first) {
    List<Object> cells = new ArrayList<>(List.of(first));
    for (double[] repeats : byPeer) {
      cells.add(Sample.of(repeats));
    }
    for (int i = 1; i < byPeer.length; i++) {
      cells.add(Sample.ratio(byPeer[0], byPeer[i]).median());
    }
    return cells;
  }

  List<Table> tables() {
    return List.of(speeds, pairs, processes);
  }
}
