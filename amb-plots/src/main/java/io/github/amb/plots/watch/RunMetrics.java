package io.github.amb.plots.watch;

import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.SlowRecord;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.plots.run.WorkerTime;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A run's numbers for Prometheus, from its records. Times of a virtual cluster are virtual. */
final class RunMetrics {
  /** Upper bounds in seconds, from a small network on one machine to a large one on slow links. */
  private static final double[] STEP_SECONDS = {
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100
  };

  private static final Comparator<EvaluationRecord> NEWEST =
      Comparator.comparingLong(EvaluationRecord::step).thenComparingInt(EvaluationRecord::testSize);

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final Counter steps = counter("amb_steps_total", "Updates of the parameters.");
  private final Counter examples = counter("amb_examples_total", "Examples in all updates.");
  private final Gauge loss = gauge("amb_loss", "Mean training loss of the newest update.");
  private final Gauge accuracy = gauge("amb_test_accuracy", "Newest test accuracy, 0 to 1.");
  private final Gauge testLoss = gauge("amb_test_loss", "Newest mean loss per test example.");
  private final Gauge metric =
      gauge("amb_test_metric", "Newest further number of the model, by its name.", "metric");
  private final Histogram stepSeconds =
      Histogram.builder()
          .name("amb_step_seconds")
          .help("Seconds from one update to the next.")
          .classicOnly()
          .classicUpperBounds(STEP_SECONDS)
          .register(registry);
  private final Gauge logged =
      gauge("amb_update_metric", "Newest further number of an update, by its name.", "metric");
  private final Counter idleSeconds =
      counter("amb_worker_idle_seconds_total", "Seconds of waiting for parameters.", "rank");
  private final Counter workerExamples =
      counter("amb_worker_examples_total", "Examples in a worker's results.", "rank");
  private final Counter computeSeconds =
      counter("amb_worker_compute_seconds_total", "Seconds of computing, delays excluded.", "rank");
  private final Counter bytesSent =
      counter("amb_bytes_sent_total", "Bytes that the master has sent, headers included.");
  private final Gauge workers = gauge("amb_workers", "Workers that are members of the run.");
  private final Counter checkpoints =
      counter("amb_checkpoints_total", "Checkpoints that were there at a scrape.");
  private final Counter lost =
      counter("amb_workers_lost_total", "Workers that were members of the run and no more.");
  private final Counter joined =
      counter("amb_workers_joined_total", "Workers that became members after the start.");
  private final Gauge lastStep =
      gauge("amb_last_step_timestamp_seconds", "Time of the newest record, since 1970.");
  private final Gauge diskFree =
      gauge("amb_disk_free_bytes", "Space that is left where the run is written.");
  private final Gauge slowShare =
      gauge(
          "amb_slow_share",
          "Share of a part that has become slow in all that takes longer than before.",
          "rank",
          "part");
  private final Gauge generation = gauge("amb_generation", "Number of the generation, from 1.");

  private Set<Integer> members;
  private EvaluationRecord newest;
  private double lastTime;
  private long lastBytes;
  private long lastCheckpoint;

  /**
   * @param workers number of workers at the start
   * @param run name of the run
   * @param host the master's
   */
  RunMetrics(int workers, String run, String host) {
    this.workers.set(workers);
    members = IntStream.rangeClosed(1, workers).boxed().collect(Collectors.toSet());
    gauge("amb_run_info", "1 for each run.", "run", "host").labelValues(run, host).set(1);
    generation.set(1);
    slowShare.labelValues("0", SlowRecord.UPDATE).set(0);
    loss.set(Double.NaN);
    accuracy.set(Double.NaN);
    testLoss.set(Double.NaN);
  }

  private Counter counter(String name, String help, String... labels) {
    return Counter.builder().name(name).help(help).labelNames(labels).register(registry);
  }

  private Gauge gauge(String name, String help, String... labels) {
    return Gauge.builder().name(name).help(help).labelNames(labels).register(registry);
  }

  void add(LogRecord record) {
    if (record instanceof StepRecord step) {
      add(step);
    } else if (record instanceof EvaluationRecord test) {
      newest = newest == null || NEWEST.compare(newest, test) < 0 ? test : newest;
      accuracy.set(newest.accuracy());
      testLoss.set(newest.testLoss());
      newest.metrics().forEach((name, value) -> metric.labelValues(name).set(value));
    } else if (record instanceof WorkerRecord result) {
      String rank = Integer.toString(result.rank());
      WorkerTime time = WorkerTime.of(result);
      idleSeconds.labelValues(rank).inc(time.idle());
      workerExamples.labelValues(rank).inc(result.numSamples());
      computeSeconds.labelValues(rank).inc(Math.max(0, time.computing()));
    } else if (record instanceof MembershipRecord change) {
      workers.set(change.workers().size());
      generation.set(change.generation());
      Set<Integer> now = Set.copyOf(change.workers());
      lost.inc(members.stream().filter(rank -> !now.contains(rank)).count());
      joined.inc(now.stream().filter(rank -> !members.contains(rank)).count());
      members = now;
    } else if (record instanceof SlowRecord slow) {
      slowShare.labelValues(Integer.toString(slow.rank()), slow.part()).set(slow.share());
    }
  }

  private void add(StepRecord step) {
    steps.inc();
    examples.inc(step.numSamples());
    loss.set(step.loss());
    step.metrics().forEach((name, value) -> logged.labelValues(name).set(value));
    stepSeconds.observe(Math.max(0, step.time() - lastTime));
    lastTime = step.time();
    bytesSent.inc(Math.max(0, step.bytesSent() - lastBytes)); // Version 0.2.0 began again at 0.
    lastBytes = step.bytesSent();
  }

  /**
   * Counts the checkpoints that are new.
   *
   * @param saved steps of the checkpoints that are there, ascending
   */
  void addCheckpoints(List<Long> saved) {
    for (long step : saved) {
      if (step > lastCheckpoint) {
        checkpoints.inc();
        lastCheckpoint = step;
      }
    }
  }

  /** Sets what a scrape finds at the run's files. */
  void at(double lastWritten, double bytesLeft) {
    lastStep.set(lastWritten);
    diskFree.set(bytesLeft);
  }

  /** All numbers in Prometheus' text format, version 0.0.4. */
  byte[] text() throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.create().write(text, registry.scrape());
    return text.toByteArray();
  }
}
