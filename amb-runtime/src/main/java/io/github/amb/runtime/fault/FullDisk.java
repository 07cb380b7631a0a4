package io.github.amb.runtime.fault;

import io.github.amb.core.file.Disk;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.StepRecord;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/** A disk that rejects a run's records and checkpoints while a {@code disk-full} fault lasts. */
public final class FullDisk implements Disk, Consumer<LogRecord> {
  private final List<Fault> faults;
  private final Disk beneath;
  private volatile long step;

  /**
   * @param faults faults of all kinds
   * @param beneath the disk to ask while no fault lasts
   */
  public FullDisk(List<Fault> faults, Disk beneath) {
    this.beneath = beneath;
    this.faults = faults.stream().filter(f -> f.kind() == Fault.Kind.DISK_FULL).toList();
  }

  /** Takes the current step from the records. */
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
