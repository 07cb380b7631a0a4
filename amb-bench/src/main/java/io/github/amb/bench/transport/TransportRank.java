package io.github.amb.bench.transport;

import static io.github.amb.core.engine.Clock.NEVER;
import static io.github.amb.core.engine.Communicator.ANY;
import static io.github.amb.core.engine.Communicator.MASTER;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.github.amb.core.command.Program;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Message;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** One rank of {@link TransportBenchmark}; the master prints one line per measurement. */
public final class TransportRank {
  private static final int LARGEST = 100 << 20;
  private static final int[] SIZES = {64 << 10, 1 << 20, 16 << 20, LARGEST};
  private static final int[] REPEATS = {400, 60, 8, 2};
  private static final int WARM_UP = 2;
  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

  private final Communicator engine;
  private final Message out = new Message();
  private final Message in = new Message();

  private TransportRank(Communicator engine) {
    this.engine = engine;
  }

  /** Runs {@code pingpong rounds} or {@code step rounds floats}. */
  public static void main(String[] args) {
    Program.start();
    BenchRank.run(
        args,
        (engine, own) -> {
          TransportRank rank = new TransportRank(engine);
          if (own[0].equals("pingpong")) {
            rank.pingPong(Integer.parseInt(own[1]));
          } else {
            rank.steps(Integer.parseInt(own[1]), Integer.parseInt(own[2]));
          }
        });
  }

  /** Sends or receives a number of bytes. */
  private interface Transfer {
    void run(int bytes) throws Throwable;
  }

  /** One transport, between this rank and the other one. */
  private record Way(String name, Transfer send, Transfer receive) {
    void roundTrip(boolean first, int bytes) throws Throwable {
      (first ? send : receive).run(bytes);
      (first ? receive : send).run(bytes);
    }
  }

  private void pingPong(int rounds) throws Throwable {
    int other = 1 - engine.rank();
    RawSocket raw = RawStar.connect(engine, LARGEST).first();
    PlainMpi plain = PlainMpi.connect(engine);
    float[] values = new float[LARGEST / Float.BYTES];
    out.ensureCapacity(values.length);
    List<Way> ways =
        List.of(
            new Way("raw", raw::send, raw::receive),
            new Way(
                "engine",
                bytes -> send(other, bytes / Float.BYTES),
                bytes -> engine.receive(other, in, NEVER)),
            new Way(
                "plain",
                bytes -> plain.send(values, bytes / Float.BYTES, other),
                bytes -> plain.receive(values, bytes / Float.BYTES, other)));
    for (int round = -WARM_UP; round < rounds; round++) {
      for (int size = 0; size < SIZES.length; size++) {
        for (Way way : ways) {
          measure(way, SIZES[size], REPEATS[size], round >= 0);
        }
      }
    }
  }

  private void send(int other, int length) {
    out.reset(Message.Kind.PARAMETERS, 0).ensureCapacity(length);
    engine.send(other, out, NEVER);
  }

  /** Prints the median one-way time and the processor time of both ranks, in microseconds. */
  private void measure(Way way, int bytes, int repeats, boolean print) throws Throwable {
    double[] times = new double[repeats];
    long processor = PROCESS.getProcessCpuTime();
    for (int i = 0; i < repeats; i++) {
      long start = System.nanoTime();
      way.roundTrip(engine.rank() == MASTER, bytes);
      times[i] = (System.nanoTime() - start) / 2e3;
    }
    processor = PROCESS.getProcessCpuTime() - processor;
    if (engine.rank() != MASTER) {
      out.reset(Message.Kind.READY, 0).stat(0, processor);
      engine.send(MASTER, out, NEVER);
      return;
    }
    engine.receive(1, in, NEVER);
    Arrays.sort(times);
    if (print) {
      double both = (processor + in.stat(0)) / 2e3 / repeats;
      System.out.printf(
          Locale.ROOT, "pingpong %s %d %.2f %.2f%n", way.name(), bytes, times[repeats / 2], both);
    }
  }

  /** Sum over all threads. Allocates nothing, as it is called while allocation is measured. */
  private static long sum(long[] bytes) {
    long sum = 0;
    for (long ofThread : bytes) {
      sum += ofThread;
    }
    return sum;
  }

  /**
   * Sends parameters to all workers and receives a gradient from each, by the engine and by raw
   * sockets in turn.
   */
  private void steps(int rounds, int length) throws Throwable {
    RawStar raw = RawStar.connect(engine, length * Float.BYTES);
    out.ensureCapacity(length);
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long[] ids = threads.getAllThreadIds();
    double[] times = new double[rounds];
    double[] rawTimes = new double[rounds];
    long own = 0;
    long all = 0;
    for (int round = -rounds / 2; round < rounds; round++) {
      int slot = Math.max(0, round);
      long start = System.nanoTime();
      raw.step(length * Float.BYTES, floats -> {});
      rawTimes[slot] = (System.nanoTime() - start) / 1e3;
      own -= threads.getCurrentThreadAllocatedBytes();
      all -= sum(threads.getThreadAllocatedBytes(ids));
      start = System.nanoTime();
      step(round, length);
      times[slot] = (System.nanoTime() - start) / 1e3;
      own += threads.getCurrentThreadAllocatedBytes();
      all += sum(threads.getThreadAllocatedBytes(ids));
      if (round < 0) {
        own = 0;
        all = 0;
      }
    }
    if (engine.rank() == MASTER) {
      report("raw", length, rawTimes, 0, 0);
      report("engine", length, times, own / rounds, all / rounds);
    }
  }

  private void report(String name, int length, double[] times, long own, long all) {
    Arrays.sort(times);
    double median = times[times.length / 2];
    double best = times[times.length / 10];
    int workers = engine.size() - 1;
    System.out.printf(
        Locale.ROOT,
        "step %s %d %d %.2f %.2f %d %d%n",
        name,
        workers,
        length,
        median,
        best,
        own,
        all);
  }

  private void step(int round, int length) {
    if (engine.rank() == MASTER) {
      out.reset(Message.Kind.PARAMETERS, round).ensureCapacity(length);
      engine.broadcast(out, NEVER);
      for (int i = 1; i < engine.size(); i++) {
        engine.receive(ANY, in, NEVER);
      }
    } else {
      engine.receive(MASTER, in, NEVER);
      out.reset(Message.Kind.GRADIENT, round).ensureCapacity(length);
      engine.send(MASTER, out, NEVER);
    }
  }
}
