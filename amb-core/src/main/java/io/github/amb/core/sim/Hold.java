package io.github.amb.core.sim;

import io.github.amb.core.engine.Frame;

/** Holds messages back, so that they come when they are to. */
@FunctionalInterface
public interface Hold {
  /** Holds nothing. */
  Hold NONE = (source, kind, time) -> time;

  /**
   * When a message may go on its way; called in the order in which a rank sends.
   *
   * @param time virtual time at which it is sent, nanoseconds
   * @return that time or a later one
   */
  long until(int source, Frame.Kind kind, long time);
}
