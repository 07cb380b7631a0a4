package io.github.amb.runtime.experiment;

import static io.github.amb.runtime.config.TrainSettings.SCHEME;

import io.github.amb.core.statistic.Band;
import io.github.amb.plots.panel.Axes;
import io.github.amb.plots.panel.Content;
import io.github.amb.plots.panel.Drawing;
import io.github.amb.plots.panel.Mark;
import io.github.amb.plots.panel.Point;
import io.github.amb.plots.panel.Quantity;
import io.github.amb.plots.panel.Scale;
import io.github.amb.plots.panel.Series;
import io.github.amb.runtime.experiment.ExperimentSearch.Tried;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * Figures of what is made of the runs.
 *
 * @param panels the points of each panel, by label
 * @param schemes what tells the color of each label
 */
record ExperimentFigures(Map<Axes, Map<String, List<Point>>> panels, Map<String, String> schemes) {
  private static final List<ExperimentVariant> NONE = List.of();
  private static final String BEST = " (best so far)";
  private static final Comparator<Tried> BY_NUMBER =
      Comparator.comparingInt(one -> one.trial().number());

  private ExperimentFigures() {
    this(new LinkedHashMap<>(), new LinkedHashMap<>());
  }

  /**
   * The figures by name: the intervals of comparisons; the measure along the axes that best points
   * are chosen from; the trials of a search. Without those that show nothing.
   */
  static Map<String, Drawing> of(
      Experiment experiment, ExperimentResults results, List<Tried> trials) {
    Map<String, Drawing> figures = new LinkedHashMap<>();
    figures.put("forest", forest(experiment.comparisons(), results));
    figures.put("sensitivity", sensitivity(experiment, results));
    figures.put("search", search(experiment.search(), trials));
    figures.values().removeIf(drawing -> drawing.contents().isEmpty());
    return figures;
  }

  /** A line for each interval, and one where there is no difference. */
  private static Drawing forest(List<PairedComparison> comparisons, ExperimentResults results) {
    List<Content> contents = new ArrayList<>();
    for (PairedComparison one : comparisons) {
      List<Series> series = new ArrayList<>();
      List<ExperimentResults.Row> rows =
          results.rows(one).stream().filter(row -> row.estimate().seeds() > 1).toList();
      for (int y = 0; y < rows.size(); y++) {
        Band band = rows.get(y).estimate().band();
        series.add(new Series(0, List.of(new Point(band.low(), y), new Point(band.high(), y))));
        series.add(new Series(0, List.of(new Point(band.mean(), y))));
      }
      double none = one.kind() == PairedComparison.Kind.DIFFERENCE ? 0 : 1;
      Point end = new Point(none, rows.size() - 0.5);
      series.add(new Series(1, List.of(new Point(none, -0.5), end)));
      String x = "%s of %s over %s".formatted(one.kind(), one.measure().name(), one.baseline());
      Axes axes = Axes.linear(one.name(), Quantity.real(x), Quantity.NOTHING, Mark.LINE, false);
      if (!rows.isEmpty()) {
        List<String> names = rows.stream().map(ExperimentResults.Row::name).toList();
        contents.add(fitted(axes.withYNames(names), series));
      }
    }
    return new Drawing(contents, List.of("mean and 95 % interval", "no difference"), "", List.of());
  }

  private static Drawing sensitivity(Experiment experiment, ExperimentResults results) {
    ExperimentFigures figure = new ExperimentFigures();
    for (PairedComparison one : experiment.comparisons()) {
      Axes panel = axes(Quantity.real(one.best()), one.measure(), Mark.DOTS);
      boolean isKnown = figure.panels.containsKey(panel);
      for (ExperimentVariant variant : isKnown ? NONE : experiment.variants()) {
        double x = ExperimentResults.numeric(variant.points().get(one.best()));
        Band band = results.estimate(one.measure(), variant).band();
        Point point = new Point(x, band.mean(), band.low(), band.high());
        figure.add(panel, variant.nameWithout(one.best()), variant, point);
      }
    }
    return figure.drawing("Means over seeds with their 95 % intervals.");
  }

  /** A dot for each trial by its number and by each parameter, and the best so far. */
  private static Drawing search(ExperimentSearch.Plan plan, List<Tried> trials) {
    ExperimentFigures figure = new ExperimentFigures();
    Map<ExperimentVariant, Double> best = new HashMap<>();
    int last = trials.stream().mapToInt(one -> one.trial().rung()).max().orElse(0);
    for (Tried one : trials.stream().sorted(BY_NUMBER).toList()) {
      Axes panel = axes(Quantity.whole("trial"), plan.of(), Mark.LINE);
      String name = one.of().name().isEmpty() ? "trials" : one.of().name();
      int number = one.trial().number();
      double y = plan.turned(one.trial().loss());
      figure.add(panel, name, one.of(), new Point(number, y));
      for (Parameter each : plan.search().space()) {
        Axes other = axes(Quantity.real(each.name()), plan.of(), Mark.LINE);
        double x = each.number(one.trial().values().get(each.name()));
        figure.add(other.withXNames(each.choices()), name, one.of(), new Point(x, y));
      }
      if (one.trial().rung() == last && !Double.isNaN(y)) {
        double least = plan.turned(best.merge(one.of(), one.trial().loss(), Math::min));
        figure.add(panel, name + BEST, one.of(), new Point(number, least));
      }
    }
    return figure.drawing("");
  }

  private void add(Axes panel, String label, ExperimentVariant of, Point point) {
    if (Double.isFinite(point.x() + point.y())) {
      schemes.putIfAbsent(label, String.valueOf(of.settings().get(SCHEME)));
      Map<String, List<Point>> lines = panels.computeIfAbsent(panel, any -> new LinkedHashMap<>());
      lines.computeIfAbsent(label, any -> new ArrayList<>()).add(point);
    }
  }

  private Drawing drawing(String caption) {
    List<String> labels = List.copyOf(schemes.keySet());
    List<Content> contents = new ArrayList<>();
    panels.forEach(
        (panel, lines) -> {
          List<Series> series = new ArrayList<>();
          lines.forEach(
              (label, points) -> {
                int group = labels.indexOf(label);
                points.sort(Comparator.comparingDouble(Point::x));
                if (panel.mark() == Mark.DOTS || label.endsWith(BEST)) {
                  series.add(new Series(group, points));
                } else {
                  points.forEach(point -> series.add(new Series(group, List.of(point))));
                }
              });
          contents.add(fitted(panel, series));
        });
    return new Drawing(contents, labels, caption, List.of())
        .ofSchemes(List.copyOf(schemes.values()));
  }

  private static Axes axes(Quantity x, RunMeasure measure, Mark mark) {
    String unit = measure.of().unit();
    Quantity y = Quantity.real(measure.name() + (unit.isEmpty() ? "" : " (" + unit + ")"));
    return Axes.linear(x.label(), x, y, mark, false);
  }

  /** With logarithmic axes where values other than counts are a decade or more apart. */
  private static Content fitted(Axes axes, List<Series> series) {
    Content content = new Content(axes, series);
    Scale x = axes.x().isWhole() ? Scale.LINEAR : scale(content.points().mapToDouble(Point::x));
    return new Content(axes.scaled(x, scale(content.points().mapToDouble(Point::y))), series);
  }

  private static Scale scale(DoubleStream values) {
    var all = values.summaryStatistics();
    return all.getMin() > 0 && all.getMax() >= 10 * all.getMin() ? Scale.LOG10 : Scale.LINEAR;
  }
}
