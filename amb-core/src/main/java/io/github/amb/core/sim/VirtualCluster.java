package io.github.amb.core.sim;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.EngineException;
import java.util.Arrays;

/** Ranks as threads of one process, in virtual time. */
public final class VirtualCluster {
  /** What a rank runs. */
  @FunctionalInterface
  public interface Program {
    /** Runs one rank to its end; any exception ends the whole run. */
    void run(Communicator communicator, Clock clock);
  }

  private final CostModel costs;
  private final double[] speeds;
  private final VirtualCommunicator[] nodes;
  private final Scheduler scheduler;

  /** A cluster whose ranks are all equally fast. */
  public VirtualCluster(int ranks, CostModel costs) {
    this(costs, ones(ranks));
  }

  /**
   * @param speeds speed of each rank's computation relative to the cost model, positive; one per
   *     rank, the master's first
   */
  public VirtualCluster(CostModel costs, double... speeds) {
    this.costs = costs;
    this.speeds = speeds.clone();
    scheduler = new Scheduler(speeds.length);
    nodes = new VirtualCommunicator[speeds.length];
    Arrays.setAll(nodes, rank -> new VirtualCommunicator(this, rank));
  }

  private static double[] ones(int count) {
    double[] ones = new double[count];
    Arrays.fill(ones, 1);
    return ones;
  }

  /**
   * Runs {@code program} on every rank; to be called once.
   *
   * @throws RuntimeException the first failure of a rank, as it was thrown
   */
  public void run(Program program) {
    Thread[] threads = new Thread[size()];
    for (int rank = 0; rank < size(); rank++) {
      VirtualCommunicator node = nodes[rank];
      threads[rank] = new Thread(() -> runRank(node, program), "rank-" + rank);
      threads[rank].start();
    }
    scheduler.start();
    for (Thread thread : threads) {
      join(thread);
    }
    if (scheduler.failure() != null) {
      throw scheduler.failure();
    }
  }

  private void runRank(VirtualCommunicator node, Program program) {
    RuntimeException failure = null;
    try {
      scheduler.enter(node.rank());
      program.run(node, node);
    } catch (RuntimeException e) {
      failure = e;
    } catch (Error e) {
      failure = new EngineException("rank " + node.rank() + ": " + e, e);
    } finally {
      scheduler.exit(node.rank(), failure);
    }
  }

  private static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  int size() {
    return speeds.length;
  }

  CostModel costs() {
    return costs;
  }

  double speed(int rank) {
    return speeds[rank];
  }

  VirtualCommunicator node(int rank) {
    return nodes[rank];
  }

  Scheduler scheduler() {
    return scheduler;
  }
}
