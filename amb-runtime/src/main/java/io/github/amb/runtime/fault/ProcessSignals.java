package io.github.amb.runtime.fault;

import io.github.amb.core.engine.EngineException;
import java.io.IOException;

/** Faults of a rank that is a process: true signals, as from outside. */
public final class ProcessSignals implements FaultInjector.Signals {
  @Override
  public void kill() {
    signal("KILL");
  }

  @Override
  public void stall() {
    signal("STOP");
  }

  private static void signal(String name) {
    String pid = Long.toString(ProcessHandle.current().pid());
    try {
      new ProcessBuilder("kill", "-" + name, pid).start().waitFor();
    } catch (IOException e) {
      throw new EngineException("cannot send SIG" + name + " to process " + pid, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
