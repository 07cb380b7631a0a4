package io.github.amb.runtime.launch;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.LostException;
import io.github.amb.core.engine.Membership;
import io.github.amb.core.engine.Message;
import io.github.amb.runtime.control.RankReport;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * A rank that goes through many generations, exchanges 4 MB both ways in each, and counts what it
 * holds.
 */
public final class GenerationsMain {
  private static final int FLOATS = 1 << 20;

  /**
   * Argument: the last rank listens like the others in the first generation, and does not connect.
   */
  static final String MEETS = "meets";

  /** The last of three ranks. */
  private static final int LAST = 2;

  private GenerationsMain() {}

  /**
   * Runs one rank and ends the process. Arguments: the number of generations, and, if given, a file
   * for which the last rank waits before it joins, or {@link #MEETS}.
   */
  public static void main(String[] args) throws Exception {
    int rank = Integer.parseInt(args[0]);
    RankControl control = RankControl.start(args);
    if (rank == LAST && args.length > 4) {
      prepare(args, control);
    }
    LaunchedMembership membership = new LaunchedMembership(args, control, 60);
    try {
      run(membership, rank, Integer.parseInt(args[3]));
      membership.engine().close();
      control.finished();
      Runtime.getRuntime().halt(0);
    } catch (RuntimeException e) {
      e.printStackTrace();
      control.failed(e, e.toString());
      Runtime.getRuntime().halt(1);
    }
  }

  private static void prepare(String[] args, RankControl control)
      throws IOException, InterruptedException {
    if (args[4].equals(MEETS)) {
      meet(control);
      args[1] = LaunchedMembership.STANDBY;
      return;
    }
    while (!Files.exists(Path.of(args[4]))) {
      Thread.sleep(20);
    }
  }

  /** Does what ranks do until all listen, and then accepts no connection. */
  private static void meet(RankControl control) throws IOException {
    control.send(new RankReport.Connecting(1));
    InetAddress address = InetAddress.getLoopbackAddress();
    ServerSocket write = new ServerSocket(0, 50, address);
    ServerSocket read = new ServerSocket(0, 50, address);
    control.meeting(1).meet(read.getLocalPort(), write.getLocalPort());
  }

  private static void run(LaunchedMembership membership, int rank, int generations)
      throws IOException {
    Membership.Generation generation = membership.first();
    membership.training();
    Message message = new Message();
    while (generation != null) {
      try {
        exchange(generation, message);
        if (generation.number() == 2 || generation.number() >= generations) {
          System.out.println("generation " + generation.number() + " " + held());
        }
        if (generation.number() >= generations) {
          return;
        }
        leave(generation, message);
      } catch (LostException e) {
        generation = membership.next(e);
      }
    }
  }

  private static void exchange(Membership.Generation generation, Message message) {
    Communicator communicator = generation.communicator();
    if (communicator.rank() == Communicator.MASTER) {
      float[] values =
          message.reset(Message.Kind.PARAMETERS, generation.number()).ensureCapacity(FLOATS);
      values[FLOATS - 1] = generation.number();
      communicator.broadcast(message, Clock.NEVER);
      for (int worker = 1; worker < communicator.size(); worker++) {
        communicator.receive(Communicator.ANY, message, Clock.NEVER);
        check(message, generation.number());
      }
    } else {
      communicator.receive(Communicator.MASTER, message, Clock.NEVER);
      check(message, generation.number());
      float[] values = message.values();
      Message answer = new Message().reset(Message.Kind.GRADIENT, generation.number());
      answer.exchange(values, FLOATS);
      communicator.send(Communicator.MASTER, answer, Clock.NEVER);
    }
  }

  private static void check(Message message, int generation) {
    if (message.step() != generation || message.values()[FLOATS - 1] != generation) {
      throw new IllegalStateException(
          "expected a message of generation " + generation + ", found another");
    }
  }

  /** The master leaves; a worker waits until it notices. */
  private static void leave(Membership.Generation generation, Message message) {
    if (generation.communicator().rank() == Communicator.MASTER) {
      throw new LostException("left on purpose");
    }
    generation.communicator().receive(Communicator.MASTER, message, Clock.NEVER);
  }

  /** Direct memory is given back some time after its owner has been collected. */
  private static void settle() {
    try {
      for (int i = 0; i < 3; i++) {
        System.gc();
        Thread.sleep(200);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Threads, open files and direct memory of this process. */
  private static String held() throws IOException {
    settle();
    long direct =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum();
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return "threads %d files %d direct-mb %d heap-mb %d"
          .formatted(
              Thread.getAllStackTraces().size(),
              files.count(),
              direct >> 20,
              Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory() >> 20);
    }
  }
}
