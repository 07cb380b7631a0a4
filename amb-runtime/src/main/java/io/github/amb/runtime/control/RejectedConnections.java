package io.github.amb.runtime.control;

import java.util.function.Consumer;

/**
 * Counts the connections to the launcher that did not prove to be a rank's, and logs the first few.
 */
public final class RejectedConnections {
  private static final int MAX_NAMED = 5;

  private final Consumer<String> warnings;
  private String first;
  private int count;

  /**
   * @param warnings receives a line for each of the first few
   */
  public RejectedConnections(Consumer<String> warnings) {
    this.warnings = warnings;
  }

  /** Counts one, and logs it unless there were many before. */
  synchronized void add(String address, String why) {
    String name = address + ": " + why;
    if (++count == 1) {
      first = name;
    }
    if (count <= MAX_NAMED) {
      warnings.accept("rejected a connection to the launcher from " + name);
    }
  }

  /** One clause about all so far; empty if there were none. */
  public synchronized String describe() {
    if (count == 0) {
      return "";
    }
    return count == 1
        ? "a connection without proof was rejected meanwhile, from " + first
        : "%s connections without proof were rejected meanwhile, the first from %s"
            .formatted(count, first);
  }
}
