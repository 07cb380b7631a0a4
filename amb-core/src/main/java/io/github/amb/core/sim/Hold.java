package io.github.amb.core.sim;

import io.github.amb.core.engine.Message;

/** Delays messages, so that they arrive at given times. */
@FunctionalInterface
public interface Hold {
  /** Delays nothing. */
  Hold NONE = (source, kind, time) -> time;

  /**
   * When a message may leave its sender. Called in the order in which a rank sends.
   *
   * @param source rank of the sender
   * @param kind what the message is
   * @param time virtual time at which it is sent, nanoseconds
   * @return that time or a later one
   */
  long until(int source, Message.Kind kind, long time);
}
