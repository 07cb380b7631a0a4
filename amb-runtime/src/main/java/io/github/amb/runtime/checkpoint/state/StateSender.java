package io.github.amb.runtime.checkpoint.state;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.Message;
import io.github.amb.core.state.StateMap;
import io.github.amb.core.state.StateRegistry;

/** A worker's communicator, which sends the worker's state when the master asks for it. */
public final class StateSender extends ForwardingCommunicator {
  private final StateRegistry registry;
  private final StateMap state = new StateMap();
  private final Message message = new Message();

  /**
   * @param communicator the generation's
   * @param registry state of the worker
   */
  public StateSender(Communicator communicator, StateRegistry registry) {
    super(communicator);
    this.registry = registry;
  }

  @Override
  public boolean receive(int from, Message into, long deadline) {
    boolean received = super.receive(from, into, deadline);
    if (received && into.isStateWanted()) {
      registry.save(state);
      StateMessages.put(message.reset(Message.Kind.STATE, into.step()), state);
      send(MASTER, message, Clock.NEVER);
    }
    return received;
  }
}
