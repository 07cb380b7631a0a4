package io.github.amb.models.data;

import io.github.amb.models.data.example.Examples;
import io.github.amb.models.data.example.Targets;
import org.apache.commons.rng.UniformRandomProvider;

/** Examples that are others in all that they do not define themselves. */
public interface DerivedExamples extends Examples {
  /** The others. */
  Examples examples();

  /** Which of the others an example is. */
  default int index(int example) {
    return example;
  }

  @Override
  default int count() {
    return examples().count();
  }

  @Override
  default int label(int example) {
    return examples().label(index(example));
  }

  @Override
  default int positions() {
    return examples().positions();
  }

  @Override
  default void copyLabels(int example, int[] target) {
    examples().copyLabels(index(example), target);
  }

  @Override
  default Targets targets() {
    return examples().targets();
  }

  @Override
  default float target(int example, int index) {
    return examples().target(index(example), index);
  }

  @Override
  default double weight(int label) {
    return examples().weight(label);
  }

  @Override
  default double smoothing() {
    return examples().smoothing();
  }

  @Override
  default void copyFeatures(int example, float[] target) {
    examples().copyFeatures(index(example), target);
  }

  @Override
  default void drawFeatures(int example, UniformRandomProvider random, float[] target) {
    examples().drawFeatures(index(example), random, target);
  }
}
