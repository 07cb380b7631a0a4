package io.github.amb.plots.export;

import static io.github.amb.core.option.Decimal.format;

import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.plots.FileNames;
import io.github.amb.plots.OutputFile;
import io.github.amb.plots.run.Run;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** A run's scalars as a TensorBoard event file: {@code cost}, {@code accuracy} and the rest. */
final class TensorBoard {
  private TensorBoard() {}

  static List<Path> write(Run run, Path folder) throws IOException {
    double start = run.startMillis() / 1e3;
    Path directory = OutputFile.folder(folder, folder.resolve(FileNames.part(run.id())));
    Path file = directory.resolve(format("events.out.tfevents.%010d.amb", (long) start));
    try (EventFile events = new EventFile(file, start)) {
      for (LogRecord record : ordered(run)) {
        write(record, start + record.time(), events);
      }
    }
    return List.of(file);
  }

  private static List<LogRecord> ordered(Run run) {
    List<LogRecord> records = new ArrayList<>(run.master());
    records.addAll(run.workers());
    records.sort(Comparator.comparingDouble(LogRecord::time));
    return records;
  }

  private static void write(LogRecord record, double wallTime, EventFile events)
      throws IOException {
    if (record instanceof StepRecord step) {
      long at = step.step();
      events.scalar("cost", at, wallTime, step.loss());
      events.scalar("learning_rate", at, wallTime, step.learningRate());
      for (Map.Entry<String, Double> metric : step.metrics().entrySet()) {
        events.scalar(metric.getKey(), at, wallTime, metric.getValue());
      }
      events.scalar("master/examples", at, wallTime, step.totalSamples());
      events.scalar("master/update_time", at, wallTime, step.updateTime());
      events.scalar("master/send_time", at, wallTime, step.sendTime());
      events.scalar("master/bytes_sent", at, wallTime, step.bytesSent());
      events.scalar("master/bytes_received", at, wallTime, step.bytesReceived());
    } else if (record instanceof EvaluationRecord evaluation) {
      events.scalar("accuracy", evaluation.step(), wallTime, evaluation.accuracy());
      events.scalar("test_cost", evaluation.step(), wallTime, evaluation.testLoss());
      for (var metric : evaluation.metrics().entrySet()) {
        events.scalar(metric.getKey(), evaluation.step(), wallTime, metric.getValue());
      }
    } else if (record instanceof WorkerRecord worker) {
      write(worker, wallTime, events);
    }
  }

  private static void write(WorkerRecord worker, double wallTime, EventFile events)
      throws IOException {
    String prefix = "worker_" + worker.rank() + "/";
    long at = worker.masterStep();
    events.scalar(prefix + "compute_time", at, wallTime, worker.computeTime());
    if (worker.sleepTime() >= 0) {
      events.scalar(prefix + "sleep_time", at, wallTime, worker.sleepTime());
    }
    events.scalar(prefix + "examples", at, wallTime, worker.numSamples());
    if (worker.lastSend() >= 0) {
      events.scalar(prefix + "last_send", at, wallTime, worker.lastSend());
      events.scalar(prefix + "last_recv", at, wallTime, worker.lastRecv());
    }
  }
}
