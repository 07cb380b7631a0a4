package io.github.amb.plots.run;

import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The evaluations of a run, by the run itself and by {@code amb evaluate}. */
final class Evaluations {
  private Evaluations() {}

  /** The master's records, with one evaluation per step: the one on the most test examples. */
  static List<LogRecord> merged(RunDirectory directory) throws IOException {
    List<LogRecord> master = directory.masterRecords();
    List<LogRecord> later = directory.evaluatorRecords();
    if (later.isEmpty()) {
      return master;
    }
    List<LogRecord> others = new ArrayList<>();
    Map<Long, EvaluationRecord> byStep = new TreeMap<>();
    for (List<LogRecord> log : List.of(master, later)) {
      for (LogRecord record : log) {
        if (record instanceof EvaluationRecord evaluation) {
          byStep.merge(evaluation.step(), evaluation, EvaluationRecord::larger);
        } else {
          others.add(record);
        }
      }
    }
    others.addAll(byStep.values());
    return others;
  }
}
