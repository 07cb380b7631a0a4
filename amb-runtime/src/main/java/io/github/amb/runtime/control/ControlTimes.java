package io.github.amb.runtime.control;

import java.time.Duration;

/**
 * How patient both ends of a control connection are.
 *
 * @param heartbeat between two signs of life
 * @param greeting within which whoever connects must have proved who it is
 */
public record ControlTimes(Duration heartbeat, Duration greeting) {
  /** Heartbeats that may fail to come before a rank connects again. */
  private static final int MISSED = 5;

  /** Silence in nanoseconds after which a connection is given up. */
  long broken() {
    return MISSED * heartbeat.toNanos();
  }
}
