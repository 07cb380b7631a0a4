package io.github.amb.plots.run;

import io.github.amb.core.record.RunInfo;
import io.github.amb.plots.PlainText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Short labels for runs that are shown together. A label has the scheme, update rule and batch
 * size, whether one process trained alone, and the settings that differ between the runs. If many
 * settings differ, it has those that differ between runs of the same scheme, update rule and batch
 * size.
 */
public final class RunLabels {
  private static final List<String> BASE = List.of("scheme", "update-rule", "batch-size");

  /** Settings of how a run is tested and recorded, which do not affect the result. */
  private static final Set<String> NOT_THE_EXPERIMENT =
      Stream.concat(
              RunInfo.OPTIONS_WITHOUT_EFFECT.stream(),
              Stream.of(
                  "seed",
                  "evaluate",
                  "evaluate-every",
                  "evaluator",
                  "devices",
                  "resume",
                  "resume-from"))
          .collect(Collectors.toUnmodifiableSet());

  /** Prices of virtual time. If they were measured before the run, they differ in all runs. */
  private static final Set<String> MEASURED_COSTS =
      Set.of(
          "cost-per-example",
          "cost-per-partition",
          "cost-per-test-example",
          "cost-per-encoded-entry",
          "cost-per-decoded-entry");

  /** Settings of when and how a run is tested, which move the times at which it is seen. */
  private static final Set<String> TESTS =
      Set.of("evaluate", "evaluate-every", "evaluator", "test-size", "cost-per-test-example");

  private static final int MAX_LENGTH = 80;

  /**
   * Length in characters from which on a label has only the settings that distinguish runs of one
   * base.
   */
  private static final int LONG = 44;

  private RunLabels() {}

  /**
   * One label per run, in one line of plain text. The labels of runs in different directories
   * differ.
   */
  public static List<String> of(List<Run> runs) {
    Set<String> differing = differing(runs);
    List<String> labels = runs.stream().map(run -> label(run, differing)).toList();
    if (labels.stream().anyMatch(label -> label.length() > LONG)) {
      Map<String, Set<String>> differingAlike = new HashMap<>();
      runs.stream()
          .collect(Collectors.groupingBy(RunLabels::base))
          .forEach((base, alike) -> differingAlike.put(base, differing(alike)));
      labels = runs.stream().map(run -> label(run, differingAlike.get(base(run)))).toList();
    }
    labels = distinguish(labels, runs, RunLabels::settingsNotShared);
    labels = distinguish(labels, runs, each(run -> "seed " + run.info().seed()));
    labels = distinguish(labels, runs, each(Run::id));
    return distinguish(labels, runs, each(run -> run.directory().path().toString()));
  }

  /** Whether two runs have the same settings, but for when and how they are tested. */
  public static boolean differInTestsAlone(Run one, Run other) {
    Map<String, Object> first = experiment(one);
    Map<String, Object> second = experiment(other);
    first.keySet().removeAll(TESTS);
    second.keySet().removeAll(TESTS);
    return first.equals(second)
        && TESTS.stream()
            .anyMatch(
                test -> !one.info().configured(test, "").equals(other.info().configured(test, "")));
  }

  private static Function<List<Run>, List<String>> each(Function<Run, String> detail) {
    return runs -> runs.stream().map(detail).toList();
  }

  /** The settings that determine a run, except the seed; keys have dashes, values are not null. */
  static Map<String, Object> experiment(Run run) {
    Map<String, Object> settings = new TreeMap<>();
    boolean measured = run.info().configured("cost", "").equals("measured");
    run.info()
        .configuration()
        .forEach(
            (key, value) -> {
              String name = key.replace('_', '-');
              boolean found = measured && MEASURED_COSTS.contains(name);
              if (value != null && !found && !NOT_THE_EXPERIMENT.contains(name)) {
                settings.put(name, value);
              }
            });
    return settings;
  }

  /**
   * {@link #experiment} of each run, without settings that a run of the same scheme does not know,
   * as an older build recorded it, and on which the others agree.
   */
  static List<Map<String, Object>> experiments(List<Run> runs) {
    Map<String, Set<String>> newer =
        runs.stream()
            .collect(
                Collectors.groupingBy(
                    run -> run.info().configured("scheme", ""),
                    Collectors.collectingAndThen(Collectors.toList(), RunLabels::newer)));
    return runs.stream()
        .map(
            run -> {
              Map<String, Object> settings = experiment(run);
              settings.keySet().removeAll(newer.get(run.info().configured("scheme", "")));
              return settings;
            })
        .toList();
  }

  private static Set<String> newer(List<Run> alike) {
    Map<String, List<Object>> values = new HashMap<>(); // of the runs that know the setting
    for (Run run : alike) {
      Map<String, Object> settings = experiment(run);
      for (String key : run.info().configuration().keySet()) {
        String name = key.replace('_', '-');
        values.computeIfAbsent(name, known -> new ArrayList<>()).add(settings.get(name));
      }
    }
    values
        .values()
        .removeIf(known -> known.size() == alike.size() || new HashSet<>(known).size() > 1);
    return values.keySet();
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
    return abbreviate(join(base(run), settings(experiment(run), differing)));
  }

  private static String base(Run run) {
    Map<String, Object> experiment = experiment(run);
    List<String> base = new ArrayList<>();
    for (String key : BASE) {
      if (experiment.containsKey(key)) {
        base.add(experiment.get(key).toString());
      }
    }
    if (run.isStandalone() && !base.isEmpty()) {
      base.add("standalone");
    }
    return base.isEmpty() ? run.id() : String.join(" ", base);
  }

  private static List<String> settingsNotShared(List<Run> same) {
    List<Map<String, Object>> experiments = same.stream().map(RunLabels::experiment).toList();
    Set<String> keys = new TreeSet<>();
    experiments.forEach(experiment -> keys.addAll(experiment.keySet()));
    keys.removeIf(key -> experiments.stream().allMatch(other -> other.containsKey(key)));
    return experiments.stream().map(experiment -> settings(experiment, keys)).toList();
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
    return PlainText.shortened(PlainText.inOneLine(text), MAX_LENGTH);
  }

  /**
   * Appends a detail to each label that is not unique.
   *
   * @param details maps runs with the same label to their details, in the same order
   */
  private static List<String> distinguish(
      List<String> labels, List<Run> runs, Function<List<Run>, List<String>> details) {
    Map<String, List<Integer>> byLabel = new HashMap<>();
    for (int i = 0; i < runs.size(); i++) {
      byLabel.computeIfAbsent(labels.get(i), key -> new ArrayList<>()).add(i);
    }
    List<String> result = new ArrayList<>(labels);
    for (List<Integer> same : byLabel.values()) {
      List<String> found = details.apply(same.stream().map(runs::get).toList());
      if (new HashSet<>(found).size() > 1) {
        for (int k = 0; k < same.size(); k++) {
          result.set(same.get(k), join(labels.get(same.get(k)), found.get(k)));
        }
      }
    }
    return result;
  }
}
