package io.github.amb.runtime.train;

import io.github.amb.runtime.launch.Outcome;

/** Says that the program is stopped (Ctrl-C, SIGTERM) while there is no run yet that would. */
final class EarlyStop implements AutoCloseable {
  private final Thread hook = new Thread(EarlyStop::stopped, "early-stop");

  EarlyStop() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private static void stopped() {
    System.err.println("amb: stopped from outside before the run began");
    Runtime.getRuntime().halt(Outcome.STOPPED);
  }

  /** From now on another tells. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is shutting down and the hook has run or is running.
    }
  }
}
