package io.github.amb.runtime.control;

/**
 * The sender lives; said every second, and at once when something has come.
 *
 * @param received how many reports, or orders, the sender has had from the other end so far
 * @param waiting what a rank's program waits for; null if it does not, and of a launcher
 */
public record Heartbeat(long received, Wait waiting) implements ControlRecord {
  /**
   * A wait for one frame, equal as long as nothing comes.
   *
   * @param generation in which the rank waits
   * @param receives how often it has waited there
   * @param arrived how much has arrived, in a unit that signs of life between ranks do not fill
   */
  public record Wait(int generation, long receives, long arrived) {}
}
