package io.github.amb.core.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.Message;
import io.github.amb.core.topology.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Test;

/** What is accounted for together, beside the simulation of each message. */
class ExchangeTest {
  private static final int STEPS = 3;
  private static final double WEIGHT = 5000;

  /** The same engine, whose messages are simulated one by one. */
  private static final class OneByOne extends ForwardingCommunicator {
    OneByOne(Communicator engine) {
      super(engine);
    }

    @Override
    public boolean exchange(Message message) {
      return false;
    }
  }

  /** When each step ends at the master, in nanoseconds, and the bytes of worker 1. */
  private static List<Long> times(
      ClusterModel model, UnaryOperator<Communicator> engine, double[] work) {
    return times(model, engine, work, 1, 1);
  }

  private static List<Long> times(
      ClusterModel model,
      UnaryOperator<Communicator> engine,
      double[] work,
      double uplink,
      double downlink) {
    VirtualCluster cluster =
        new VirtualCluster(model, (rank, kind, amount) -> 0, WEIGHT, Hold.NONE);
    cluster.encode(uplink, downlink);
    List<Long> times = new ArrayList<>();
    cluster.run(
        (communicator, clock) -> {
          Communicator link = Topology.SLICED.over(engine.apply(communicator));
          Message message = new Message();
          if (communicator.rank() == Communicator.MASTER) {
            master(link, clock, message, times);
          } else {
            worker(link, clock, message, work[communicator.rank() - 1]);
          }
        });
    times.add(cluster.nodes[1].bytesSent());
    times.add(cluster.nodes[1].bytesReceived());
    return times;
  }

  private static void master(Communicator link, Clock clock, Message message, List<Long> times) {
    int workers = link.size() - 1;
    for (int step = 1; step <= STEPS; step++) {
      message.reset(Message.Kind.PARAMETERS, step).ensureCapacity(workers);
      link.broadcast(message, Clock.NEVER);
      for (int i = 0; i < workers; i++) {
        link.receive(Communicator.ANY, message, Clock.NEVER);
      }
      times.add(clock.now());
    }
    link.broadcast(message.reset(Message.Kind.STOP, STEPS), Clock.NEVER);
  }

  private static void worker(Communicator link, Clock clock, Message message, double work) {
    while (link.receive(Communicator.MASTER, message, Clock.NEVER)
        && message.kind() == Message.Kind.PARAMETERS) {
      int length = message.length();
      clock.sleep(Clock.nanos(work * message.step()));
      message.reset(Message.Kind.GRADIENT, message.step()).ensureCapacity(length);
      link.send(Communicator.MASTER, message.reduce(), Clock.NEVER);
    }
  }

  private static ClusterModel.Node node(double up, double down, double latency) {
    return new ClusterModel.Node(
        1,
        DelayModel.NONE,
        ClusterModel.Slowdown.NONE,
        null,
        new ClusterModel.Link(up, down, latency, 0, ClusterModel.Slowdown.NONE, ""));
  }

  private static double[] work(UniformRandomProvider random, int workers) {
    return random.doubles(workers).map(each -> each * 0.01).toArray();
  }

  @Property(tries = 60)
  void nodesThatAreAlikeTakeTheTimesOfEachMessage(
      @ForAll @IntRange(min = 2, max = 12) int workers, @ForAll @LongRange(min = 0) long seed) {
    UniformRandomProvider random = RandomSource.SPLIT_MIX_64.create(seed);
    double latency = random.nextInt(3) * 1e-4;
    List<ClusterModel.Node> nodes = new ArrayList<>();
    for (int rank = 0; rank <= workers; rank++) {
      nodes.add(node(1e9, 1e9, latency));
    }
    ClusterModel model = new ClusterModel(nodes, Map.of(), 0);
    double[] work = work(random, workers);
    assertEquals(times(model, OneByOne::new, work), times(model, UnaryOperator.identity(), work));
    assertEquals(
        times(model, OneByOne::new, work, 0.3, 0.5),
        times(model, UnaryOperator.identity(), work, 0.3, 0.5));
  }

  /**
   * Where links differ, the master's slice may wait at a worker's link behind slices of others,
   * which is not accounted for: at most as long as the link needs for all of them.
   */
  @Property(tries = 60)
  void otherNodesTakeAboutThat(
      @ForAll @IntRange(min = 2, max = 12) int workers, @ForAll @LongRange(min = 0) long seed) {
    UniformRandomProvider random = RandomSource.SPLIT_MIX_64.create(seed);
    List<ClusterModel.Node> nodes = new ArrayList<>();
    double slowest = Double.POSITIVE_INFINITY;
    for (int rank = 0; rank <= workers; rank++) {
      double up = 1e9 / (1 + random.nextInt(4));
      double down = 1e9 / (1 + random.nextInt(4));
      slowest = Math.min(slowest, Math.min(up, down));
      nodes.add(node(up, down, random.nextDouble() * 1e-3));
    }
    ClusterModel model = new ClusterModel(nodes, Map.of(), 0);
    double[] work = work(random, workers);
    List<Long> expected = times(model, OneByOne::new, work);
    List<Long> found = times(model, UnaryOperator.identity(), work);
    double bytes = workers * (VirtualCommunicator.HEADER_BYTES + Float.BYTES * WEIGHT);
    long slack = Clock.nanos(bytes * Byte.SIZE / slowest);
    for (int step = 0; step < STEPS; step++) {
      assertEquals(expected.get(step), found.get(step), (step + 1) * slack, "step " + step);
    }
  }

  /** A thousand workers whose parameters pass their links four times a step, and no oftener. */
  @Test
  void aStepTakesFourTimesTheVector() {
    int workers = 1000;
    List<ClusterModel.Node> nodes = new ArrayList<>();
    for (int rank = 0; rank <= workers; rank++) {
      nodes.add(node(1e9, 1e9, 0));
    }
    List<Long> times =
        times(new ClusterModel(nodes, Map.of(), 0), UnaryOperator.identity(), new double[workers]);
    double bytes = workers * (VirtualCommunicator.HEADER_BYTES + Float.BYTES * WEIGHT);
    double vector = bytes * Byte.SIZE / 1e9;
    double step = Clock.seconds(times.get(0), times.get(1));
    assertTrue(step > 3.99 * vector && step < 4.1 * vector, step + " of " + vector);
  }
}
