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
  private final Roster roster;
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
    roster = cluster.roster();
  }

  /**
   * @throws LostException if the run ends before a replacement has joined it
   */
  @Override
  public Generation first() {
    if (generation == null) {
      generation = joins ? join() : Generation.only(cluster.node(node));
    }
    return generation;
  }

  private Generation join() {
    cluster.scheduler().sync(node);
    roster.join(node);
    while (roster.joined(node) == 0) {
      awaitWorld();
    }
    return enter(roster.joined(node));
  }

  private void awaitWorld() {
    if (roster.isOver()) {
      throw new LostException("the run has ended before rank " + node + " could join");
    }
    cluster.scheduler().await(node, new Moment(Clock.NEVER, node));
  }

  @Override
  public boolean isReplacement() {
    return joins;
  }

  /**
   * Waits until all nodes that are alive and have not finished have left the generation that ended.
   *
   * @throws ExcludedException if the others continue without this node
   * @throws LostException if the master has finished
   */
  @Override
  public Generation next(EngineException failure) {
    cluster.scheduler().sync(node);
    if (roster.isAbsent(node)) {
      throw new ExcludedException(node);
    }
    if (node == Communicator.MASTER && failure instanceof MalformedMessageException broken) {
      roster.exclude(broken.source(), cluster.scheduler().now(node));
    }
    int next = generation.number() + 1;
    roster.leave(node, next);
    while (roster.world(next) == null) {
      awaitWorld();
    }
    generation = enter(next);
    return generation;
  }

  private Generation enter(int number) {
    int[] members = roster.world(number);
    for (int other : members) {
      cluster.scheduler().wakeBy(other, new Moment(cluster.scheduler().now(node), other));
    }
    cluster.node(node).enter(number);
    return new Generation(number, members, new MemberCommunicator(cluster.node(node), members));
  }

  @Override
  public boolean changes() {
    return roster.isJoining();
  }
}
