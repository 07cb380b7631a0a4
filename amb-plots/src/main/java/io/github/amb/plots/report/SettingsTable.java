package io.github.amb.plots.report;

import io.github.amb.plots.run.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Function;

/** The configurations of runs side by side. */
final class SettingsTable {
  private static final String NONE = "–";

  private SettingsTable() {}

  /**
   * One row per setting: its name, then its value in each run.
   *
   * @param differing whether to skip settings that are equal in all runs
   */
  static List<List<String>> rows(List<Run> runs, boolean differing) {
    return table(runs, run -> run.info().configuration(), differing);
  }

  /** One row per fact of the runs' environments. */
  static List<List<String>> environment(List<Run> runs) {
    return table(runs, run -> run.info().environment(), false);
  }

  private static List<List<String>> table(
      List<Run> runs, Function<Run, Map<String, ?>> facts, boolean differing) {
    TreeSet<String> names = new TreeSet<>();
    runs.forEach(run -> names.addAll(facts.apply(run).keySet()));
    List<List<String>> rows = new ArrayList<>();
    for (String name : names) {
      List<String> values =
          runs.stream().map(run -> Objects.toString(facts.apply(run).get(name), NONE)).toList();
      if (!differing || values.stream().distinct().count() > 1) {
        List<String> row = new ArrayList<>(List.of(name));
        row.addAll(values);
        rows.add(row);
      }
    }
    return rows;
  }
}
