package io.github.amb.plots.panel;

import io.github.amb.core.statistic.Band;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;

/** A panel of bars: for each category of the runs, one bar per group, side by side. */
public final class Bars extends Panel {
  private static final double ROOM = 0.8;

  /** Width of a bar, in widths of its place. */
  private static final double BAR = 0.85;

  private final Function<Run, SortedMap<Integer, Double>> values;
  private final Function<Integer, String> names;

  /**
   * @param values a run's value per category; empty if the run has none
   * @param names maps a category to its label on the axis
   */
  public Bars(
      String name,
      Quantity y,
      Function<Run, SortedMap<Integer, Double>> values,
      Function<Integer, String> names) {
    super(Axes.linear(name, Quantity.NOTHING, y, Mark.BARS, true));
    this.values = values;
    this.names = names;
  }

  /** A panel with one bar per group of runs; NaN for none. */
  public static Bars single(String name, Quantity y, Function<Run, Double> value) {
    return new Bars(
        name,
        y,
        run -> {
          double found = value.apply(run);
          return Double.isFinite(found) ? new TreeMap<>(Map.of(0, found)) : new TreeMap<>();
        },
        category -> "");
  }

  /**
   * The values of all runs, computed once.
   *
   * @param byGroup for each group the values of its runs, by category
   */
  private record Values(List<List<SortedMap<Integer, Double>>> byGroup) {
    List<Integer> categories() {
      Set<Integer> categories = new TreeSet<>();
      byGroup.forEach(runs -> runs.forEach(run -> categories.addAll(run.keySet())));
      return List.copyOf(categories);
    }

    /** Indices of the groups that have a value. */
    List<Integer> drawn() {
      return IntStream.range(0, byGroup.size())
          .filter(i -> byGroup.get(i).stream().anyMatch(run -> !run.isEmpty()))
          .boxed()
          .toList();
    }

    double[] sample(int group, int category) {
      return byGroup.get(group).stream()
          .map(run -> run.get(category))
          .filter(Objects::nonNull)
          .mapToDouble(Double::doubleValue)
          .toArray();
    }
  }

  private Values read(List<RunGroup> groups) {
    return new Values(
        groups.stream().map(group -> group.runs().stream().map(values).toList()).toList());
  }

  @Override
  public Content content(List<RunGroup> groups, View view) {
    Values found = read(groups);
    List<String> named = found.categories().stream().map(names).toList();
    return new Content(frame().withXNames(named), series(found));
  }

  @Override
  public List<Series> series(List<RunGroup> groups, View view) {
    return series(read(groups));
  }

  private static List<Series> series(Values found) {
    List<Integer> drawn = found.drawn();
    double width = ROOM / Math.max(1, drawn.size());
    List<Series> series = new ArrayList<>();
    for (int place = 0; place < drawn.size(); place++) {
      double left = -ROOM / 2 + (place + (1 - BAR) / 2) * width;
      series.add(new Series(drawn.get(place), bars(found, drawn.get(place), left, BAR * width)));
    }
    return series;
  }

  private static List<Point> bars(Values found, int group, double left, double width) {
    List<Integer> categories = found.categories();
    List<Point> bars = new ArrayList<>();
    for (int i = 0; i < categories.size(); i++) {
      double[] sample = found.sample(group, categories.get(i));
      if (sample.length > 0) {
        Band band = Band.of(sample);
        bars.add(new Point(i + left, band.mean(), band.low(), band.high(), width));
      }
    }
    return bars;
  }
}
