package io.github.amb.plots.report;

import io.github.amb.plots.run.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;

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
    TreeSet<String> names = new TreeSet<>();
    runs.forEach(run -> names.addAll(run.info().configuration().keySet()));
    List<List<String>> rows = new ArrayList<>();
    for (String name : names) {
      List<String> values = runs.stream().map(run -> value(run, name)).toList();
      if (!differing || values.stream().distinct().count() > 1) {
        List<String> row = new ArrayList<>(List.of(name));
        row.addAll(values);
        rows.add(row);
      }
    }
    return rows;
  }

  private static String value(Run run, String name) {
    return Objects.toString(run.info().configuration().get(name), NONE);
  }

  /** One row per fact of the runs' environments. */
  static List<List<String>> environment(List<Run> runs) {
    TreeSet<String> names = new TreeSet<>();
    runs.forEach(run -> names.addAll(run.info().environment().keySet()));
    List<List<String>> rows = new ArrayList<>();
    for (String name : names) {
      List<String> row = new ArrayList<>(List.of(name));
      runs.forEach(run -> row.add(run.info().environment().getOrDefault(name, NONE)));
      rows.add(row);
    }
    return rows;
  }
}
