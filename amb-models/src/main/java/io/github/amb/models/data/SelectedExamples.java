package io.github.amb.models.data;

import io.github.amb.models.data.example.StoredExamples;
import java.nio.ByteBuffer;

/** Some of other examples, in a given order. */
record SelectedExamples(StoredExamples examples, int[] indices)
    implements DerivedExamples, StoredExamples {
  @Override
  public int count() {
    return indices.length;
  }

  @Override
  public int index(int example) {
    return indices[example];
  }

  @Override
  public Type type() {
    return examples.type();
  }

  @Override
  public void store(int example, ByteBuffer target) {
    examples.store(indices[example], target);
  }
}
