package io.github.amb.runtime.launch;

import io.github.amb.runtime.control.Heartbeat;
import io.github.amb.runtime.control.RankReport;
import java.util.Objects;

/** What is known about the process of a rank. Part of a {@link RunState}. */
final class KnownRank implements Cloneable {
  final RankId id;

  /** When it was started. */
  final long started;

  /** Whether its process runs. */
  boolean alive = true;

  /** Whether it is connecting to others, and so not connected to all. */
  boolean outside;

  /** Where it listens, in the generation that this names; null before the first. */
  RankReport.Listening listening;

  /** The generation that it is connecting to; 0 for none. */
  int connecting;

  /** Whether it has left a generation since the newest one was ordered. */
  boolean free;

  /** Whether it has reported that it finished. */
  boolean finished;

  /** Whether it was asked to end, and is a member until its step is done. */
  boolean leaving;

  /** The failure that it reported; null for none. */
  RankReport.Failed failure;

  /** When it reported its failure. */
  long failed;

  /** Whether it sends heartbeats: it has sent one. */
  boolean beats;

  /** When its last heartbeat or report came. */
  long heard;

  /** Whether its silence was shown. */
  boolean silent;

  /** What its program waits for; null if it does not wait. */
  Heartbeat.Wait waits;

  /** Since when it waits for that. */
  long waitsSince;

  /** Why the launcher has killed it; null if it has not. */
  String killed;

  /** Whether it was killed because it did not exit after it had reported its failure. */
  boolean stuck;

  KnownRank(RankId id, long started) {
    this.id = id;
    this.started = started;
  }

  KnownRank copy() {
    try {
      return (KnownRank) clone();
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  int rank() {
    return id.rank();
  }

  /** A heartbeat has come. */
  void hear(long now, Heartbeat.Wait waiting) {
    if (!Objects.equals(waiting, waits)) {
      waitsSince = now;
    }
    waits = waiting;
    beats = true;
    heard = now;
  }

  /** Whether it has reported where it listens in a generation. */
  boolean listens(int generation) {
    return listening != null && listening.generation() == generation;
  }

  /** Nanoseconds for which its program has waited for one message; 0 if it does not wait. */
  long waited(long now) {
    return waits == null ? 0 : now - waitsSince;
  }

  /** Nanoseconds since its last heartbeat or report; 0 before the first heartbeat. */
  long silence(long now) {
    return beats ? now - heard : 0;
  }

  /** Whether it has failed because others had. */
  boolean isBystander() {
    return failure != null && !failure.own();
  }

  /** What it reported about its failure; {@code otherwise} if it reported none. */
  String said(String otherwise) {
    return failure == null ? otherwise : failure.cause();
  }
}
