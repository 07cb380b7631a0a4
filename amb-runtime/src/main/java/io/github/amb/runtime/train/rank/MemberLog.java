package io.github.amb.runtime.train.rank;

import io.github.amb.core.record.DropRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Replaces ranks within a generation by the workers' numbers in the run, in every record. A result
 * is passed on when the update is done that uses it.
 */
final class MemberLog implements Consumer<LogRecord> {
  private final Consumer<LogRecord> log;
  private final List<WorkerRecord> gathered = new ArrayList<>();
  private int[] members = {};

  MemberLog(Consumer<LogRecord> log) {
    this.log = log;
  }

  /**
   * Sets the workers' numbers by rank in the generation; an empty array stands for the identity.
   */
  synchronized void members(int[] members) {
    this.members = members;
  }

  private int member(int rank) {
    return members.length == 0 ? rank : members[rank];
  }

  @Override
  public synchronized void accept(LogRecord record) {
    if (record instanceof WorkerRecord worker) {
      gathered.add(worker.of(member(worker.rank())));
    } else if (record instanceof DropRecord drop) {
      log.accept(drop.of(member(drop.rank())));
    } else {
      if (record instanceof StepRecord) {
        gathered.forEach(log);
        gathered.clear();
      }
      log.accept(record);
    }
  }

  /** The update under way will not be done: records its results as dropped. */
  synchronized void discard() {
    gathered.forEach(worker -> log.accept(worker.dropped()));
    gathered.clear();
  }
}
