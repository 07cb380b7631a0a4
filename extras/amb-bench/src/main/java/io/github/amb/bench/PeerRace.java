package io.github.amb.bench;

import static io.github.amb.core.option.Decimal.format;

import io.github.amb.bench.compute.NoiseData;
import io.github.amb.bench.harness.AnsweringProcess;
import io.github.amb.bench.harness.BenchmarkRun;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.models.network.NetworkSummary;
import io.github.amb.models.network.Networks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Peers that compute gradients of one network by turns. */
final class PeerRace {
  /** Batch size of the measurement with two processes at once. */
  static final int PAIR_BATCH = 32;

  private final NetworkSummary network;
  private final List<PeerProgram> peers;
  private final Path directory;
  private final BenchmarkRun given;
  private final List<AnsweringProcess> processes = new ArrayList<>();

  /**
   * @param parent parent of the network's directory, which is created
   */
  PeerRace(String name, List<PeerProgram> peers, Path parent, BenchmarkRun given)
      throws IOException {
    this.peers = peers;
    this.given = given;
    network = Networks.summary(name);
    directory = Files.createDirectory(parent.resolve(name));
    Files.writeString(directory.resolve("network.json"), Networks.json(name));
    try (GradientSource source = Networks.open(name, NoiseData.of(network, 1))) {
      Files.write(
          directory.resolve("blocks.txt"),
          source.layout().blocks().stream().map(PeerRace::line).toList());
    }
  }

  private static String line(Block block) {
    return block.name()
        + " "
        + block.kind()
        + Arrays.stream(block.shape()).mapToObj(n -> " " + n).collect(Collectors.joining());
  }

  /**
   * The measurements of one network; arrays are indexed by peer.
   *
   * @param network name of the network
   * @param speeds examples per second by peer, batch size and repeat
   * @param pairs examples per second of two processes at once, by peer, one batch size, and repeat
   * @param starts seconds to the first gradient
   * @param resident resident MB after the last gradient
   */
  record Result(
      String network,
      double[][][] speeds,
      double[][][] pairs,
      double[] starts,
      double[] resident) {}

  /** Measures each peer, batch size and repeat, the innermost loop over the peers. */
  Result run(int[] sizes, int repeats, double seconds) throws IOException {
    List<List<Peer>> running = peers.stream().<List<Peer>>map(peer -> new ArrayList<>()).toList();
    try {
      start(running);
      double[] starts = running.stream().mapToDouble(peer -> peer.get(0).startSeconds()).toArray();
      double[][][] speeds = speeds(running, sizes, repeats, seconds);
      double[] resident = new double[peers.size()];
      for (int i = 0; i < resident.length; i++) {
        resident[i] = running.get(i).get(0).process().memory().last();
      }
      start(running);
      double[][][] pairs = speeds(running, new int[] {PAIR_BATCH}, repeats, seconds);
      return new Result(network.name(), speeds, pairs, starts, resident);
    } finally {
      for (AnsweringProcess process : processes) {
        process.close();
      }
    }
  }

  /** A running peer, and the seconds from the start of its process to its first gradient. */
  private record Peer(AnsweringProcess process, double startSeconds) {}

  /** Starts a process more of each peer. */
  private void start(List<List<Peer>> running) throws IOException {
    for (int i = 0; i < peers.size(); i++) {
      PeerProgram peer = peers.get(i);
      List<String> command = new ArrayList<>(peer.command());
      var input = network.input();
      command.addAll(List.of(network.name(), directory.toString()));
      IntStream.of(input.channels(), input.height(), input.width(), network.classes())
          .forEach(size -> command.add(Integer.toString(size)));
      long start = System.nanoTime();
      AnsweringProcess process = new AnsweringProcess(peer.name(), command);
      processes.add(process);
      long parameters = (long) process.answer("peer ready ");
      running.get(i).add(new Peer(process, (System.nanoTime() - start) / 1e9));
      if (parameters != network.parameters()) {
        throw new IOException(
            "%s of %s: expected %d parameters, found %d"
                .formatted(network.name(), peer.name(), network.parameters(), parameters));
      }
    }
  }

  /**
   * Examples per second by peer, batch size and repeat, after one turn for warm-up.
   *
   * @param running the processes of each peer, which compute at once; their speeds are summed
   */
  private double[][][] speeds(List<List<Peer>> running, int[] sizes, int repeats, double seconds)
      throws IOException {
    double[][][] speeds = new double[peers.size()][sizes.length][repeats];
    for (int repeat = -1; repeat < repeats; repeat++) {
      for (int size = 0; size < sizes.length; size++) {
        for (int i = 0; i < speeds.length; i++) {
          List<Peer> together = running.get(i);
          String two = together.size() == 1 ? "" : "two of ";
          given.say(network.name() + ", " + two + peers.get(i).name());
          for (Peer peer : together) {
            peer.process().ask(format("%d %f", sizes[size], seconds));
          }
          double speed = 0;
          for (Peer peer : together) {
            speed += peer.process().answer("peer speed "); // examples per second
          }
          speeds[i][size][Math.max(0, repeat)] = speed;
        }
      }
    }
    return speeds;
  }
}
