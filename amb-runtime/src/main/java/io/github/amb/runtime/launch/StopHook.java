package io.github.amb.runtime.launch;

/** What is done when the program is told to end (Ctrl-C, SIGTERM), until it is taken off. */
public final class StopHook implements AutoCloseable {
  private final Thread thread;

  /** Has {@code action} run on a thread of that name when the program is told to end. */
  public StopHook(String name, Runnable action) {
    thread = new Thread(action, name);
    Runtime.getRuntime().addShutdownHook(thread);
  }

  /** Takes it off; returns false if the program is ending, and the action has run or is running. */
  public boolean remove() {
    try {
      return Runtime.getRuntime().removeShutdownHook(thread);
    } catch (IllegalStateException e) {
      return false;
    }
  }

  /** Takes it off if that can be. */
  @Override
  public void close() {
    remove();
  }
}
