package io.github.amb.core.sim;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Membership;
import io.github.amb.core.engine.Work;
import java.util.Arrays;

/**
 * Ranks as threads of one process, in virtual time. All links are alike, one per node: what a node
 * sends goes out one message after the other, and what it is sent comes in one message after the
 * other, in the order in which the first bits come.
 */
public final class VirtualCluster {
  /** What a rank runs. */
  @FunctionalInterface
  public interface Program {
    /** Runs one rank to its end; any exception ends the whole run. */
    void run(Communicator communicator, Clock clock);
  }

  private final CostModel costs;
  private final WorkTime workTime;
  private final int weight;
  private final Hold hold;
  private final long latency;
  private final VirtualCommunicator[] nodes;
  private final Scheduler scheduler;
  private final Payload.Pool payloads = new Payload.Pool();
  private final Roster roster;
  private Program program;

  /** A cluster whose ranks are all equally fast. */
  public VirtualCluster(int ranks, CostModel costs) {
    this(ranks, costs, costs.workTime(), 1);
  }

  /**
   * @param speeds speed of each rank's computation relative to the cost model, positive; one per
   *     rank, the master's first
   */
  public VirtualCluster(CostModel costs, double... speeds) {
    this(speeds.length, costs, costs.workTime(speeds), 1);
  }

  /**
   * @param ranks number of ranks, master included
   * @param costs latency and bandwidth
   * @param workTime how long work takes
   * @param weight how many parameters one value of a payload stands for; 1 where parameters are
   *     real, more where a short vector stands for a long one to study timing alone
   */
  public VirtualCluster(int ranks, CostModel costs, WorkTime workTime, int weight) {
    this(ranks, costs, workTime, weight, Hold.NONE);
  }

  /**
   * As {@link #VirtualCluster(int, CostModel, WorkTime, int)}.
   *
   * @param hold holds messages back before they go on their way
   */
  public VirtualCluster(int ranks, CostModel costs, WorkTime workTime, int weight, Hold hold) {
    this.costs = costs;
    this.hold = hold;
    this.workTime = workTime;
    this.weight = weight;
    latency = Clock.nanos(costs.latency());
    scheduler = new Scheduler(ranks, this::runRank);
    nodes = new VirtualCommunicator[ranks];
    roster = new Roster(scheduler, ranks);
    Arrays.setAll(nodes, rank -> new VirtualCommunicator(this, scheduler, rank));
  }

  /**
   * Runs {@code program} on every rank; to be called once.
   *
   * @throws RuntimeException the first failure of a rank, as it was thrown
   */
  public void run(Program program) {
    this.program = program;
    scheduler.run();
  }

  private void runRank(int rank) {
    program.run(nodes[rank], nodes[rank]);
    scheduler.sync(rank);
    roster.finish(rank);
  }

  /** How often a rank was woken so far: the size of the simulation. */
  public long events() {
    return scheduler.events();
  }

  /** A rank's membership, for programs that go on when a rank is lost. */
  public Membership membership(int rank) {
    return new VirtualMembership(this, rank, false);
  }

  /**
   * A rank dies now: its program must return, or go on as a {@linkplain #replacement replacement},
   * and the others' communicators throw, once they know, until they have joined a new generation.
   *
   * @param detection nanoseconds until the others know
   */
  public void die(int rank, long detection) {
    scheduler.sync(rank);
    roster.die(rank, detection);
  }

  /**
   * Membership of a replacement for a rank that has died, which joins when the master lets it, and
   * remembers nothing.
   */
  public Membership replacement(int rank) {
    return new VirtualMembership(this, rank, true);
  }

  Roster roster() {
    return roster;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  int size() {
    return nodes.length;
  }

  long payloadBytes(int length) {
    return (long) Float.BYTES * weight * length;
  }

  /** Nanoseconds that {@code bytes} take on a link. */
  long transmission(long bytes) {
    return Clock.nanos(bytes / costs.bandwidth());
  }

  /** Nanoseconds. */
  long latency() {
    return latency;
  }

  Hold hold() {
    return hold;
  }

  long nanos(int rank, Work work, long amount) {
    return workTime.nanos(rank, work, work == Work.UPDATE ? amount * weight : amount);
  }

  VirtualCommunicator node(int rank) {
    return nodes[rank];
  }

  Payload.Pool payloads() {
    return payloads;
  }
}
