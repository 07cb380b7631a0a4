package io.github.amb.plots.figure;

import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.plots.run.Run;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Derives the phases of all ranks from their records. A worker's record has the time at which its
 * gradient arrived, and the seconds of sleeping and computing. The seconds of sending, and of the
 * wait after it, are in its next record.
 */
public final class Spans {
  private final List<Span> spans = new ArrayList<>();

  private Spans() {}

  /** All phases, by rank, then by time. */
  public static List<Span> of(Run run) {
    Spans spans = new Spans();
    spans.master(run.steps());
    run.workersByRank().values().forEach(spans::worker);
    return spans.spans;
  }

  private void master(List<StepRecord> steps) {
    List<StepRecord> ordered = new ArrayList<>(steps);
    ordered.sort(Comparator.comparingLong(StepRecord::step));
    double before = 0;
    for (StepRecord step : ordered) {
      double applied = step.time() - step.updateTime();
      double sent = Math.min(applied, before + step.sendTime());
      add(0, Phase.SEND, before, sent, step.step());
      add(0, Phase.WAIT, sent, applied, step.step());
      add(0, Phase.APPLY, applied, step.time(), step.step());
      before = step.time();
    }
  }

  private void worker(List<WorkerRecord> records) {
    for (int i = 0; i < records.size(); i++) {
      WorkerRecord record = records.get(i);
      WorkerRecord next = i + 1 < records.size() ? records.get(i + 1) : null;
      double send = next == null ? 0 : Math.max(0, next.lastSend());
      double computed = record.time() - send;
      double start = computed - record.computeTime();
      int rank = record.rank();
      long step = record.masterStep();
      double slept = start + Math.max(0, record.sleepTime());
      add(rank, Phase.SLEEP, start, slept, step);
      add(rank, Phase.COMPUTE, slept, computed, step);
      add(rank, Phase.SEND, computed, record.time(), step);
      if (next != null) {
        double wait = Math.max(0, next.lastRecv()) + Math.max(0, next.lastExit());
        add(rank, Phase.WAIT, record.time(), record.time() + wait, step);
      }
    }
  }

  private void add(int rank, Phase phase, double start, double end, long step) {
    double from = Math.max(0, start);
    if (end > from) {
      spans.add(new Span(rank, phase, from, end, step));
    }
  }
}
