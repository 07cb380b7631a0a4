package io.github.amb.core.sim;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.random.Streams;
import io.github.amb.core.sim.ClusterModel.Link;
import java.util.HashMap;
import java.util.Map;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/** How long messages are on the links of a virtual cluster. */
final class Network {
  private final ClusterModel model;
  private final Streams streams;
  private final Map<String, Long> free = new HashMap<>(); // when a trunk is free, per direction
  private final Map<Integer, Map<Integer, Long>> newest = new HashMap<>(); // of a pair of nodes

  Network(ClusterModel model) {
    this.model = model;
    streams = new Streams(model.seed());
  }

  /** Whether messages meet in more places than the links of their sender and receiver. */
  boolean hasTrunks() {
    return !model.trunks().isEmpty();
  }

  /** Nanoseconds for which a message occupies its sender's link. */
  long up(int from, long bytes, long start) {
    Link link = model.link(from);
    return ClusterModel.transmission(link.up(), bytes, link.slow().at(start));
  }

  /** Nanoseconds for which a message occupies its receiver's link. */
  long down(int to, long bytes, long start) {
    Link link = model.link(to);
    return ClusterModel.transmission(link.down(), bytes, link.slow().at(start));
  }

  /**
   * When a message begins to occupy its receiver's link, if that is free. It does so in the end of
   * its way, as long as its receiver's link takes for it. With trunks this is called in the order
   * of time.
   *
   * @param leaves when its sender's link begins with it
   * @param up for how long it occupies that link
   * @param down for how long it occupies its receiver's
   * @param number of the message among those of its sender
   */
  synchronized long arrives(
      int from, int to, long bytes, long leaves, long up, long down, long number) {
    Link sender = model.link(from);
    Link receiver = model.link(to);
    long slowest = up;
    long begins = leaves;
    if (!sender.rack().equals(receiver.rack())) {
      for (Link side : new Link[] {sender, receiver}) {
        Double trunk = model.trunks().get(side.rack());
        if (trunk != null) {
          long takes = ClusterModel.transmission(trunk, bytes, 1);
          String direction = (side == sender ? "from " : "to ") + side.rack();
          begins = Math.max(begins, free.getOrDefault(direction, 0L));
          free.put(direction, begins + takes);
          slowest = Math.max(slowest, takes);
        }
      }
    }
    long ahead = Math.max(0, slowest - down);
    long latency = Clock.nanos(Math.max(sender.latency(), receiver.latency()));
    double jitter = Math.max(sender.jitter(), receiver.jitter());
    if (jitter == 0) {
      return begins + latency + ahead;
    }
    var random = streams.stream("jitter", from, number);
    double more = jitter * ZigguratSampler.Exponential.of(random).sample();
    long then = begins + latency + ahead + Clock.nanos(more);
    return newest.computeIfAbsent(from, each -> new HashMap<>()).merge(to, then, Math::max);
  }
}
