package io.github.amb.runtime.experiment;

import io.github.amb.core.option.Setting;
import io.github.amb.runtime.config.TrainSettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What an experiment's file says of its options, for people. */
record VariantTable(List<ExperimentVariant> variants, MarkdownTable table) {

  /** A row for the options of all runs, and rows for those of the points of each axis. */
  static MarkdownTable of(Experiment experiment) {
    return new VariantTable(experiment.variants(), new MarkdownTable(List.of("runs", "options")))
        .rows();
  }

  private MarkdownTable rows() {
    Map<String, String> common = common(variants);
    row("all", options(common));
    for (String axis : variants.get(0).points().keySet()) {
      Map<String, Map<String, String>> points = new LinkedHashMap<>();
      points(axis).forEach((point, those) -> points.put(point, without(common(those), common)));
      if (points.values().stream().allMatch(one -> one.keySet().equals(Set.of(axis)))) {
        row("each `" + axis + "`", points.values().stream().map(one -> one.get(axis)));
      } else if (points.size() > 1) {
        points.forEach((point, options) -> row(point, options(options)));
      }
    }
    return table;
  }

  private Map<String, List<ExperimentVariant>> points(String axis) {
    return variants.stream()
        .collect(
            Collectors.groupingBy(
                variant -> variant.points().get(axis), LinkedHashMap::new, Collectors.toList()));
  }

  private static Stream<String> options(Map<String, String> options) {
    return options.entrySet().stream().map(option -> option.getKey() + " " + option.getValue());
  }

  private void row(String name, Stream<String> options) {
    table.row(List.of(name, options.map(one -> "`" + one + "`").collect(Collectors.joining(", "))));
  }

  /** The options that some variants have with the same value. */
  private static Map<String, String> common(List<ExperimentVariant> variants) {
    Map<String, String> common = new LinkedHashMap<>();
    for (Setting<?> setting : TrainSettings.ALL) {
      String value = variants.get(0).settings().given(setting);
      boolean same =
          variants.stream().allMatch(v -> Objects.equals(value, v.settings().given(setting)));
      if (ExperimentRun.decides(setting) && value != null && same) {
        common.put(setting.name(), value);
      }
    }
    return common;
  }

  private static Map<String, String> without(
      Map<String, String> options, Map<String, String> others) {
    Map<String, String> rest = new LinkedHashMap<>(options);
    rest.entrySet().removeAll(others.entrySet());
    return rest;
  }
}
