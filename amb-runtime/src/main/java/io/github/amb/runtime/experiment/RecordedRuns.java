package io.github.amb.runtime.experiment;

import io.github.amb.core.option.Setting;
import io.github.amb.core.record.RunInfo;
import io.github.amb.runtime.config.TrainSettings;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the {@code run.json} of an experiment's runs say.
 *
 * @param common options that all runs have with the same value, by name; without those that have
 *     none
 * @param variants the other options of each variant, by its name; null for none
 * @param environment the values of facts about program and machine, by name
 * @param data SHA-256 of the data sets' files, by name
 */
record RecordedRuns(
    Map<String, Object> common,
    Map<String, Map<String, Object>> variants,
    Map<String, SortedSet<String>> environment,
    Map<String, String> data) {
  private static final List<String> FACTS =
      List.of(
          "amb",
          "git_commit",
          "java",
          "os",
          "processor",
          "vector_instructions",
          "cores",
          "onednn_version",
          "onednn_instructions");

  /** Reads the runs that are done. */
  static RecordedRuns read(List<ExperimentRun> runs) throws IOException {
    Map<String, Map<String, Object>> variants = new LinkedHashMap<>();
    Map<String, SortedSet<String>> environment = new LinkedHashMap<>();
    Map<String, String> data = new TreeMap<>();
    for (ExperimentRun run : runs) {
      if (run.isDone()) {
        RunInfo info = run.directory().read();
        variants.put(run.variant().name(), options(info));
        data.putAll(info.data());
        for (String fact : FACTS) {
          if (info.environment().containsKey(fact)) {
            environment
                .computeIfAbsent(fact, any -> new TreeSet<>())
                .add(info.environment().get(fact));
          }
        }
      }
    }
    return of(variants, environment, data);
  }

  /** The options that decide what a run computes, but for the seed. */
  private static Map<String, Object> options(RunInfo info) {
    Map<String, Object> options = new LinkedHashMap<>();
    for (Setting<?> setting : TrainSettings.ALL) {
      if (ExperimentRun.decides(setting)) {
        options.put(setting.name(), info.configuration().get(setting.name()));
      }
    }
    return options;
  }

  private static RecordedRuns of(
      Map<String, Map<String, Object>> variants,
      Map<String, SortedSet<String>> environment,
      Map<String, String> data) {
    Map<String, Object> common = new LinkedHashMap<>();
    variants.values().stream().limit(1).forEach(common::putAll);
    for (Map<String, Object> one : variants.values()) {
      common.entrySet().removeIf(e -> !Objects.equals(e.getValue(), one.get(e.getKey())));
    }
    variants.values().forEach(one -> one.keySet().removeAll(common.keySet()));
    common.values().removeIf(Objects::isNull);
    return new RecordedRuns(common, variants, environment, data);
  }
}
