package io.github.amb.plots.run;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.CollectRecord;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The CSV files of the Python implementation of AMB and FMB: {@code master_stats.csv}, and, if they
 * are there, {@code worker_stats.csv}, {@code collect_stats.csv} and {@code args.json}. Columns of
 * its older versions are known by their names then: {@code step}, {@code last_bcast}, {@code
 * last_idle}.
 */
public final class AmbCsvFormat {
  /** The file that identifies a directory of this format. */
  public static final String MASTER = "master_stats.csv";

  public static final String WORKERS = "worker_stats.csv";
  public static final String COLLECTIONS = "collect_stats.csv";
  public static final String ARGUMENTS = "args.json";

  private static final Map<String, String> NAMES =
      Map.of(
          "model", "data-set",
          "dist_opt", "scheme",
          "intr_opt", "update-rule",
          "num_workers", "workers",
          "starter_learning_rate", "learning-rate",
          "induce_comp", "induce");

  static final RunFormat FORMAT =
      new RunFormat(
          MASTER, directory -> Files.isRegularFile(directory.resolve(MASTER)), AmbCsvFormat::read);

  private AmbCsvFormat() {}

  private static Run read(Path directory) throws IOException {
    List<WorkerRecord> workers = workers(CsvTable.read(directory.resolve(WORKERS)));
    List<LogRecord> master =
        new ArrayList<>(master(CsvTable.read(directory.resolve(MASTER)), workers));
    master.addAll(collections(CsvTable.read(directory.resolve(COLLECTIONS))));
    Map<String, Object> configuration = configuration(directory.resolve(ARGUMENTS));
    int count = (int) workers.stream().mapToInt(WorkerRecord::rank).distinct().count();
    return new Run(
        new RunDirectory(directory), info(directory, configuration), master, workers, count);
  }

  private static RunInfo info(Path directory, Map<String, Object> configuration) {
    String id = directory.toAbsolutePath().normalize().getFileName().toString();
    return RunInfo.foreign(id, configuration);
  }

  private static Map<String, Object> configuration(Path file) throws IOException {
    if (!Files.exists(file)) {
      return Map.of();
    }
    Map<String, Object> configuration = new LinkedHashMap<>();
    try {
      Map<String, Object> arguments =
          new ObjectMapper()
              .readValue(
                  BoundedFile.read(file, "arguments", DataLimits.RUN_JSON_BYTES),
                  new TypeReference<>() {});
      arguments.forEach(
          (name, value) -> {
            String key = NAMES.getOrDefault(name, name.replace('_', '-'));
            boolean isSetting = value instanceof String || value instanceof Number;
            if (isSetting && !configuration.containsKey(key)) {
              configuration.put(key, value);
            }
          });
    } catch (JacksonException e) {
      throw new UsageException(
          file + ": expected a JSON object of arguments, found " + e.getOriginalMessage());
    }
    if ("async".equals(configuration.remove("dist-sgy"))) {
      configuration.computeIfPresent("scheme", (key, scheme) -> scheme + "-dg");
    }
    return configuration;
  }

  private static List<LogRecord> master(CsvTable table, List<WorkerRecord> workers) {
    Map<Long, Long> samples = new HashMap<>();
    workers.forEach(w -> samples.merge(w.masterStep(), w.numSamples(), Long::sum));
    List<LogRecord> records = new ArrayList<>();
    long total = 0;
    for (int row = 0; row < table.size(); row++) {
      double time = table.value(row, row, "time");
      long step = (long) table.value(row, row + 1, "step");
      long examples = samples.getOrDefault(step, 0L);
      total += examples;
      records.add(
          new StepRecord(
              time,
              step,
              table.value(row, Double.NaN, "loss"),
              table.value(row, Double.NaN, "learning_rate"),
              examples,
              total,
              0,
              0,
              0,
              0));
      double accuracy = table.value(row, Double.NaN, "accuracy");
      double testLoss = table.value(row, Double.NaN, "test_loss");
      if (!Double.isNaN(accuracy) || !Double.isNaN(testLoss)) {
        records.add(new EvaluationRecord(time, step, testLoss, accuracy, 0, 0));
      }
    }
    return records;
  }

  private static List<WorkerRecord> workers(CsvTable table) {
    List<WorkerRecord> records = new ArrayList<>();
    for (int row = 0; row < table.size(); row++) {
      long step = (long) table.value(row, row + 1, "master_step", "step");
      records.add(
          new WorkerRecord(
              table.value(row, 0, "time"),
              step,
              (int) table.value(row, 1, "rank"),
              (long) table.value(row, 0, "num_samples"),
              1,
              false,
              table.value(row, -1, "last_send"),
              table.value(row, -1, "last_recv", "last_bcast", "last_idle"),
              table.value(row, -1, "last_exit"),
              table.value(row, -1, "sleep_time"),
              table.value(row, 0, "compute_time"),
              table.value(row, 0, "master_wait_time"),
              step - (long) table.value(row, step, "worker_master_step")));
    }
    return records;
  }

  private static List<CollectRecord> collections(CsvTable table) {
    List<CollectRecord> records = new ArrayList<>();
    for (int row = 0; row < table.size(); row++) {
      records.add(
          new CollectRecord(
              table.value(row, 0, "time"),
              (long) table.value(row, row + 1, "step"),
              (int) table.value(row, 0, "worker_count"),
              table.value(row, 0, "wait_time"),
              (long) table.value(row, 0, "total_samples")));
    }
    return records;
  }
}
