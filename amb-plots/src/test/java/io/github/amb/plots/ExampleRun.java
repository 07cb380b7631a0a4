package io.github.amb.plots;

import io.github.amb.core.record.CollectRecord;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RecordLog;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes run directories whose every number follows from a formula. */
public final class ExampleRun {
  private final Map<String, Object> configuration = new LinkedHashMap<>();
  private String id;
  private long seed = 1;
  private int workers = 2;
  private int steps = 40;
  private int evaluateEvery = 5;
  private double secondsPerStep = 2;
  private int batchSize = 64;
  private int staleness;
  private boolean metrics;

  public ExampleRun(String scheme) {
    id = scheme;
    configuration.put("scheme", scheme);
    configuration.put("update-rule", "rms");
    configuration.put("batch-size", 64);
  }

  public ExampleRun id(String value) {
    id = value;
    return this;
  }

  public ExampleRun with(String key, Object value) {
    configuration.put(key, value);
    return this;
  }

  public ExampleRun seed(long value) {
    seed = value;
    return this;
  }

  public ExampleRun workers(int value) {
    workers = value;
    return this;
  }

  public ExampleRun steps(int value) {
    steps = value;
    return this;
  }

  /** Tests have a perplexity in place of an accuracy. */
  public ExampleRun withMetrics() {
    metrics = true;
    return this;
  }

  public ExampleRun staleness(int value) {
    staleness = value;
    return this;
  }

  /** Zero for no evaluations. */
  public ExampleRun evaluateEvery(int value) {
    evaluateEvery = value;
    return this;
  }

  public ExampleRun secondsPerStep(double value) {
    secondsPerStep = value;
    return this;
  }

  public ExampleRun batchSize(int value) {
    batchSize = value;
    configuration.put("batch-size", value);
    return this;
  }

  /** Writes the run into a new directory of its id in {@code folder}. */
  public RunDirectory write(Path folder) {
    RunDirectory run = new RunDirectory(folder.resolve(id));
    try {
      Files.createDirectories(run.path());
      run.write(info());
      try (RecordLog log = new RecordLog(run)) {
        records().forEach(log);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return run;
  }

  private RunInfo info() {
    return new RunInfo(
        RunInfo.FORMAT,
        id,
        "2026-01-01T00:00:00Z",
        List.of("amb", "train"),
        configuration,
        seed,
        Map.of(),
        Map.of(),
        new RunInfo.Ending(0, "all steps done", steps * secondsPerStep, steps, null));
  }

  private List<LogRecord> records() {
    List<LogRecord> records = new ArrayList<>();
    for (int step = 1; step <= steps; step++) {
      for (int rank = 1; rank <= workers; rank++) {
        records.add(worker(step, rank));
      }
      records.add(new CollectRecord(time(step), step, workers, 0.25, perStep()));
      records.add(step(step));
      if (evaluateEvery > 0 && step % evaluateEvery == 0) {
        double accuracy = metrics ? Double.NaN : accuracy(step);
        Map<String, Double> further =
            metrics ? Map.of("perplexity", Math.exp(2.0 / step)) : Map.of();
        records.add(
            new EvaluationRecord(time(step), step, 2.0 / step, accuracy, 100, 0.5, further));
      }
    }
    return records;
  }

  public double time(int step) {
    return secondsPerStep * step;
  }

  public long perStep() {
    return (long) batchSize * workers;
  }

  /** 1 − 1 / (1 + step / 4 + seed / 10). */
  public double accuracy(int step) {
    return 1 - 1 / (1 + step / 4.0 + seed / 10.0);
  }

  /** 2.3 e^(−step/20) plus a ripple of the seed. */
  public double loss(int step) {
    return 2.3 * Math.exp(-step / 20.0) + 0.02 * ((step * 7 + seed * 3) % 5);
  }

  private StepRecord step(int step) {
    return new StepRecord(
        time(step),
        step,
        loss(step),
        0.001 * Math.pow(0.9, step / 50),
        perStep(),
        step * perStep(),
        0.01,
        0.01,
        1000L * step,
        4000L * step);
  }

  /** Rank r computes r · 0.5 s, of which half is sleep, sends 0.1 s, and waits for the rest. */
  private WorkerRecord worker(int step, int rank) {
    double compute = 0.5 * rank + 0.01 * (step * 3 % 7);
    double wait = step == 1 ? -1 : 0.4;
    return new WorkerRecord(
        time(step),
        step,
        rank,
        batchSize,
        4,
        false,
        step == 1 ? -1 : 0.1,
        wait,
        step == 1 ? -1 : 0.1,
        compute / 2,
        compute,
        compute + 0.1,
        staleness);
  }
}
