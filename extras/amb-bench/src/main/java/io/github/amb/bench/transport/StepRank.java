package io.github.amb.bench.transport;

import static io.github.amb.core.engine.Communicator.MASTER;

import io.github.amb.bench.harness.BenchRank;
import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.SystemClock;
import io.github.amb.core.statistic.Sorted;
import io.github.amb.core.topology.Topology;
import io.github.amb.runtime.command.Program;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * One rank of {@link StepBenchmark}, on MPJ or on the site's MPI, depending on the launcher. The
 * master prints {@code time NAME LENGTH MICROSECONDS} per step.
 */
public final class StepRank {
  /** The argument that adds the measurements that need MPJ's ranks. */
  static final String WITH_YARDSTICKS = "yardsticks";

  /** Bytes that all workers send and receive for warm-up. */
  private static final long WARM_UP_BYTES = 400_000_000;

  /** Bytes for warm-up before the first vectors of many chunks; all code is compiled afterwards. */
  private static final long FIRST_WARM_UP_BYTES = 6 * WARM_UP_BYTES;

  private static final int MANY_CHUNKS = 500_000;
  private static final int MIN_WARM_UP = 3;
  private static final int MAX_WARM_UP = 1000;

  private static final Clock CLOCK = new SystemClock();

  private final Communicator engine;
  private final String name;
  private boolean compiled;

  private StepRank(Communicator engine, String name) {
    String[] words = name.split("@");
    this.engine = words.length > 1 ? Topology.named(words[1]).over(engine) : engine;
    this.name = words[0];
  }

  /** A step that is timed. */
  private interface Step {
    void run(int number) throws Throwable;
  }

  /**
   * Runs {@code NAME[@TOPOLOGY] LENGTHS STEPS [yardsticks]}, the arguments after the launcher's.
   */
  public static void main(String[] args) {
    Program.start();
    BenchRank.run(args, (engine, own) -> new StepRank(engine, own[0]).run(own));
  }

  private void run(String[] own) throws Throwable {
    int[] lengths = integers(own[1]);
    int[] steps = integers(own[2]);
    boolean yardsticks = own.length > 3 && own[3].equals(WITH_YARDSTICKS);
    int longest = Arrays.stream(lengths).max().orElseThrow();
    RawStar raw = yardsticks ? RawStar.connect(engine, Float.BYTES * longest) : null;
    PlainMpi plain = yardsticks ? PlainMpi.connect(engine) : null;
    // Ranks that share memory allocate room for messages as long as the first large one.
    new StepExchange(engine, CLOCK, longest).step(0);
    for (int i : shortestFirst(lengths)) {
      int length = lengths[i];
      Map<String, Step> ways = new LinkedHashMap<>();
      ways.put(name, new StepExchange(engine, CLOCK, length)::step);
      if (yardsticks) {
        Summation sum = new Summation(engine.rank() == MASTER ? length : 0, engine.size());
        ways.put("raw", number -> rawStep(raw, sum, length));
        ways.put("mpj-collectives", plainStep(plain, length));
      }
      measure(ways, length, steps[i]);
    }
  }

  /** A step by MPJ Express' own collective operations. */
  private static Step plainStep(PlainMpi plain, int length) {
    float[] parameters = new float[length];
    float[] gradient = new float[length];
    float[] total = new float[length];
    return number -> {
      plain.broadcast(parameters, MASTER);
      plain.reduce(gradient, total, MASTER);
    };
  }

  private static void rawStep(RawStar raw, Summation sum, int length) throws Throwable {
    raw.step(Float.BYTES * length, sum::add);
    sum.form();
  }

  /** Measures the ways by turns in every step, as the machine's speed changes within a second. */
  private void measure(Map<String, Step> ways, int length, int steps) throws Throwable {
    int warmUp = warmUp(length);
    for (int number = -warmUp; number < steps; number++) {
      for (Map.Entry<String, Step> way : ways.entrySet()) {
        long start = System.nanoTime();
        way.getValue().run(number);
        if (number >= 0 && engine.rank() == MASTER) {
          double micros = (System.nanoTime() - start) / 1e3;
          System.out.printf(Locale.ROOT, "time %s %d %.1f%n", way.getKey(), length, micros);
        }
      }
    }
  }

  /** Number of steps for warm-up, the same on all ranks; fewer for longer vectors. */
  private int warmUp(int length) {
    long perStep = 4L * length * (engine.size() - 1);
    boolean first = length >= MANY_CHUNKS && !compiled;
    compiled |= first;
    long steps = (first ? FIRST_WARM_UP_BYTES : WARM_UP_BYTES) / perStep;
    return (int) Math.min(MAX_WARM_UP, Math.max(MIN_WARM_UP, steps));
  }

  private static int[] shortestFirst(int[] lengths) {
    return Sorted.of(IntStream.range(0, lengths.length), Comparator.comparing(i -> lengths[i]));
  }

  private static int[] integers(String text) {
    return Arrays.stream(text.split(",")).mapToInt(Integer::parseInt).toArray();
  }
}
