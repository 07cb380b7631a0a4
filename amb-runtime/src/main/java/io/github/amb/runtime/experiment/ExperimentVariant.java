package io.github.amb.runtime.experiment;

import io.github.amb.runtime.config.Settings;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One cell of an experiment's matrix.
 *
 * @param points the point on each axis, by the axis' name, in the file's order
 * @param settings the options of its runs, but for the seed
 */
record ExperimentVariant(Map<String, String> points, Settings settings) {
  /** This cell at a point of another axis, whose options win over its own. */
  ExperimentVariant at(String axis, String point, Settings options) {
    Map<String, String> all = new LinkedHashMap<>(points);
    all.put(axis, point);
    return new ExperimentVariant(all, options.over(settings));
  }

  /** Its points, joined by slashes. */
  String name() {
    return String.join("/", points.values());
  }

  /** The name without one axis. */
  String nameWithout(String axis) {
    Map<String, String> others = new LinkedHashMap<>(points);
    others.remove(axis);
    return String.join("/", others.values());
  }
}
