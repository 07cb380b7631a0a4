package io.github.amb.runtime.fault;

import io.github.amb.core.record.Disk;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.StepRecord;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/** The disk that a run's records and checkpoints go to, full while it is said to be. */
public final class FullDisk implements Disk, Consumer<LogRecord> {
  private final List<Fault> faults;
  private final Disk beneath;
  private volatile long step;

  /**
   * @param faults of any kind
   * @param beneath asked while it is not said to be full
   */
  public FullDisk(List<Fault> faults, Disk beneath) {
    this.beneath = beneath;
    this.faults = faults.stream().filter(f -> f.kind() == Fault.Kind.DISK_FULL).toList();
  }

  /** Learns from the records how far the run is. */
  @Override
  public void accept(LogRecord record) {
    if (record instanceof StepRecord done) {
      step = done.step();
    }
  }

  @Override
  public void check() throws IOException {
    for (Fault fault : faults) {
      if (step >= fault.step() && step < fault.step() + fault.factor()) {
        throw new IOException("No space left on device (injected)");
      }
    }
    beneath.check();
  }
}
