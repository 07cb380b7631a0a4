package io.github.amb.runtime.launch;

import io.github.amb.runtime.control.Heartbeat;
import io.github.amb.runtime.control.RankReport;
import java.util.List;

/** What {@link Supervision} decides on. */
sealed interface Event {
  /** Which process it is about; null if it is about none. */
  default RankId rank() {
    return null;
  }

  /** Time has passed. */
  record Tick() implements Event {}

  /** A rank has sent a heartbeat, with what its program waits for; null if it does not wait. */
  record Beat(RankId rank, Heartbeat.Wait waiting) implements Event {}

  /** A rank has sent a report. */
  record Said(RankId rank, RankReport report) implements Event {}

  /** A rank's process has ended; {@link Ended} follows. */
  record Died(RankId rank) implements Event {}

  /** What the process of a rank has left is known. */
  record Ended(RankId rank, RankEnd end) implements Event {}

  /**
   * The places of workers were read again.
   *
   * @param places empty if that failed
   * @param asked whether a person asked for it. Then each place gets a worker; otherwise one that
   *     has lost its worker stays empty
   */
  record Hosts(List<RankPlacement.Place> places, boolean asked) implements Event {}

  /** The process of a replacement could not be created. */
  record Unstartable(RankId rank, String why) implements Event {}
}
