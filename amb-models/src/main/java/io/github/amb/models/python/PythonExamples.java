package io.github.amb.models.python;

import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.data.example.Targets;
import java.util.Map;

/**
 * Examples that only Python has, known by their numbers.
 *
 * @param file whose functions make them
 * @param first number of the first one
 * @param count how many there are
 * @param labels classes of all numbers; empty if they are not known
 */
record PythonExamples(PythonFile file, int first, int count, int[] labels) implements Examples {
  /** Where they are, as the protocol says it. */
  Map<String, Object> place() {
    return Map.of("file", file.file().toString(), "options", file.options());
  }

  @Override
  public int label(int example) {
    return labels.length == 0 ? 0 : labels[first + example];
  }

  @Override
  public Targets targets() {
    return labels.length == 0 ? Targets.NUMBERS : Targets.CLASS;
  }

  /**
   * Java does not have the features.
   *
   * @throws UsageException always
   */
  @Override
  public void copyFeatures(int example, float[] target) {
    throw new UsageException(
        "%s: expected --network python:FILE.py, which has the examples, found another network",
        file);
  }
}
