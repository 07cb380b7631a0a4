package io.github.amb.core.sim;

import io.github.amb.core.delay.DelayModel;

/** Delays and computing times of workers that were recorded; they serve one run. */
public interface RecordedTimes {
  /** The recorded delays of worker {@code rank}, one per call. */
  DelayModel delays(int rank);

  /**
   * Times of recorded computations.
   *
   * @param other times of all other work
   */
  WorkTime workTime(WorkTime other);

  /** When messages may leave; at once, unless their arrival is repeated, too. */
  default Hold hold() {
    return Hold.NONE;
  }
}
