package io.github.amb.plots.run;

import java.util.List;

/**
 * The log of one device of an ESync run, by round.
 *
 * @param name host and device, such as {@code cloud1/gpu0}
 * @param rounds in order
 */
public record DeviceLog(String name, List<Round> rounds) {
  /**
   * A round: the work between two exchanges with the server.
   *
   * @param samples number of examples processed
   * @param iterations number of entries in the log: local iterations, and with ESync one for the
   *     exchange
   * @param elapsed seconds since the run began, at the end of the round
   * @param aggregate seconds of the exchange
   * @param accuracy test accuracy, 0 to 1; NaN if not measured
   */
  public record Round(
      long samples, int iterations, double elapsed, double aggregate, double accuracy) {}
}
