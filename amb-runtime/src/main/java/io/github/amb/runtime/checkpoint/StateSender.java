package io.github.amb.runtime.checkpoint;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.Membership;
import io.github.amb.core.engine.Message;
import io.github.amb.core.state.StateMap;
import io.github.amb.core.state.StateRegistry;

/**
 * A worker's communicator, which keeps the worker's state as it is when parameters come, and sends
 * it when the master asks for it.
 */
public final class StateSender extends ForwardingCommunicator {
  private final StateRegistry registry;
  private final StateMap state;
  private final boolean always;
  private final Message message = new Message();

  /**
   * @param generation whose communicator it is
   * @param registry state of the worker
   * @param state {@linkplain StateRegistry#keep keeps} the state; modified
   * @param always whether with all parameters, or only where the master asks
   */
  public StateSender(
      Membership.Generation generation, StateRegistry registry, StateMap state, boolean always) {
    super(generation.communicator(), generation.members());
    this.registry = registry;
    this.state = state;
    this.always = always;
  }

  @Override
  protected boolean received(Message parameters) {
    boolean wanted = parameters.isStateWanted();
    if (wanted || always && parameters.kind() == Message.Kind.PARAMETERS) {
      registry.keep(state);
    }
    if (wanted) {
      StateMessages.put(message.reset(Message.Kind.STATE, parameters.step()), state);
      send(MASTER, message, Clock.NEVER);
    }
    return true;
  }
}
