package io.github.amb.runtime.console;

import io.github.amb.core.record.WorkerRecord;
import java.io.PrintStream;
import java.util.function.Consumer;

/** The worker's console line per step, in the seed's form. */
public final class WorkerConsole implements Consumer<WorkerRecord> {
  private final PrintStream out;
  private final boolean delays;

  /**
   * @param delays whether delays are induced, so that {@code sleep_time} is printed
   */
  public WorkerConsole(PrintStream out, boolean delays) {
    this.out = out;
    this.delays = delays;
  }

  @Override
  public void accept(WorkerRecord step) {
    boolean first = step.lastSend() < 0;
    double idle = first ? -1 : step.lastRecv() + step.lastExit();
    String sleep = delays ? ", sleep_time [" + Numbers.general(step.sleepTime()) + "]" : "";
    out.println(
        "Sending [%d] examples%s, compute_time [%s], last_idle [%s], last_send [%s]"
            .formatted(
                step.numSamples(),
                sleep,
                Numbers.general(step.computeTime()),
                Numbers.general(idle),
                Numbers.general(step.lastSend())));
  }
}
