package io.github.amb.core.sim;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.Message;

/** A node's communicator in a generation: its members have ranks from 0 to their number. */
final class MemberCommunicator extends ForwardingCommunicator {
  private int rank;

  /**
   * @param node communicates by node number
   * @param members node number of each rank
   */
  MemberCommunicator(Communicator node, int[] members) {
    super(node, members);
    while (members[rank] != node.rank()) {
      rank++;
    }
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return members.length;
  }

  @Override
  public void send(int to, Message message, long deadline) {
    super.send(members[to], message, deadline);
  }

  @Override
  public void broadcast(Message message, long deadline) {
    for (int to = 0; to < members.length; to++) {
      if (to != rank) {
        send(to, message, deadline);
      }
    }
  }

  @Override
  public void hold(int source, int floats, boolean held) {
    super.hold(members[source], floats, held);
  }

  @Override
  public boolean receive(int from, Message into, long deadline) {
    return super.receive(from == ANY ? ANY : members[from], into, deadline);
  }

  @Override
  protected boolean received(Message message) {
    int source = 0;
    while (members[source] != message.source()) {
      source++;
    }
    message.source(source);
    return true;
  }
}
