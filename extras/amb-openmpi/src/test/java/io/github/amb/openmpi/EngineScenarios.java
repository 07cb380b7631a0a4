package io.github.amb.openmpi;

import static io.github.amb.core.engine.Clock.NEVER;
import static io.github.amb.core.engine.Communicator.ANY;
import static io.github.amb.core.engine.Communicator.MASTER;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.LostException;
import io.github.amb.core.engine.Message;
import io.github.amb.core.topology.Topology;
import java.nio.FloatBuffer;
import java.util.Arrays;

/** What {@link MpiEngineTest} lets the ranks do; each prints what it saw, and fails by an abort. */
final class EngineScenarios {
  private static final int MANY = 300;
  private static final int LONG = 700_000;

  private final Communicator engine;
  private final Message out = new Message();
  private final Message in = new Message();

  private EngineScenarios(Communicator engine) {
    this.engine = engine;
  }

  /** Runs the scenario that is named. */
  public static void main(String[] args) {
    OpenMpi.World world = new OpenMpi().join();
    try {
      EngineScenarios scenarios = new EngineScenarios(world.communicator());
      switch (args[0]) {
        case "order" -> scenarios.order();
        case "both" -> scenarios.bothAtOnce();
        case "window" -> scenarios.window();
        case "broadcast" -> scenarios.broadcast();
        case "sum" -> sliced(world).sum();
        case "flaws" -> sliced(world).flaws();
        case "uneven" -> sliced(world).uneven();
        case "deadline" -> scenarios.deadline();
        case "leave" -> scenarios.leave();
        case "fail" -> scenarios.fail();
        case "wrong" -> scenarios.wrongRank();
        case "closed" -> scenarios.afterTheEnd();
        default -> throw new IllegalArgumentException(args[0]);
      }
      world.communicator().close();
      System.out.println("done");
      System.out.flush();
      Runtime.getRuntime().halt(0);
    } catch (Throwable e) {
      e.printStackTrace();
      world.abort(7);
    }
  }

  private static EngineScenarios sliced(OpenMpi.World world) {
    return new EngineScenarios(Topology.SLICED.over(world.communicator()));
  }

  /** Messages of every worker, short and long in turn, come in the order sent. */
  private void order() {
    if (engine.rank() != MASTER) {
      for (int i = 0; i < MANY; i++) {
        int length = length(i);
        out.reset(Message.Kind.GRADIENT, i).examples(100L * engine.rank() + i);
        out.stat(3, 0.5 * i);
        fill(out.ensureCapacity(length), length, engine.rank() + i);
        engine.send(MASTER, out, NEVER);
      }
      return;
    }
    long[] next = new long[engine.size()];
    for (int i = 0; i < MANY * (engine.size() - 1); i++) {
      engine.receive(ANY, in, NEVER);
      long step = next[in.source()]++;
      boolean numbers =
          in.kind() == Message.Kind.GRADIENT
              && in.step() == step
              && in.examples() == 100L * in.source() + step
              && in.stat(3) == 0.5 * step;
      require(numbers && in.length() == length((int) step), "numbers of message " + step);
      require(isFilled(in.payload(), in.length(), in.source() + step), "payload of " + step);
    }
    long floats = 0;
    for (int i = 0; i < MANY; i++) {
      floats += length(i);
    }
    long bytes = (engine.size() - 1L) * (MANY * (long) MpiHeader.BYTES + Float.BYTES * floats);
    long goodbyes = engine.bytesReceived() - bytes;
    require(goodbyes >= 0 && goodbyes <= (engine.size() - 1L) * MpiHeader.BYTES, "bytes received");
  }

  private static int length(int i) {
    return i % 50 == 7 ? LONG : i % 3 == 0 ? 0 : 10 * i;
  }

  /** Two ranks that send to each other before they receive do not wait for each other. */
  private void bothAtOnce() {
    int other = 1 - engine.rank();
    for (int round = 0; round < 3; round++) {
      fill(out.reset(Message.Kind.DELTA, round).ensureCapacity(LONG), LONG, engine.rank());
      engine.send(other, out, NEVER);
      engine.send(other, out, NEVER);
      for (int i = 0; i < 2; i++) {
        engine.receive(other, in, NEVER);
        require(isFilled(in.payload(), LONG, other), "payload of round " + round);
      }
    }
  }

  /** A window of long messages is sent although their receiver takes none of them. */
  private void window() {
    int length = 200_000;
    int messages = Communicator.window(length);
    if (engine.rank() == MASTER) {
      for (int i = 0; i < messages; i++) {
        fill(out.reset(Message.Kind.PARAMETERS, i).ensureCapacity(length), length, i);
        engine.send(1, out, NEVER);
      }
      engine.send(2, out.reset(Message.Kind.STOP, 1), NEVER);
    } else if (engine.rank() == 2) {
      engine.receive(MASTER, in, NEVER);
      engine.send(1, in, NEVER);
    } else {
      engine.receive(2, in, NEVER);
      for (int i = 0; i < messages; i++) {
        engine.receive(MASTER, in, NEVER);
        require(in.step() == i && isFilled(in.payload(), length, i), "message " + i);
      }
    }
  }

  /** What the master broadcasts, from an array or from lent memory, short or long, comes whole. */
  private void broadcast() {
    for (int round = 0; round < 8; round++) {
      int length = round % 2 == 0 ? 5 : LONG;
      if (engine.rank() == MASTER) {
        out.reset(Message.Kind.PARAMETERS, round);
        if (round < 4) {
          fill(out.ensureCapacity(length), length, round);
        } else {
          require(engine.lend(ANY, out, length), "memory is lent");
          fill(out.payload(), length, round);
        }
        engine.broadcast(out, NEVER);
        require(round < 4 || out.loan() == null, "lent memory is gone");
      } else {
        engine.receive(MASTER, in, NEVER);
        require(in.step() == round && in.length() == length, "head of round " + round);
        require(isFilled(in.payload(), length, round), "payload of round " + round);
      }
    }
  }

  /** Vectors of all workers come as one, summed in rank order, with each worker's numbers. */
  private void sum() {
    long expected = 0; // For each worker the numbers, a slice, and their two headers.
    for (int length : new int[] {20_001, LONG, 1 << 16, 20_001, LONG - 1}) {
      require(engine.reduces(length), "vectors are summed");
      if (engine.rank() == MASTER) {
        receiveSum(length);
        checkSum(length);
        expected += (engine.size() - 1L) * 2 * MpiHeader.BYTES + (long) Float.BYTES * length;
        require(engine.bytesReceived() == expected, "bytes received");
        engine.broadcast(out.reset(Message.Kind.TAKEN, length), NEVER);
      } else {
        contribute(length, length % 2 == 0);
        engine.receive(MASTER, in, NEVER);
      }
    }
  }

  private void contribute(int length, boolean lent) {
    out.reset(Message.Kind.GRADIENT, length).reduce().examples(10L * engine.rank());
    if (!lent || !engine.lend(MASTER, out, length)) {
      out.ensureCapacity(length);
    }
    for (int i = 0; i < length; i++) {
      out.payload().put(i, addend(i, engine.rank()));
    }
    engine.send(MASTER, out, NEVER);
  }

  /** The last message stays in {@link #in}. */
  private void receiveSum(int length) {
    boolean[] come = new boolean[engine.size()];
    for (int i = 1; i < engine.size(); i++) {
      engine.receive(ANY, in, NEVER);
      boolean numbers = in.step() == length && in.examples() == 10L * in.source();
      require(numbers && in.isReduced() && !come[in.source()], "numbers of rank " + in.source());
      come[in.source()] = true;
      require(in.length() == (i == engine.size() - 1 ? length : 0), "the last has the sum");
    }
  }

  private void checkSum(int length) {
    boolean orderMatters = false;
    for (int i = 0; i < length; i++) {
      float sum = addend(i, 1);
      float backwards = addend(i, engine.size() - 1);
      for (int k = 2; k < engine.size(); k++) {
        sum += addend(i, k);
        backwards += addend(i, engine.size() - k);
      }
      orderMatters |= sum != backwards;
      require(in.payload().get(i) == sum, "sum of entry " + i);
    }
    require(orderMatters == engine.size() > 3, "the order of three matters");
    require(in.nonFiniteFrom() == 0, "all is finite");
  }

  /** Of very different sizes, so that sums depend on their order. */
  private static float addend(int i, int rank) {
    return (float) (Math.sin(0.37 * i + rank) * Math.pow(10, (i + 3 * rank) % 8));
  }

  /** The first entry that is not finite is put down to whom it came from, and stays as it was. */
  private void flaws() {
    int length = 50_001;
    int[] at = {49_000, 40_000, 100};
    float[] found = {Float.NaN, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY};
    for (int round = 0; round < at.length; round++) {
      if (engine.rank() != MASTER) {
        out.reset(Message.Kind.GRADIENT, round).reduce();
        float[] values = out.ensureCapacity(length);
        Arrays.fill(values, 0, length, 1);
        for (int earlier = 0; earlier <= round && engine.rank() == 1 + round; earlier++) {
          values[at[earlier]] = found[earlier];
        }
        engine.send(MASTER, out, NEVER);
        engine.receive(MASTER, in, NEVER);
        continue;
      }
      for (int i = 1; i < engine.size(); i++) {
        engine.receive(ANY, in, NEVER);
      }
      require(in.nonFiniteFrom() == 1 + round, "the rank of round " + round);
      float value = in.payload().get(at[round]);
      require(Float.compare(value, found[round]) == 0, "the entry of round " + round);
      engine.broadcast(out.reset(Message.Kind.TAKEN, round), NEVER);
    }
  }

  private void uneven() {
    if (engine.rank() == MASTER) {
      engine.receive(1, in, NEVER);
      engine.receive(1, in, NEVER);
    } else {
      contribute(20_000 + engine.rank() % 2, false);
      engine.receive(MASTER, in, NEVER);
    }
  }

  /** A receive ends at its deadline, and what comes later is not lost. */
  private void deadline() {
    if (engine.rank() == MASTER) {
      require(!engine.receive(1, in, System.nanoTime() + 50_000_000), "nothing is there");
      engine.send(1, out.reset(Message.Kind.STOP, 1), NEVER);
      require(engine.receive(1, in, NEVER) && in.kind() == Message.Kind.TAKEN, "the answer");
    } else {
      engine.receive(MASTER, in, NEVER);
      engine.send(MASTER, out.reset(Message.Kind.TAKEN, 1), NEVER);
    }
  }

  /** A rank that left is known to have. */
  private void leave() {
    if (engine.rank() == MASTER) {
      try {
        engine.receive(ANY, in, NEVER);
        throw new IllegalStateException("expected a loss");
      } catch (LostException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  /** One rank fails while the others wait for ever. */
  private void fail() {
    if (engine.rank() == 1) {
      throw new IllegalStateException("on purpose");
    }
    engine.receive(ANY, in, NEVER);
  }

  /** MPI has ended, and its requests' memory is freed. */
  private void afterTheEnd() {
    engine.close();
    int other = engine.rank() == MASTER ? 1 : MASTER;
    rejects(() -> engine.send(other, out.reset(Message.Kind.READY, 0), NEVER));
    rejects(() -> engine.receive(other, in, NEVER));
    rejects(() -> engine.broadcast(out.reset(Message.Kind.READY, 0), NEVER));
  }

  private static void rejects(Runnable use) {
    boolean rejected = false;
    try {
      use.run();
    } catch (IllegalStateException e) {
      rejected = true;
    }
    require(rejected, "a world that has ended is rejected");
  }

  private void wrongRank() {
    try {
      engine.send(engine.size(), out.reset(Message.Kind.READY, 0), NEVER);
      throw new IllegalStateException("expected a rejection");
    } catch (EngineException e) {
      System.out.println(e.getMessage());
    }
  }

  private static void fill(float[] values, int length, long seed) {
    fill(FloatBuffer.wrap(values), length, seed);
  }

  private static void fill(FloatBuffer values, int length, long seed) {
    for (int i = 0; i < length; i++) {
      values.put(i, value(i, seed));
    }
  }

  private static boolean isFilled(FloatBuffer values, int length, long seed) {
    for (int i = 0; i < length; i++) {
      if (values.get(i) != value(i, seed)) {
        return false;
      }
    }
    return true;
  }

  private static float value(int i, long seed) {
    return (i % 1009) * 0.5f + seed;
  }

  private static void require(boolean condition, String what) {
    if (!condition) {
      throw new IllegalStateException("not as expected: " + what);
    }
  }
}
