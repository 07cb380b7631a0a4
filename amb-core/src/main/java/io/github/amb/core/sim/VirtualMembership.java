package io.github.amb.core.sim;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.LostException;
import io.github.amb.core.engine.MalformedMessageException;
import io.github.amb.core.engine.Membership;

/** One node's membership on the virtual cluster. The others continue when a node fails. */
final class VirtualMembership implements Membership {
  private final VirtualCluster cluster;
  private final VirtualGenerations generations;
  private final Scheduler scheduler;
  private final int node;
  private final boolean joins;
  private Generation generation;

  /**
   * @param cluster the cluster
   * @param node number of the node
   * @param joins whether the node joins a running program as a replacement
   */
  VirtualMembership(VirtualCluster cluster, int node, boolean joins) {
    this.cluster = cluster;
    this.node = node;
    this.joins = joins;
    generations = cluster.generations;
    scheduler = cluster.scheduler;
  }

  /**
   * @throws LostException if the run ends before a replacement has joined it
   */
  @Override
  public Generation first() {
    if (generation == null) {
      generation = joins ? join() : Generation.only(cluster.nodes[node]);
    }
    return generation;
  }

  private Generation join() {
    scheduler.sync(node);
    generations.join(node);
    while (generations.joined(node) == 0) {
      awaitWorld();
    }
    return enter(generations.joined(node));
  }

  private void awaitWorld() {
    if (generations.isOver()) {
      throw new LostException("the run has ended before rank " + node + " could join");
    }
    scheduler.await(node, new Moment(Clock.NEVER, node));
  }

  @Override
  public boolean isReplacement() {
    return joins;
  }

  /**
   * Waits until all nodes that are alive and have not finished have left the generation that ended.
   *
   * @throws RemovedException if the others continue without this node
   * @throws LostException if the master has finished
   */
  @Override
  public Generation next(EngineException failure) {
    scheduler.sync(node);
    if (generations.isAbsent(node)) {
      throw new RemovedException(node);
    }
    if (node == Communicator.MASTER && failure instanceof MalformedMessageException broken) {
      generations.remove(broken.source(), scheduler.now(node));
    }
    int next = generation.number() + 1;
    generations.leave(node, next, failure.getMessage());
    while (generations.world(next) == null) {
      awaitWorld();
    }
    generation = enter(next);
    return generation;
  }

  private Generation enter(int number) {
    int[] members = generations.world(number);
    for (int other : members) {
      scheduler.wakeBy(other, new Moment(scheduler.now(node), other));
    }
    cluster.nodes[node].enter(number);
    return new Generation(number, members, new MemberCommunicator(cluster.nodes[node], members));
  }

  @Override
  public boolean changes() {
    return generations.isJoining();
  }
}
