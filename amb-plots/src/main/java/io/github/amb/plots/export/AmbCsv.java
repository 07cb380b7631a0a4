package io.github.amb.plots.export;

import io.github.amb.core.file.Json;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.plots.CsvLine;
import io.github.amb.plots.FileNames;
import io.github.amb.plots.OutputFile;
import io.github.amb.plots.run.AmbCsvFormat;
import io.github.amb.plots.run.Run;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The CSV files of the Python implementation of AMB and FMB, with its names. */
final class AmbCsv {
  private static final List<String> MASTER =
      List.of("time", "step", "loss", "learning_rate", "test_loss", "accuracy");
  private static final List<String> COLLECTIONS =
      List.of("time", "step", "worker_count", "wait_time", "total_samples");

  /** A column of the workers' results. */
  private record Column(String name, Function<WorkerRecord, Object> cell) {}

  private AmbCsv() {}

  static List<Path> write(Run run, Path folder) throws IOException {
    Path directory = OutputFile.folder(folder, folder.resolve(FileNames.part(run.id())));
    Map<String, String> files = new LinkedHashMap<>();
    files.put(AmbCsvFormat.MASTER, master(run));
    files.put(AmbCsvFormat.WORKERS, workers(run));
    files.put(AmbCsvFormat.COLLECTIONS, collections(run));
    files.put(AmbCsvFormat.ARGUMENTS, Json.document(arguments(run)));
    List<Path> written = new ArrayList<>();
    for (Map.Entry<String, String> file : files.entrySet()) {
      byte[] text = file.getValue().getBytes(StandardCharsets.UTF_8);
      written.add(OutputFile.write(directory.resolve(file.getKey()), text));
    }
    return written;
  }

  private static String master(Run run) {
    Map<Long, EvaluationRecord> evaluations = new LinkedHashMap<>();
    run.evaluations().forEach(evaluation -> evaluations.put(evaluation.step(), evaluation));
    EvaluationRecord none = new EvaluationRecord(0, 0, Double.NaN, Double.NaN, 0, 0);
    return CsvLine.table(
        MASTER,
        run.steps().stream()
            .map(
                s -> {
                  EvaluationRecord test = evaluations.getOrDefault(s.step(), none);
                  double loss = test.testLoss();
                  return List.of(
                      s.time(), s.step(), s.loss(), s.learningRate(), loss, test.accuracy());
                }));
  }

  private static String workers(Run run) {
    boolean asynchronous = run.workers().stream().anyMatch(record -> record.staleness() > 0);
    List<Column> columns = columns(asynchronous);
    return CsvLine.table(
        columns.stream().map(Column::name).toList(),
        run.workers().stream()
            .sorted(Comparator.comparingDouble(WorkerRecord::time))
            .map(record -> columns.stream().map(column -> column.cell().apply(record)).toList()));
  }

  private static List<Column> columns(boolean asynchronous) {
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("time", r -> r.time()));
    columns.add(new Column("master_step", r -> r.masterStep()));
    columns.add(new Column("rank", r -> r.rank()));
    if (asynchronous) {
      columns.add(new Column("worker_master_step", r -> r.masterStep() - r.staleness()));
    }
    columns.add(new Column("num_samples", r -> r.numSamples()));
    columns.add(new Column("last_send", r -> r.lastSend()));
    columns.add(new Column("last_recv", r -> r.lastRecv()));
    columns.add(new Column("last_exit", r -> r.lastExit()));
    columns.add(new Column("sleep_time", r -> r.sleepTime()));
    columns.add(new Column("compute_time", r -> r.computeTime()));
    columns.add(new Column("master_wait_time", r -> r.masterWaitTime()));
    return columns;
  }

  private static String collections(Run run) {
    return CsvLine.table(
        COLLECTIONS,
        run.collections().stream()
            .map(
                c -> List.of(c.time(), c.step(), c.workerCount(), c.waitTime(), c.totalSamples())));
  }

  /** The configuration by the names of the Python program, as far as it has the options. */
  private static Map<String, Object> arguments(Run run) {
    Map<String, String> names =
        Map.of(
            "data-set", "model",
            "scheme", "dist_opt",
            "update-rule", "intr_opt",
            "workers", "num_workers",
            "induce", "induce_comp");
    Map<String, Object> arguments = new LinkedHashMap<>();
    run.info()
        .configuration()
        .forEach(
            (name, value) ->
                arguments.put(names.getOrDefault(name, name.replace('-', '_')), value));
    String scheme = run.info().configured("scheme", "");
    arguments.put("dist_opt", scheme.replaceFirst("-dg$", ""));
    arguments.put("dist_sgy", scheme.endsWith("-dg") ? "async" : "syncr");
    return arguments;
  }
}
