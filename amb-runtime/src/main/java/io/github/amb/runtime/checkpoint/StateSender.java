package io.github.amb.runtime.checkpoint;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.Frame;
import io.github.amb.core.state.StateMap;
import io.github.amb.core.state.StateRegistry;

/** A worker's communicator, which sends the worker's state when the master asks for it. */
public final class StateSender extends ForwardingCommunicator {
  private final StateRegistry registry;
  private final StateMap state = new StateMap();
  private final Frame frame = new Frame();

  /**
   * @param communicator the generation's
   * @param registry state of the worker
   */
  public StateSender(Communicator communicator, StateRegistry registry) {
    super(communicator);
    this.registry = registry;
  }

  @Override
  public boolean receive(int from, Frame into, long deadline) {
    boolean received = super.receive(from, into, deadline);
    if (received && into.isStateWanted()) {
      registry.save(state);
      StateFrames.put(frame.reset(Frame.Kind.STATE, into.step()), state);
      send(MASTER, frame, Clock.NEVER);
    }
    return received;
  }
}
