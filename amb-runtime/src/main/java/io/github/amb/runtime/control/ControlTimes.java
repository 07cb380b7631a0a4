package io.github.amb.runtime.control;

import java.time.Duration;

/**
 * Limits of both ends of a control connection.
 *
 * @param heartbeat interval between two heartbeats
 * @param greeting limit for a peer to prove who it is
 */
public record ControlTimes(Duration heartbeat, Duration greeting) {
  /** Missed heartbeats after which a rank connects again. */
  private static final int MISSED = 5;

  /** Nanoseconds of silence after which a connection counts as broken. */
  long broken() {
    return MISSED * heartbeat.toNanos();
  }
}
