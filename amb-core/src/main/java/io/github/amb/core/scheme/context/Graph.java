package io.github.amb.core.scheme.context;

import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.option.Decimal;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.random.Streams;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * An undirected graph of nodes that exchange messages, with Metropolis weights: {@code W_ij = 1 /
 * (1 + max(dᵢ, dⱼ))} for an edge, where dᵢ is the number of i's neighbors, {@code W_ii = 1 − Σⱼ
 * W_ij}, else 0. W is symmetric and doubly stochastic. If the graph is connected, {@code Wʳ v}
 * tends to the mean of v, and {@code ‖Wʳ v − mean‖ ≤ |λ|ʳ ‖v − mean‖}, where λ is the second
 * largest eigenvalue by magnitude. Immutable.
 *
 * <p>Xiao and Boyd: "Fast Linear Iterations for Distributed Averaging", Systems and Control Letters
 * 53, 2004.
 */
public final class Graph {
  /** The names of graphs, for help. */
  public static final String NAMES =
      "ring, torus, hypercube, complete, er:P[:SEED], amb-iclr-10, or a file of edges";

  /** The graph of ten nodes of Ferdinand et al., ICLR 2019, as their programs have it. */
  private static final String ICLR =
      "0-1 0-5 0-9 1-2 1-3 1-6 1-7 1-9 2-3 3-5 3-7 4-5 5-8 5-9 6-7 8-9";

  private static final int MAX_BYTES = 16 << 20;
  private static final double TOLERANCE = 1e-12;
  private static final int MAX_ITERATIONS = 100_000;

  private final String name;
  private final BitSet[] neighbors;

  private Graph(String name, int nodes) {
    this.name = name;
    neighbors = new BitSet[nodes];
    Arrays.setAll(neighbors, node -> new BitSet(nodes));
  }

  /**
   * The graph of a text.
   *
   * @param text one of {@link #NAMES}; a file has two ranks per line, from 1, and comments after #
   * @param nodes number of nodes, at least 1
   * @throws UsageException if there is no such graph with so many nodes
   */
  public static Graph of(String text, int nodes) {
    Graph graph = new Graph(text, nodes);
    switch (text.split(":", 2)[0]) {
      case "ring" -> graph.grid(1, nodes);
      case "torus" -> graph.torus();
      case "hypercube" -> graph.hypercube();
      case "complete" -> graph.random(1, 0);
      case "er" -> graph.random(text.split(":", -1));
      case "amb-iclr-10" -> graph.iclr();
      default -> graph.readFile(text);
    }
    return graph;
  }

  private void link(int one, int other) {
    if (one != other) {
      neighbors[one].set(other);
      neighbors[other].set(one);
    }
  }

  private void grid(int rows, int columns) {
    for (int node = 0; node < nodes(); node++) {
      int row = node / columns;
      int column = node % columns;
      link(node, row * columns + (column + 1) % columns);
      link(node, (row + 1) % rows * columns + column);
    }
  }

  private void torus() {
    int rows = (int) Math.sqrt(nodes());
    while (nodes() % rows != 0) {
      rows--;
    }
    expect(rows > 2, "a product of two numbers above 2");
    grid(rows, nodes() / rows);
  }

  private void hypercube() {
    expect(Integer.bitCount(nodes()) == 1, "a power of 2");
    for (int node = 0; node < nodes(); node++) {
      for (int bit = 1; bit < nodes(); bit <<= 1) {
        link(node, node ^ bit);
      }
    }
  }

  private void random(String[] words) {
    double share = words.length < 2 ? -1 : Decimal.any(words[1], -1);
    boolean seeded = words.length == 3 && words[2].matches("\\d{1,18}");
    if (!(share > 0 && share <= 1) || words.length != 2 && !seeded) {
      throw new UsageException(
          "--graph: expected er:P or er:P:SEED, P above 0 up to 1, found '%s'", name);
    }
    random(share, seeded ? Long.parseLong(words[2]) : 1);
  }

  /** Each edge is there with the same probability, whatever the others are (Erdős, Rényi). */
  private void random(double share, long seed) {
    UniformRandomProvider draws = new Streams(seed).stream("graph", 0, nodes());
    for (int node = 0; node < nodes(); node++) {
      for (int other = 0; other < node; other++) {
        if (draws.nextDouble() < share) {
          link(node, other);
        }
      }
    }
  }

  private void iclr() {
    expect(nodes() == 10, "10");
    for (String edge : ICLR.split(" ")) {
      link(edge.charAt(0) - '0', edge.charAt(2) - '0');
    }
  }

  private void expect(boolean fits, String count) {
    if (!fits) {
      throw new UsageException(
          "--graph %s: expected --workers to be %s, found %d", name, count, nodes());
    }
  }

  private void readFile(String file) {
    try {
      byte[] text = BoundedFile.readNamed(file, "a list of edges", MAX_BYTES);
      List<String> lines = new String(text, StandardCharsets.UTF_8).lines().toList();
      for (int i = 0; i < lines.size(); i++) {
        String edge = lines.get(i).replaceFirst("#.*", "").strip();
        if (!edge.isEmpty()) {
          read(edge, file + ", line " + (i + 1));
        }
      }
    } catch (IOException e) {
      throw new UsageException("--graph: expected %s, cannot read %s", NAMES, e.getMessage());
    }
  }

  private void read(String edge, String place) {
    String[] ranks = edge.split("\\s+");
    int one = rank(ranks[0]);
    int other = ranks.length == 2 ? rank(ranks[1]) : -1;
    if (one < 0 || other < 0 || one == other) {
      throw new UsageException(
          "%s: expected two different ranks from 1 to %d, found '%s'", place, nodes(), edge);
    }
    link(one, other);
  }

  private int rank(String text) {
    int rank = text.matches("\\d{1,9}") ? Integer.parseInt(text) : 0;
    return rank <= nodes() ? rank - 1 : -1;
  }

  /** Number of nodes. */
  public int nodes() {
    return neighbors.length;
  }

  /** A node's neighbors, ascending. */
  public int[] neighbors(int node) {
    return neighbors[node].stream().toArray();
  }

  /** W of two nodes, or of one and itself. */
  public double weight(int node, int other) {
    if (node == other) {
      return 1 - neighbors[node].stream().mapToDouble(each -> weight(node, each)).sum();
    }
    int most = Math.max(neighbors[node].cardinality(), neighbors[other].cardinality());
    return neighbors[node].get(other) ? 1.0 / (1 + most) : 0;
  }

  /** W times a vector of one number per node. */
  double[] mix(double[] vector) {
    double[] mixed = new double[nodes()];
    for (int node = 0; node < mixed.length; node++) {
      mixed[node] = weight(node, node) * vector[node];
      for (int other : neighbors(node)) {
        mixed[node] += weight(node, other) * vector[other];
      }
    }
    return mixed;
  }

  /**
   * The second largest eigenvalue of W: 1 if the graph is not connected, and 0 if it has one node.
   * By power iteration on (I + W) / 2 without its first eigenvector, to about six digits.
   */
  public double lambda2() {
    double[] vector = new Streams(1).stream("lambda", 0, 0).doubles(nodes()).toArray();
    double last = Double.NaN;
    double value = 0;
    for (int i = 0; i < MAX_ITERATIONS && !(Math.abs(value - last) <= TOLERANCE); i++) {
      last = value;
      double mean = Arrays.stream(vector).average().orElseThrow();
      double norm = 0;
      for (int node = 0; node < vector.length; node++) {
        vector[node] -= mean;
        norm += vector[node] * vector[node];
      }
      if (nodes() == 1 || norm == 0) {
        return 0;
      }
      double[] mixed = mix(vector);
      double product = 0;
      for (int node = 0; node < vector.length; node++) {
        product += vector[node] * mixed[node];
        mixed[node] = (vector[node] + mixed[node]) / (2 * Math.sqrt(norm));
      }
      value = product / norm;
      System.arraycopy(mixed, 0, vector, 0, mixed.length);
    }
    return value;
  }

  /** The nodes that a node has a path to, itself included. */
  BitSet reached(int from) {
    BitSet reached = new BitSet();
    BitSet border = new BitSet();
    border.set(from);
    while (!border.isEmpty()) {
      int node = border.nextSetBit(0);
      reached.set(node);
      border.or(neighbors[node]);
      border.andNot(reached);
    }
    return reached;
  }

  /** Whether there is a path between any two nodes. */
  public boolean isConnected() {
    return part() == nodes();
  }

  /** Number of nodes in the connected part that has the first one. */
  public int part() {
    return reached(0).cardinality();
  }

  /**
   * The graph without some nodes and their edges.
   *
   * @param kept the nodes that are left, ascending; node i of the result is {@code kept[i]}
   */
  public Graph keeping(int... kept) {
    if (kept.length == nodes()) {
      return this;
    }
    Graph rest = new Graph(name, kept.length);
    for (int i = 0; i < kept.length; i++) {
      for (int j = 0; j < i; j++) {
        if (neighbors[kept[i]].get(kept[j])) {
          rest.link(i, j);
        }
      }
    }
    return rest;
  }

  @Override
  public String toString() {
    return name;
  }
}
