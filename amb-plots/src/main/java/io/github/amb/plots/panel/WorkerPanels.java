package io.github.amb.plots.panel;

import static io.github.amb.plots.panel.Quantity.SHARE_OF_GRADIENTS;
import static io.github.amb.plots.panel.Quantity.real;
import static io.github.amb.plots.panel.Quantity.whole;

import io.github.amb.core.record.WorkerRecord;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.summary.Goodput;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Panels of the workers' records: examples, times and staleness of each gradient. */
final class WorkerPanels {
  static final List<Panel> HISTOGRAMS =
      List.of(
          histogram("hist_compute_time", Quantity.COMPUTE_TIME, WorkerRecord::computeTime),
          histogram("hist_batch_size", Quantity.BATCH_SIZE, WorkerRecord::numSamples),
          histogram(
              "hist_exit", real("from parameters to computation (s)"), measured(r -> r.lastExit())),
          histogram("hist_send", real("sending of a gradient (s)"), measured(r -> r.lastSend())),
          histogram("hist_recv", real("wait for parameters (s)"), measured(r -> r.lastRecv())),
          new Histogram(
              "hist_queued_count",
              whole("updates since the worker's last parameters"),
              SHARE_OF_GRADIENTS,
              WorkerPanels::queuedUpdates),
          histogram("hist_staleness", whole("staleness"), r -> r.staleness()));

  static final List<Panel> DENSITIES =
      List.of(DelayDensity.ofComputation(), DelayDensity.ofCommunication());

  /** Where the workers' time went. */
  static final Panel GOODPUT =
      new Bars("goodput", real("workers' time (%)"), WorkerPanels::shares, Goodput.NAMES::get);

  private WorkerPanels() {}

  private static SortedMap<Integer, Double> shares(Run run) {
    SortedMap<Integer, Double> shares = new TreeMap<>();
    List<Double> percent = Goodput.of(run).percent();
    for (int i = 0; i < percent.size() && Double.isFinite(percent.get(i)); i++) {
      shares.put(i, percent.get(i));
    }
    return shares;
  }

  private static Histogram histogram(
      String name, Quantity x, ToDoubleFunction<WorkerRecord> value) {
    Function<Run, DoubleStream> values = run -> run.workers().stream().mapToDouble(value);
    return new Histogram(name, x, SHARE_OF_GRADIENTS, values);
  }

  /** Replaces −1, for the times of the step before in a worker's first record, by NaN. */
  private static ToDoubleFunction<WorkerRecord> measured(ToDoubleFunction<WorkerRecord> time) {
    return record -> {
      double seconds = time.applyAsDouble(record);
      return seconds < 0 ? Double.NaN : seconds;
    };
  }

  /** By how many updates the parameters of a gradient are newer than those of the previous one. */
  private static DoubleStream queuedUpdates(Run run) {
    return run.workersByRank().values().stream()
        .flatMapToDouble(
            records ->
                IntStream.range(1, records.size())
                    .filter(i -> !run.isThinned() || i % 2 == 1)
                    .mapToDouble(i -> parameters(records.get(i)) - parameters(records.get(i - 1))));
  }

  private static long parameters(WorkerRecord record) {
    return record.masterStep() - record.staleness();
  }
}
