package io.github.amb.models.data;

import org.apache.commons.rng.UniformRandomProvider;

/** Some of other examples, in a given order. */
record SelectedExamples(Examples all, int[] indices) implements Examples {
  @Override
  public int count() {
    return indices.length;
  }

  @Override
  public int label(int example) {
    return all.label(indices[example]);
  }

  @Override
  public void copyFeatures(int example, float[] target) {
    all.copyFeatures(indices[example], target);
  }

  @Override
  public void drawFeatures(int example, UniformRandomProvider random, float[] target) {
    all.drawFeatures(indices[example], random, target);
  }
}
