package io.github.amb.plots.panel;

import io.github.amb.core.option.Suggestion;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.plugin.Plugin;
import io.github.amb.core.plugin.Registry;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.StepRecord;
import io.github.amb.plots.run.Run;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** All panels, and the figures that are made of several. A new panel is one line in its list. */
public final class Panels implements Plugin<Panel> {
  /** The default figure. */
  public static final String MAIN = "panel_main";

  private static final Pattern METRIC = Pattern.compile("([a-z0-9_]+)_vs_(step|time)");

  private static final Registry<Panel> ALL = new Registry<>("panel", Panel.class);

  @Override
  public List<Panel> entries() {
    return Stream.of(
            MasterPanels.CURVES,
            List.of(MasterPanels.RANGE, WorkerPanels.GOODPUT),
            WorkerPanels.HISTOGRAMS,
            MasterPanels.HISTOGRAMS,
            WorkerPanels.DENSITIES,
            TrafficPanels.AGAINST_EXAMPLES,
            TrafficPanels.ALL,
            EsyncPanels.ALL)
        .flatMap(Collection::stream)
        .toList();
  }

  private static List<Panel> nine() {
    return Stream.of(
            "loss_vs_step",
            "loss_vs_time",
            "hist_compute_time",
            "accuracy_vs_step",
            "accuracy_vs_time",
            "hist_batch_size",
            "cumsum_vs_step",
            "step_vs_time",
            "learning_rate_vs_step")
        .map(Panels::named)
        .toList();
  }

  private static Map<String, List<Panel>> figures() {
    Map<String, List<Panel>> figures = new LinkedHashMap<>();
    List<Panel> histograms = new ArrayList<>(WorkerPanels.HISTOGRAMS);
    histograms.addAll(MasterPanels.HISTOGRAMS);
    histograms.addAll(WorkerPanels.DENSITIES);
    List<Panel> all = new ArrayList<>(ALL.all());
    all.removeAll(EsyncPanels.ALL);
    all.remove(MasterPanels.RANGE);
    figures.put(MAIN, nine());
    figures.put("panel_hist", histograms);
    figures.put("panel_all", all);
    figures.put(
        "loss", ALL.all().stream().filter(panel -> panel.name().contains("loss_vs_")).toList());
    figures.put("esync", EsyncPanels.ALL);
    figures.put("codecs", TrafficPanels.ALL);
    return figures;
  }

  /**
   * The panels of a figure type for these runs. Where no run has an accuracy, the main figure shows
   * test losses and their metrics in its place; {@code panel_all} shows all metrics.
   *
   * @throws UsageException if there is no such type
   */
  public static List<Panel> ofType(String type, List<Run> runs) {
    List<Panel> panels = new ArrayList<>(ofType(type));
    List<EvaluationRecord> tests = runs.stream().flatMap(r -> r.evaluations().stream()).toList();
    boolean noAccuracy =
        !tests.isEmpty() && tests.stream().allMatch(test -> Double.isNaN(test.accuracy()));
    List<Panel> metrics = metrics(tests.stream().map(EvaluationRecord::metrics));
    if (type.equals(MAIN) && noAccuracy) {
      panels.replaceAll(
          panel ->
              panel.frame().y().equals(Quantity.ACCURACY)
                  ? named(panel.name().replace("accuracy", "test_loss"))
                  : panel);
      panels.addAll(metrics);
    } else if (type.equals("panel_all")) {
      panels.addAll(metrics);
      panels.addAll(
          metrics(runs.stream().flatMap(r -> r.steps().stream()).map(StepRecord::metrics)));
    }
    return panels;
  }

  private static List<Panel> metrics(Stream<Map<String, Double>> records) {
    return records
        .flatMap(metrics -> metrics.keySet().stream())
        .distinct()
        .flatMap(name -> MasterPanels.metric(name).stream())
        .toList();
  }

  /** The names of all panels. */
  public static List<String> names() {
    return ALL.names();
  }

  /** Names of the figures with several panels. */
  public static List<String> figureNames() {
    return List.copyOf(figures().keySet());
  }

  /** The values that {@link #ofType} accepts: figures with several panels, and names of panels. */
  public static List<String> types() {
    List<String> types = new ArrayList<>(figureNames());
    types.addAll(names());
    return types;
  }

  /**
   * The panels of a figure type.
   *
   * @throws UsageException if there is no such type
   */
  public static List<Panel> ofType(String type) {
    List<Panel> figure = figures().get(type);
    return figure == null ? List.of(named("--type", type, types())) : figure;
  }

  /**
   * Returns the panel with a name, or that of a metric.
   *
   * @param name of a panel, or {@code NAME_vs_step} or {@code NAME_vs_time} with a metric's name
   * @throws UsageException if there is none
   */
  public static Panel named(String name) {
    return named("--subset", name, names());
  }

  private static Panel named(String option, String name, List<String> known) {
    Matcher metric = METRIC.matcher(name);
    return ALL.find(name).isEmpty() && metric.matches() && !isMistyped(metric.group(1))
        ? MasterPanels.metric(metric.group(1)).get(metric.group(2).equals("step") ? 0 : 1)
        : find(option, name, known);
  }

  /** Whether a name is like that of a quantity which all runs have. */
  private static boolean isMistyped(String quantity) {
    List<String> known = names().stream().map(each -> each.replaceFirst("_vs_.*", "")).toList();
    return Suggestion.forName(quantity, known).startsWith(",");
  }

  private static Panel find(String option, String name, List<String> known) {
    return ALL.find(name)
        .orElseThrow(
            () ->
                new UsageException(
                    "%s: unknown panel '%s'%s", option, name, Suggestion.forName(name, known)));
  }
}
