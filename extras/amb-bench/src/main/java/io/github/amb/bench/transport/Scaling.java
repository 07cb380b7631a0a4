package io.github.amb.bench.transport;

import static io.github.amb.core.engine.Clock.NEVER;
import static io.github.amb.core.engine.Communicator.ANY;
import static io.github.amb.core.engine.Communicator.MASTER;

import io.github.amb.bench.harness.Sample;
import io.github.amb.bench.harness.Table;
import io.github.amb.core.codec.Codecs;
import io.github.amb.core.codec.Coding;
import io.github.amb.core.codec.link.VectorDecoder;
import io.github.amb.core.codec.link.VectorEncoder;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Message;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.random.Streams;
import io.github.amb.core.sim.CostModel;
import io.github.amb.core.sim.VirtualCluster;
import io.github.amb.runtime.train.part.SteadyTimes;
import java.util.List;

/**
 * A step's communication on the virtual cluster with measured constants, for more workers than
 * there are machines. Workers encode; the master receives all messages over its one link and
 * decodes.
 *
 * @param latency seconds
 * @param bandwidth bytes per second of each link and direction
 * @param parameters number of floats of the model
 */
record Scaling(double latency, double bandwidth, int parameters) {
  /** Number of the model's floats per float of a simulated message. */
  private static final int WEIGHT = 1000;

  private static final int STEPS = 2;
  private static final int ENCODED = 1 << 20;
  private static final int ROWS = 1024;

  /**
   * The cost of encoding a vector.
   *
   * @param codec its name
   * @param share bytes of a message divided by those of the floats
   * @param encode seconds per entry
   * @param decode seconds per entry
   */
  record Wire(String codec, double share, double encode, double decode) {
    private static final Wire FLOATS = new Wire("none", 1, 0, 0);

    /** Encodes and decodes a vector of small random entries. */
    @SuppressWarnings("IdentityBinaryExpression") // Two draws.
    static Wire measured(String codec) {
      Block block = new Block("w", Block.Kind.WEIGHT, 0, ROWS, ENCODED / ROWS);
      Layout layout = new Layout(List.of(block));
      Streams streams = new Streams(1);
      float[] values = new float[ENCODED];
      var random = streams.stream("values", 0, 0);
      for (int i = 0; i < values.length; i++) {
        values[i] = (float) (random.nextDouble() - random.nextDouble());
      }
      Coding coding = Codecs.parse(codec);
      VectorEncoder encoder = new VectorEncoder(layout, coding, streams, "uplink", 1);
      VectorDecoder decoder = new VectorDecoder(layout, coding, streams, "uplink");
      float[] decoded = new float[ENCODED];
      int[] length = {encoder.encode(values, 1)};
      double[] seconds =
          SteadyTimes.of(
              () -> length[0] = encoder.encode(values, 1),
              () -> decoder.decode(encoder.message(), length[0], 1, decoded));
      return new Wire(
          codec,
          (double) length[0] / (Float.BYTES * ENCODED),
          seconds[0] / ENCODED,
          seconds[1] / ENCODED);
    }
  }

  /** One row per number of workers: without codec, with a codec up, and with one both ways. */
  Table table(String title, int[] workers, List<Wire> wires) {
    Table table = new Table(title, "codec workers step_s");
    add(table, "none", workers, Wire.FLOATS, Wire.FLOATS);
    for (Wire wire : wires) {
      add(table, wire.codec() + " up", workers, wire, Wire.FLOATS);
      add(table, wire.codec() + " both ways", workers, wire, wire);
    }
    return table;
  }

  private void add(Table table, String name, int[] workers, Wire up, Wire down) {
    for (int count : workers) {
      table.row(name, count, Sample.of(step(count, up, down)));
    }
  }

  /** Seconds per step. */
  private double step(int workers, Wire up, Wire down) {
    CostModel links = new CostModel(0, 0, 0, 0, 0, 0, latency, bandwidth);
    double[] seconds = new double[1];
    new VirtualCluster(workers + 1, links, links.workTime(), WEIGHT)
        .run(
            (communicator, clock) -> {
              if (communicator.rank() == MASTER) {
                seconds[0] = master(communicator, clock, up, down);
              } else {
                worker(communicator, clock, up, down);
              }
            });
    return seconds[0];
  }

  private double master(Communicator communicator, Clock clock, Wire up, Wire down) {
    Message out = new Message();
    Message in = new Message();
    long start = clock.now();
    for (int step = 0; step < STEPS; step++) {
      clock.sleep(Clock.nanos(down.encode() * parameters));
      out.reset(Message.Kind.PARAMETERS, step).ensureCapacity(length(down));
      communicator.broadcast(out, NEVER);
      for (int worker = 1; worker < communicator.size(); worker++) {
        communicator.receive(ANY, in, NEVER);
        clock.sleep(Clock.nanos(up.decode() * parameters));
      }
    }
    return Clock.seconds(start, clock.now()) / STEPS;
  }

  private void worker(Communicator communicator, Clock clock, Wire up, Wire down) {
    Message out = new Message();
    Message in = new Message();
    for (int step = 0; step < STEPS; step++) {
      communicator.receive(MASTER, in, NEVER);
      clock.sleep(Clock.nanos(down.decode() * parameters + up.encode() * parameters));
      out.reset(Message.Kind.GRADIENT, step).ensureCapacity(length(up));
      communicator.send(MASTER, out, NEVER);
    }
  }

  private int length(Wire wire) {
    return (int) Math.max(1, Math.round(wire.share() * parameters / WEIGHT));
  }
}
