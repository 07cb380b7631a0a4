package io.github.amb.runtime.console;

import io.github.amb.core.record.WorkerRecord;
import java.io.PrintStream;
import java.util.function.Consumer;

/**
 * Writes the worker's line per step, in the form of the predecessor program AMB.
 *
 * @param out receives the lines
 * @param delays whether delays are induced, so that {@code sleep_time} is printed
 */
public record WorkerConsole(PrintStream out, boolean delays) implements Consumer<WorkerRecord> {
  @Override
  public void accept(WorkerRecord step) {
    boolean first = step.lastSend() < 0;
    double idle = first ? -1 : step.lastRecv() + step.lastExit();
    StringBuilder line = new StringBuilder(128);
    line.append("Sending [").append(step.numSamples()).append("] examples");
    if (delays) {
      append(line, ", sleep_time", step.sleepTime());
    }
    append(line, ", compute_time", step.computeTime());
    append(line, ", last_idle", idle);
    append(line, ", last_send", step.lastSend());
    out.println(line);
  }

  private static void append(StringBuilder line, String name, double value) {
    line.append(name).append(" [").append(Numbers.general(value)).append(']');
  }
}
