package io.github.amb.runtime.train.rank;

import io.github.amb.core.record.DropRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.WorkerRecord;
import java.util.function.Consumer;

/** Replaces ranks within a generation by the workers' numbers in the run, in every record. */
final class MemberLog implements Consumer<LogRecord> {
  private final Consumer<LogRecord> log;
  private volatile int[] members = {};

  MemberLog(Consumer<LogRecord> log) {
    this.log = log;
  }

  /**
   * Sets the workers' numbers by rank in the generation; an empty array stands for the identity.
   */
  void members(int[] members) {
    this.members = members;
  }

  @Override
  public void accept(LogRecord record) {
    int[] now = members;
    if (now.length == 0) {
      log.accept(record);
    } else if (record instanceof WorkerRecord worker) {
      log.accept(worker.of(now[worker.rank()]));
    } else if (record instanceof DropRecord drop) {
      log.accept(drop.of(now[drop.rank()]));
    } else {
      log.accept(record);
    }
  }
}
