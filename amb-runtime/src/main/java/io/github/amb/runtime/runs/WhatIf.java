package io.github.amb.runtime.runs;

import static io.github.amb.models.data.DataSettings.DATA_SET;
import static io.github.amb.runtime.config.SimSettings.*;
import static io.github.amb.runtime.config.TrainSettings.*;
import static io.github.amb.runtime.host.RankSettings.*;

import io.github.amb.core.file.Disk;
import io.github.amb.core.file.SharedPlace;
import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.core.scheme.Schemes;
import io.github.amb.core.sim.WorkerTimes;
import io.github.amb.core.sim.WorkerTimes.Batch;
import io.github.amb.core.statistic.PairedEstimate.Quartiles;
import io.github.amb.core.topology.Topology;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.console.RunView;
import io.github.amb.runtime.train.EmbeddedRun;
import io.github.amb.runtime.train.part.RunInput;
import io.github.amb.runtime.train.part.RunOptions;
import io.github.amb.runtime.train.part.WorkerTimesFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Trains a recorded run again on the virtual cluster, without gradients, with one thing changed.
 *
 * <p>The share of a worker in the slowdown is that of "Understanding Stragglers in Large Model
 * Training Using What-if Analysis" (Lin et al., OSDI 2025): (T − T without its slowness) / (T −
 * T<sub>ideal</sub>), where slow batches take the median of all. T is the time per example.
 */
final class WhatIf {
  /** More workers than these have no share of their own, but for the slowest. */
  private static final int MAX_SHARES = 16;

  private static final int MAX_STEPS = 300;
  private static final RunView SILENT =
      new RunView() {
        @Override
        public void warn(String warning) {}
      };

  /**
   * How fast a run is.
   *
   * @param secondsPerStep seconds per update
   * @param examplesPerSecond examples that updates use per second
   */
  record Speed(double secondsPerStep, double examplesPerSecond) {
    static Speed of(List<StepRecord> steps) {
      StepRecord first = steps.get(0);
      StepRecord last = steps.get(steps.size() - 1);
      double seconds = last.time() - first.time();
      return new Speed(
          seconds / (last.step() - first.step()),
          (last.totalSamples() - first.totalSamples()) / seconds);
    }
  }

  /**
   * A worker that makes the run slow.
   *
   * @param worker its rank
   * @param share of the slowdown, 0 to 1
   * @param always whether it is slow in most batches, and not now and then
   * @param delay whether it waits before it computes, rather than computes slowly
   * @param without the run if it were like the others
   */
  record Slow(int worker, double share, boolean always, boolean delay, Speed without) {}

  /** A change, and the speed that is predicted for it; null where the change is impossible. */
  record Change(String what, Speed speed, String problem) {}

  private final Settings run;
  private final WorkerTimes times;
  private final List<String> links;
  private final Batch median;
  private final int batch;
  private final long examples;

  /** The speed that was recorded, and that predicted for the run as it was. */
  final Speed recorded;

  final Speed predicted;

  /** The speed if every batch took the median of all. */
  final Speed ideal;

  /**
   * Reads a run.
   *
   * @throws UsageException if it has less than two steps, or a worker has no records
   */
  WhatIf(RunDirectory directory) throws IOException {
    RunInfo info = RunOptions.info("", directory);
    run = RunOptions.read("", directory);
    List<StepRecord> steps = LogRecord.of(StepRecord.class, directory.masterRecords());
    WorkerTimes all = WorkerTimes.of(directory, run.get(WORKERS));
    times = run.get(ENGINE).equals(SIM) ? all : warm(all);
    for (int i = 0; i < times.workers().size(); i++) {
      if (times.workers().get(i).isEmpty()) {
        throw new UsageException(
            "%s: expected records of worker %d, found none", directory.path(), i + 1);
      }
    }
    if (steps.size() < 2 || times.workers().isEmpty()) {
      throw new UsageException(
          "%s: expected a run of workers with at least 2 steps, found %d steps",
          directory.path(), steps.size());
    }
    batch = run.get(BATCH_SIZE);
    links = links(info, directory, steps);
    median = new Batch(usual(Batch::sleep), usual(Batch::perExample));
    examples = steps.get(Math.min(steps.size(), MAX_STEPS) - 1).totalSamples();
    recorded = Speed.of(steps);
    predicted = predict(scheme(), times);
    ideal = predict(scheme(), with(IntStream.range(0, times.workers().size()), median));
  }

  /** On processes, a worker's first batch has the time in which Java compiles. */
  private static WorkerTimes warm(WorkerTimes all) {
    return new WorkerTimes(
        all.workers().stream().map(b -> b.size() > 1 ? b.subList(1, b.size()) : b).toList());
  }

  private double usual(ToDoubleFunction<Batch> part) {
    return median(times.workers().stream().flatMap(List::stream).mapToDouble(part));
  }

  private static double median(DoubleStream values) {
    return Quartiles.of(values.toArray()).median();
  }

  /** What messages and updates take: that of the simulated run, or the least that was recorded. */
  private List<String> links(RunInfo info, RunDirectory directory, List<StepRecord> steps)
      throws IOException {
    if (knowsLinks()) {
      String parameters = info.environment().getOrDefault(PARAMETERS.name(), "1");
      List<String> options = given(List.of(CLUSTER, LATENCY, BANDWIDTH, COST_PER_PARAMETER));
      options.addAll(given(List.of(COST_PER_ENCODED_ENTRY, COST_PER_DECODED_ENTRY)));
      options.add(option(PARAMETERS, run.has(PARAMETERS) ? run.get(PARAMETERS) : parameters));
      return options;
    }
    double update = median(steps.stream().mapToDouble(StepRecord::updateTime));
    Map<Long, Double> idle = new HashMap<>();
    for (int rank : directory.workers()) {
      for (WorkerRecord record : LogRecord.of(WorkerRecord.class, directory.workerRecords(rank))) {
        if (record.lastSend() >= 0) {
          double all = record.lastSend() + record.lastRecv() + record.lastExit();
          idle.merge(record.masterStep(), all, Math::min);
        }
      }
    }
    double least =
        idle.isEmpty() ? 0 : median(idle.values().stream().mapToDouble(Double::doubleValue));
    return List.of(
        option(PARAMETERS, 1),
        option(COST_PER_PARAMETER, update),
        option(LATENCY, Math.max(0, least - update) / 2));
  }

  private List<String> given(List<Setting<?>> settings) {
    List<String> options = new ArrayList<>();
    for (Setting<?> setting : settings) {
      if (run.has(setting) && !run.isDefault(setting)) {
        options.add(option(setting, run.given(setting)));
      }
    }
    return options;
  }

  private static String option(Setting<?> setting, Object value) {
    return "--" + setting.name() + "=" + Setting.typed(value);
  }

  /** The options of the run's own scheme. */
  private List<String> scheme() {
    List<String> options = given(List.of(SCHEME, BATCH_SIZE, CODEC, DOWNLINK_CODEC));
    options.addAll(knowsLinks() ? given(List.of(TOPOLOGY)) : List.of());
    options.addAll(given(List.copyOf(Schemes.ALL.options())));
    return options;
  }

  /** Times where all batches of some workers take the same. */
  private WorkerTimes with(IntStream workers, Batch each) {
    List<List<Batch>> changed = new ArrayList<>(times.workers());
    workers.forEach(i -> changed.set(i, Collections.nCopies(times.workers().get(i).size(), each)));
    return new WorkerTimes(changed);
  }

  /** Of real hosts, the rate of links is not known. */
  private boolean knowsLinks() {
    return run.get(ENGINE).equals(SIM);
  }

  private Speed predict(List<String> scheme, WorkerTimes speeds) throws IOException {
    Path folder = SharedPlace.fresh("amb-whatif-");
    Path file = folder.resolve("times.csv");
    try {
      WorkerTimesFile.write(speeds, file);
      List<String> options = new ArrayList<>(links);
      options.addAll(scheme);
      options.addAll(
          List.of(
              option(ENGINE, SIM),
              option(GRADIENTS, NONE),
              option(DATA_SET, "mnist"),
              option(UPDATE_RULE, "sgd"),
              option(SEED, run.get(SEED)),
              option(WORKERS, speeds.workers().size()),
              option(WORKER_TIMES, file),
              option(BUDGET, "examples=" + examples)));
      return Speed.of(new EmbeddedRun(options, RunInput.NONE, SILENT).run().steps());
    } finally {
      Disk.REAL.delete(folder);
    }
  }

  /** How many times the run took of what it would have taken without slow batches. */
  double slowdown() {
    return ideal.examplesPerSecond / predicted.examplesPerSecond;
  }

  /** The workers, the greatest share first. */
  List<Slow> slow() throws IOException {
    List<Integer> slowest = new ArrayList<>();
    IntStream.range(0, times.workers().size()).forEach(slowest::add);
    slowest.sort(
        Comparator.comparingDouble(i -> -mean(i, b -> b.sleep() + batch * b.perExample())));
    List<Slow> found = new ArrayList<>();
    double lost = 1 / predicted.examplesPerSecond - 1 / ideal.examplesPerSecond;
    for (int i : slowest.subList(0, Math.min(MAX_SHARES, slowest.size()))) {
      Speed without = predict(scheme(), with(IntStream.of(i), median));
      double saved = 1 / predicted.examplesPerSecond - 1 / without.examplesPerSecond;
      double share = lost > 0 ? Math.min(1, Math.max(0, saved / lost)) : 0;
      found.add(new Slow(i + 1, share, isAlwaysSlow(i), isDelayed(i), without));
    }
    found.sort(Comparator.comparingDouble(slow -> -slow.share));
    return found;
  }

  private double mean(int worker, ToDoubleFunction<Batch> part) {
    return of(worker, part).average().orElseThrow();
  }

  private DoubleStream of(int worker, ToDoubleFunction<Batch> part) {
    return times.workers().get(worker).stream().mapToDouble(part);
  }

  /** Whether the median of its batches explains half of what it takes more than others. */
  private boolean isAlwaysSlow(int worker) {
    ToDoubleFunction<Batch> seconds = b -> b.sleep() + batch * b.perExample();
    double usual = seconds.applyAsDouble(median);
    double own = median(of(worker, seconds));
    return own - usual >= (mean(worker, seconds) - usual) / 2;
  }

  private boolean isDelayed(int worker) {
    double computing = batch * (mean(worker, Batch::perExample) - median.perExample());
    return mean(worker, Batch::sleep) - median.sleep() > computing;
  }

  /** The run without its slowest worker, and with other schemes; the fastest first. */
  List<Change> changes(int slowest) throws IOException {
    List<Change> changes = new ArrayList<>();
    int workers = times.workers().size();
    List<List<Batch>> others = new ArrayList<>(times.workers());
    others.remove(slowest - 1);
    if (workers > 1) {
      changes.add(change("without worker " + slowest, scheme(), new WorkerTimes(others)));
    }
    String own = run.get(SCHEME);
    boolean shares = run.has(CLUSTER) || !run.isDefault(BANDWIDTH);
    if (knowsLinks() && shares && run.get(TOPOLOGY).equals(Topology.STAR.toString())) {
      List<String> sliced = scheme();
      sliced.add(option(TOPOLOGY, Topology.SLICED));
      Change change = change("--topology sliced", sliced, times);
      changes.addAll(change.speed == null ? List.of() : List.of(change));
    }
    Map<String, List<String>> schemes = new HashMap<>();
    schemes.put("fmb", List.of());
    schemes.put("async", List.of());
    schemes.put("esync", List.of());
    schemes.put(
        "amb",
        List.of(
            option(BATCH_SIZE, 16 * batch), "--amb-time-limit=auto", "--amb-num-partitions=64"));
    for (int k : new int[] {workers - 1, workers / 2}) {
      if (k > 0 && k < workers) {
        String options = "k-sync --num-aggregate " + k;
        schemes.put(options, List.of("--num-aggregate=" + k));
      }
    }
    for (Map.Entry<String, List<String>> each : schemes.entrySet()) {
      String name = each.getKey().split(" ")[0];
      if (!name.equals(own)) {
        List<String> options = new ArrayList<>(List.of(option(SCHEME, name)));
        options.add(option(BATCH_SIZE, batch));
        options.addAll(each.getValue());
        changes.add(change(each.getKey(), options, times));
      }
    }
    changes.sort(Comparator.comparingDouble(c -> c.speed == null ? 0 : -c.speed.examplesPerSecond));
    return changes;
  }

  private Change change(String what, List<String> scheme, WorkerTimes speeds) throws IOException {
    try {
      return new Change(what, predict(scheme, speeds), null);
    } catch (UsageException e) {
      return new Change(what, null, e.getMessage());
    }
  }
}
