package io.github.amb.plots.panel;

import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.statistic.Band;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * ESync's five figures: accuracy on evenly and unevenly split data, data throughput, traffic and
 * computing time ratio. A run without a master and workers is the standalone baseline, drawn as a
 * horizontal line at its last accuracy.
 */
final class EsyncPanels {
  private static final double MINUTE = 60;
  private static final double MEGABYTE = 1e6;

  static final List<Panel> ALL =
      List.of(
          new AccuracyOfSplit("accuracy_iid", false),
          new AccuracyOfSplit("accuracy_non_iid", true),
          Bars.single(
              "data_throughput",
              Quantity.real("throughput (examples/s)"),
              run -> rate(run, StepRecord::totalSamples, 1)),
          Bars.single(
              "traffic_load",
              Quantity.real("traffic in and out (MB/s)"),
              run -> {
                double load = rate(run, TrafficPanels::bytes, MEGABYTE);
                return load == 0 ? Double.NaN : load;
              }),
          new Bars(
              "computing_time_ratio",
              Quantity.real("computing time ratio"),
              EsyncPanels::computingRatio,
              rank -> "worker " + rank));

  private EsyncPanels() {}

  private static double rate(Run run, ToDoubleFunction<StepRecord> total, double unit) {
    StepRecord last = run.lastStep();
    return last == null || run.isStandalone()
        ? Double.NaN
        : total.applyAsDouble(last) / last.time() / unit;
  }

  private static SortedMap<Integer, Double> computingRatio(Run run) {
    SortedMap<Integer, Double> ratios = new TreeMap<>();
    if (!run.isStandalone()) {
      run.times().forEach((rank, time) -> ratios.put(rank, time.computeShare()));
    }
    return ratios;
  }

  /**
   * Accuracy against minutes; the last accuracy of standalone runs is drawn along the whole axis,
   * the mean and band of several seeds.
   */
  private static final class AccuracyOfSplit extends Panel {
    private final Panel curve;

    AccuracyOfSplit(String name, boolean nonIid) {
      super(Axes.linear(name, Quantity.MINUTES, Quantity.ACCURACY, Mark.LINE, false));
      curve =
          Curve.measured(
              name,
              Quantity.MINUTES,
              Quantity.ACCURACY,
              run -> run.isNonIid() == nonIid && !run.isStandalone() ? minutes(run) : List.of());
    }

    private static List<Point> minutes(Run run) {
      return run.evaluations().stream()
          .map(record -> new Point(record.time() / MINUTE, record.accuracy()))
          .toList();
    }

    @Override
    public List<Series> series(List<RunGroup> groups, View view) {
      List<Series> series = new ArrayList<>(curve.series(groups, view));
      double end =
          series.stream()
              .flatMap(line -> line.points().stream())
              .mapToDouble(Point::x)
              .max()
              .orElse(Double.NaN);
      for (int i = 0; i < groups.size() && end > 0; i++) {
        double[] last = groups.get(i).pooled(AccuracyOfSplit::lastAlone);
        if (last.length > 0) {
          Band band = Band.of(last);
          series.add(new Series(i, List.of(point(0, band), point(end, band))));
        }
      }
      return series;
    }

    private static DoubleStream lastAlone(Run run) {
      List<EvaluationRecord> tests = run.evaluations();
      return run.isStandalone() && !tests.isEmpty()
          ? DoubleStream.of(tests.get(tests.size() - 1).accuracy())
          : DoubleStream.empty();
    }

    private static Point point(double x, Band band) {
      return new Point(x, band.mean(), band.low(), band.high());
    }
  }
}
