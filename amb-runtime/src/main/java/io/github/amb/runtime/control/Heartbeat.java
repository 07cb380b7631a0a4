package io.github.amb.runtime.control;

/**
 * Says that the sender is alive. It is sent every second, and at once after something has arrived.
 *
 * @param received how many reports, or orders, the sender has received so far
 * @param waiting what a rank's program waits for; null if it does not wait, and from a launcher
 */
public record Heartbeat(long received, Wait waiting) implements ControlRecord {
  /**
   * A wait for one message, equal while nothing arrives.
   *
   * @param generation generation in which the rank waits
   * @param receives how often the rank has waited in it
   * @param arrived how much has arrived, in a unit larger than the heartbeats between ranks
   */
  public record Wait(int generation, long receives, long arrived) {}
}
