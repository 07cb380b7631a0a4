package io.github.amb.plots.panel;

import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.DoubleStream;

/** A panel of histograms in shared bins; the values of a group's runs are pooled. */
public final class Histogram extends Panel {
  private final Function<Run, DoubleStream> values;

  /**
   * @param values a run's; those that are not finite are ignored
   */
  public Histogram(String name, Quantity x, Quantity share, Function<Run, DoubleStream> values) {
    super(Axes.linear(name, x, share, Mark.OUTLINE, true));
    this.values = values;
  }

  @Override
  public List<Series> series(List<RunGroup> groups, View view) {
    List<double[]> samples = groups.stream().map(group -> group.pooled(values)).toList();
    if (samples.stream().allMatch(sample -> sample.length == 0)) {
      return List.of();
    }
    Bins bins = Bins.over(samples, frame().x().isWhole(), view.binWidth());
    List<Series> series = new ArrayList<>();
    for (int i = 0; i < samples.size(); i++) {
      if (samples.get(i).length > 0) {
        series.add(new Series(i, bins.outline(samples.get(i))));
      }
    }
    return series;
  }

  @Override
  public OptionalDouble constant(List<RunGroup> groups) {
    return only(groups.stream().flatMap(group -> group.runs().stream()).flatMapToDouble(values));
  }
}
