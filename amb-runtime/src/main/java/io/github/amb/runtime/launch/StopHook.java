package io.github.amb.runtime.launch;

/** An action that a signal (Ctrl-C, SIGTERM) triggers, until it is removed. */
public final class StopHook implements AutoCloseable {
  private final Thread thread;

  /**
   * Registers {@code action} to run on a thread of that name when a signal asks the program to end.
   */
  public StopHook(String name, Runnable action) {
    thread = new Thread(action, name);
    Runtime.getRuntime().addShutdownHook(thread);
  }

  /** Removes the action; returns false if the program is ending and the action runs or has run. */
  public boolean remove() {
    try {
      return Runtime.getRuntime().removeShutdownHook(thread);
    } catch (IllegalStateException e) {
      return false;
    }
  }

  /** Removes the action, unless the program is ending. */
  @Override
  public void close() {
    remove();
  }
}
