package io.github.amb.models.data.example;

import java.nio.ByteBuffer;

/** Some of other examples, in a given order. */
public record SelectedExamples(StoredExamples all, int[] indices) implements StoredExamples {
  @Override
  public int count() {
    return indices.length;
  }

  @Override
  public int label(int example) {
    return all.label(indices[example]);
  }

  @Override
  public Targets targets() {
    return all.targets();
  }

  @Override
  public float target(int example, int index) {
    return all.target(indices[example], index);
  }

  @Override
  public void copyFeatures(int example, float[] target) {
    all.copyFeatures(indices[example], target);
  }

  @Override
  public Type type() {
    return all.type();
  }

  @Override
  public void store(int example, ByteBuffer target) {
    all.store(indices[example], target);
  }
}
