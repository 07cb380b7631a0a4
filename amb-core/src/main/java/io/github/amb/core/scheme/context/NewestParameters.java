package io.github.amb.core.scheme.context;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.Message;

/** The newest parameters that a worker has been sent, for workers that never wait for them. */
final class NewestParameters {
  private final Communicator communicator;
  private final Clock clock;
  private final Message notice = new Message();
  private Message spare = new Message();
  private boolean over;

  NewestParameters(Communicator communicator, Clock clock) {
    this.communicator = communicator;
    this.clock = clock;
  }

  /**
   * Takes what has come, and tells the master so. Without parameters it waits for some.
   *
   * @param held the parameters of the last call; of step 0 if there are none
   * @return {@code held}, or the message with newer ones, and {@code held} is used again
   */
  Message take(Message held) {
    Message newest = held;
    long until = held.step() > 0 ? clock.now() : Clock.NEVER;
    while (!over && communicator.receive(Communicator.MASTER, spare, until)) {
      newest = newer(newest);
      until = clock.now();
    }
    return newest;
  }

  private Message newer(Message held) {
    over = spare.kind() == Message.Kind.STOP;
    Message.Kind reply = over ? Message.Kind.STOP : Message.Kind.TAKEN;
    long step = over ? 0 : spare.step();
    communicator.send(Communicator.MASTER, notice.reset(reply, step), Clock.NEVER);
    if (over || spare.step() <= held.step()) {
      return held;
    }
    Message newer = spare;
    spare = held;
    return newer;
  }

  /** Whether the master has said that training is over. */
  boolean over() {
    return over;
  }
}
