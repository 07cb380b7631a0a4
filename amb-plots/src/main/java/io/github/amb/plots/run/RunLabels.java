package io.github.amb.plots.run;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiFunction;

/**
 * Short names for runs that stand side by side: scheme, update rule and batch size, and then each
 * setting that differs between the runs that have it.
 */
public final class RunLabels {
  private static final List<String> BASE = List.of("scheme", "update-rule", "batch-size");

  /** Settings that say where and how a run is recorded, not what is run. */
  private static final Set<String> NOT_THE_EXPERIMENT =
      Set.of(
          "seed",
          "runs-dir",
          "run-directory",
          "data-dir",
          "evaluate",
          "evaluate-every",
          "log-freq",
          "start-limit",
          "master-heap",
          "worker-heap");

  private static final int MAX_LENGTH = 80;

  private RunLabels() {}

  /** One label per run, all different if the runs are in different directories. */
  public static List<String> of(List<Run> runs) {
    Set<String> differing = differing(runs);
    List<String> labels = runs.stream().map(run -> label(run, differing)).toList();
    labels = distinguish(labels, runs, RunLabels::settingsNotShared);
    labels = distinguish(labels, runs, (run, same) -> "seed " + run.info().seed());
    labels = distinguish(labels, runs, (run, same) -> run.id());
    return distinguish(labels, runs, (run, same) -> run.directory().path().toString());
  }

  /** The settings that make a run what it is, seed excluded; keys with dashes, no null values. */
  static Map<String, Object> experiment(Run run) {
    Map<String, Object> settings = new TreeMap<>();
    run.info()
        .configuration()
        .forEach(
            (key, value) -> {
              String name = key.replace('_', '-');
              if (value != null && !NOT_THE_EXPERIMENT.contains(name)) {
                settings.put(name, value);
              }
            });
    return settings;
  }

  private static Set<String> differing(List<Run> runs) {
    Map<String, Set<Object>> values = new HashMap<>();
    for (Run run : runs) {
      experiment(run).forEach((k, v) -> values.computeIfAbsent(k, key -> new HashSet<>()).add(v));
    }
    Set<String> differing = new TreeSet<>();
    values.forEach(
        (key, found) -> {
          if (found.size() > 1 && !BASE.contains(key)) {
            differing.add(key);
          }
        });
    return differing;
  }

  private static String label(Run run, Set<String> differing) {
    Map<String, Object> experiment = experiment(run);
    List<String> base = new ArrayList<>();
    for (String key : BASE) {
      if (experiment.containsKey(key)) {
        base.add(experiment.get(key).toString());
      }
    }
    String start = base.isEmpty() ? run.id() : String.join(" ", base);
    return abbreviate(join(start, settings(experiment, differing)));
  }

  private static String settingsNotShared(Run run, List<Run> same) {
    Set<String> keys = new TreeSet<>();
    same.forEach(other -> keys.addAll(experiment(other).keySet()));
    keys.removeIf(key -> same.stream().allMatch(other -> experiment(other).containsKey(key)));
    return settings(experiment(run), keys);
  }

  private static String settings(Map<String, Object> experiment, Set<String> keys) {
    return String.join(
        ", ",
        keys.stream()
            .filter(experiment::containsKey)
            .map(key -> key + " " + experiment.get(key))
            .toList());
  }

  private static String join(String label, String detail) {
    return detail.isEmpty() ? label : label + ", " + abbreviate(detail);
  }

  private static String abbreviate(String text) {
    return text.length() > MAX_LENGTH ? text.substring(0, MAX_LENGTH - 1) + "…" : text;
  }

  /** Appends a detail, found from the runs of the same label, to each label that is not unique. */
  private static List<String> distinguish(
      List<String> labels, List<Run> runs, BiFunction<Run, List<Run>, String> detail) {
    Map<String, List<Run>> byLabel = new HashMap<>();
    for (int i = 0; i < runs.size(); i++) {
      byLabel.computeIfAbsent(labels.get(i), key -> new ArrayList<>()).add(runs.get(i));
    }
    List<String> result = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      List<Run> same = byLabel.get(labels.get(i));
      boolean helps = same.stream().map(run -> detail.apply(run, same)).distinct().count() > 1;
      String own = detail.apply(runs.get(i), same);
      result.add(helps ? join(labels.get(i), own) : labels.get(i));
    }
    return result;
  }
}
