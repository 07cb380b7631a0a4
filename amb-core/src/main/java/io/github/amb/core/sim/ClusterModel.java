package io.github.amb.core.sim;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Clock;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What the nodes of a virtual cluster are, and what joins them.
 *
 * @param nodes of each rank, the master first
 * @param trunks bits per second of the link that joins a rack to the others, in each direction;
 *     racks without an entry have no limit
 * @param seed of the latencies' jitter
 */
public record ClusterModel(List<Node> nodes, Map<String, Double> trunks, long seed) {
  /**
   * One node.
   *
   * @param speed of its computation, above 0
   * @param delays induced before each batch
   * @param slow when it computes slowly
   * @param failures when it is down, from the beginning of an episode to its end; null for never
   * @param link to the others
   */
  public record Node(
      double speed, DelayModel delays, Slowdown slow, Episodes failures, Link link) {}

  /**
   * Episodes in which things take longer.
   *
   * @param episodes null for none
   * @param factor how many times as long they take then
   */
  public record Slowdown(Episodes episodes, double factor) {
    /** Never. */
    public static final Slowdown NONE = new Slowdown(null, 1);

    /** How many times as long things take at a time. */
    double at(long time) {
      return episodes != null && episodes.at(time) ? factor : 1;
    }

    /** When work is done that begins at a time and takes {@code work} nanoseconds otherwise. */
    public long finish(long start, long work) {
      return episodes == null ? start + work : episodes.finish(start, work, factor);
    }
  }

  /**
   * A node's link. A message between two nodes has the longer of their latencies.
   *
   * @param up bits per second from the node, above 0
   * @param down bits per second to the node, above 0
   * @param latency seconds from the end of a transmission to its arrival
   * @param jitter mean of an exponential time, in seconds, that is added to the latency; messages
   *     between two nodes keep their order
   * @param slow when it is slow; a message that begins then takes longer as a whole
   * @param rack of the node
   */
  public record Link(
      double up, double down, double latency, double jitter, Slowdown slow, String rack) {}

  /** Nodes that are all alike, with links that never change. */
  public static ClusterModel alike(int ranks, CostModel costs) {
    double bits = Byte.SIZE * costs.bandwidth();
    Link link = new Link(bits, bits, costs.latency(), 0, Slowdown.NONE, "");
    Node node = new Node(1, DelayModel.NONE, Slowdown.NONE, null, link);
    return new ClusterModel(IntStream.range(0, ranks).mapToObj(rank -> node).toList(), Map.of(), 0);
  }

  /** The same without slow computing, for computing times that were recorded. */
  public ClusterModel steady() {
    return new ClusterModel(
        nodes.stream()
            .map(node -> new Node(node.speed, node.delays, Slowdown.NONE, node.failures, node.link))
            .toList(),
        trunks,
        seed);
  }

  /** Speeds of all ranks, for {@link CostModel#workTime}. */
  public double[] speeds() {
    return nodes.stream().mapToDouble(Node::speed).toArray();
  }

  /** Whether it depends on what has been sent before, and not on the time alone. */
  public boolean hasMemory() {
    return !trunks.isEmpty() || nodes.stream().anyMatch(node -> node.link.jitter > 0);
  }

  /** Whether nodes fail. */
  public boolean hasFailures() {
    return nodes.stream().anyMatch(node -> node.failures != null);
  }

  Link link(int rank) {
    return nodes.get(rank).link;
  }

  /** Nanoseconds that {@code bytes} take from a node or to it, beginning at a time. */
  static long transmission(double bitsPerSecond, long bytes, double factor) {
    return Clock.nanos(bytes / (bitsPerSecond / Byte.SIZE) * factor);
  }
}
