package io.github.amb.runtime.fault;

import io.github.amb.core.engine.EngineException;
import io.github.amb.core.thread.Waits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Faults of a rank that is a process: real signals and real errors. */
public final class ProcessSignals implements FaultInjector.Signals {
  /** Length of an array that most heaps cannot hold, so that memory runs out at once. */
  private static final int LONGEST = Integer.MAX_VALUE - 8;

  @Override
  public void happen(Fault.Kind kind, long step) {
    switch (kind) {
      case KILL -> signal("KILL");
      case STALL -> signal("STOP");
      case OUT_OF_MEMORY -> exhaustMemory();
      default -> throw new IllegalStateException("fault injected in step " + step);
    }
  }

  private static void exhaustMemory() {
    List<long[]> taken = new ArrayList<>();
    while (taken.size() < Integer.MAX_VALUE) {
      taken.add(new long[LONGEST]);
    }
  }

  private static void signal(String name) {
    String pid = Long.toString(ProcessHandle.current().pid());
    try {
      Process kill = new ProcessBuilder("kill", "-" + name, pid).start();
      Waits.run(kill::waitFor);
    } catch (IOException e) {
      throw new EngineException("cannot send SIG" + name + " to process " + pid, e);
    }
  }
}
