package io.github.amb.plots.panel;

import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;

/** A panel of histograms in shared bins; the values of a group's runs are pooled. */
abstract class Histogram implements Panel {
  private final String name;
  private final Quantity x;
  private final Quantity y;

  Histogram(String name, Quantity x, Quantity y) {
    this.name = name;
    this.x = x;
    this.y = y;
  }

  /** The run's values; those that are not finite are left out. */
  abstract DoubleStream values(Run run);

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final Quantity x() {
    return x;
  }

  @Override
  public final Quantity y() {
    return y;
  }

  @Override
  public final boolean isHistogram() {
    return true;
  }

  @Override
  public final boolean startsAtZero() {
    return true;
  }

  @Override
  public final List<Series> series(List<RunGroup> groups, View view) {
    List<double[]> samples = groups.stream().map(this::pooled).toList();
    if (samples.stream().allMatch(values -> values.length == 0)) {
      return List.of();
    }
    Bins bins = Bins.over(samples, x.isWhole());
    List<Series> series = new ArrayList<>();
    for (int i = 0; i < samples.size(); i++) {
      if (samples.get(i).length > 0) {
        series.add(new Series(i, bins.outline(samples.get(i))));
      }
    }
    return series;
  }

  private double[] pooled(RunGroup group) {
    return group.runs().stream().flatMapToDouble(this::values).filter(Double::isFinite).toArray();
  }
}
