package io.github.amb.plots.run;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.DoubleStream;

/**
 * Runs that differ only in seed, drawn as one.
 *
 * @param label their label in the legend
 * @param runs one or more runs
 */
public record RunGroup(String label, List<Run> runs) {

  /**
   * Groups runs that have the same configuration and pairwise different seeds; other runs are
   * groups of one. Groups are in the order of their first runs.
   */
  public static List<RunGroup> of(List<Run> runs) {
    Map<Map<String, Object>, List<Run>> byConfiguration = new LinkedHashMap<>();
    List<Map<String, Object>> settings = RunLabels.experiments(runs);
    for (int i = 0; i < runs.size(); i++) {
      byConfiguration.computeIfAbsent(settings.get(i), key -> new ArrayList<>()).add(runs.get(i));
    }
    List<List<Run>> groups = new ArrayList<>();
    for (List<Run> same : byConfiguration.values()) {
      if (seedsDiffer(same)) {
        groups.add(same);
      } else {
        same.forEach(run -> groups.add(List.of(run)));
      }
    }
    return labeled(groups);
  }

  /** The finite values of all runs. */
  public double[] pooled(Function<Run, DoubleStream> values) {
    return runs.stream().flatMapToDouble(values).filter(Double::isFinite).toArray();
  }

  private static boolean seedsDiffer(List<Run> runs) {
    Set<Long> seeds = new HashSet<>();
    return runs.stream().allMatch(run -> seeds.add(run.info().seed()));
  }

  private static List<RunGroup> labeled(List<List<Run>> groups) {
    List<String> labels = RunLabels.of(groups.stream().map(group -> group.get(0)).toList());
    List<RunGroup> result = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      int seeds = groups.get(i).size();
      String label = labels.get(i) + (seeds > 1 ? " (" + seeds + " seeds)" : "");
      result.add(new RunGroup(label, List.copyOf(groups.get(i))));
    }
    return result;
  }
}
