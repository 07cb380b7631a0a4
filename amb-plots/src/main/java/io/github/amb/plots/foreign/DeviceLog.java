package io.github.amb.plots.foreign;

import java.util.List;

/**
 * What one device of an ESync run did, round by round.
 *
 * @param name host and device, as {@code cloud1/gpu0}
 * @param rounds in order
 */
public record DeviceLog(String name, List<Round> rounds) {
  /**
   * One round between two exchanges with the server.
   *
   * @param samples examples processed
   * @param iterations entries in the log: local iterations, and with ESync one for the exchange
   * @param elapsed seconds since the run began, at the end of the round
   * @param aggregate seconds of the exchange
   * @param accuracy on test examples; NaN if not measured
   */
  public record Round(
      long samples, int iterations, double elapsed, double aggregate, double accuracy) {}
}
