package io.github.amb.runtime.fault;

import static io.github.amb.core.option.Decimal.format;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.option.Setting;
import io.github.amb.core.thread.Waits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Faults of a rank that is a process: real signals and real errors. */
public final class ProcessSignals implements FaultInjector.Signals {
  /** Length of an array that most heaps cannot hold, so that memory runs out at once. */
  private static final int LONGEST = Integer.MAX_VALUE - 8;

  @Override
  public void happen(Fault fault, long step, Clock clock) {
    switch (fault.kind()) {
      case KILL -> signal("kill -KILL %1$d", 0);
      case STALL -> signal("kill -STOP %1$d", 0);
      case PARTITION -> signal("kill -STOP %1$d; sleep %2$s; kill -CONT %1$d", fault.amount());
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

  /** Runs a command with this process' id and a number of seconds. */
  private static void signal(String command, double seconds) {
    String line = format(command, ProcessHandle.current().pid(), Setting.typed(seconds));
    try {
      Waits.run(new ProcessBuilder("sh", "-c", line).start()::waitFor);
    } catch (IOException e) {
      throw new EngineException("cannot run: " + line, e);
    }
  }
}
