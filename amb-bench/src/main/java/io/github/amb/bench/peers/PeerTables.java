package io.github.amb.bench.peers;

import io.github.amb.bench.harness.Sample;
import io.github.amb.bench.harness.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The tables of {@link PeersBenchmark}. */
final class PeerTables {
  private final List<PeerProgram> peers;
  private final int[] sizes;
  private final int torch;
  private final Table speeds;
  private final Table pairs;
  private final Table processes;
  private final List<Ratio> ratios = new ArrayList<>();
  private double slowestStart;

  /** This program's examples per second divided by PyTorch's. */
  record Ratio(String network, int batch, double median) {}

  PeerTables(List<PeerProgram> peers, int[] sizes) {
    this.peers = peers;
    this.sizes = sizes;
    List<String> names = peers.stream().map(PeerProgram::name).toList();
    torch = names.indexOf(PeerProgram.TORCH);
    speeds = table("examples per second of one process", names, "network", "batch_size");
    pairs =
        table(
            "examples per second of two processes at once, batch " + PeerRace.PAIR_BATCH,
            names,
            "network");
    processes = new Table("processes", "network", "program", "start_s", "resident_mb");
  }

  private static Table table(String title, List<String> names, String... first) {
    Stream<String> ratios = names.stream().skip(1).map(name -> "amb_to_" + name);
    return new Table(
        title,
        Stream.of(Stream.of(first), names.stream(), ratios)
            .flatMap(part -> part)
            .toArray(String[]::new));
  }

  void add(PeerRace.Result result) {
    for (int size = 0; size < sizes.length; size++) {
      double[][] byPeer = new double[peers.size()][];
      for (int i = 0; i < byPeer.length; i++) {
        byPeer[i] = result.speeds()[i][size];
      }
      speeds.row(cells(byPeer, result.network(), sizes[size]));
      if (torch >= 0) {
        ratios.add(new Ratio(result.network(), sizes[size], ratio(byPeer, torch).median()));
      }
    }
    pairs.row(cells(result.pairs(), result.network()));
    for (int i = 0; i < peers.size(); i++) {
      processes.row(
          result.network(), peers.get(i).name(), result.starts()[i], result.resident()[i]);
    }
    slowestStart = Math.max(slowestStart, result.starts()[0]);
  }

  private static Object[] cells(double[][] byPeer, Object... first) {
    List<Object> cells = new ArrayList<>(List.of(first));
    for (double[] repeats : byPeer) {
      cells.add(Sample.of(repeats));
    }
    for (int i = 1; i < byPeer.length; i++) {
      cells.add(ratio(byPeer, i).median());
    }
    return cells.toArray();
  }

  private static Sample ratio(double[][] byPeer, int other) {
    double[] ratios = new double[byPeer[0].length];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = byPeer[0][i] / byPeer[other][i];
    }
    return Sample.of(ratios);
  }

  List<Table> tables() {
    return List.of(speeds, pairs, processes);
  }

  /** Ratios to PyTorch by network and batch size; empty without PyTorch. */
  List<Ratio> toTorch() {
    return ratios;
  }

  /** Maximum seconds of this program from the start of a process to its first gradient. */
  double slowestStart() {
    return slowestStart;
  }
}
