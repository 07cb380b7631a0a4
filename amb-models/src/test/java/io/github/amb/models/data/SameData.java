package io.github.amb.models.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.data.example.Targets;

/** Compares data sets bit by bit. */
public final class SameData {
  private SameData() {}

  public static void expect(DataSet expected, DataSet found) {
    assertEquals(expected.name(), found.name());
    assertEquals(expected.shape(), found.shape());
    assertEquals(expected.classes(), found.classes());
    assertEquals(expected.classNames(), found.classNames());
    assertEquals(expected.note(), found.note());
    expect(expected.shape(), expected.classes(), expected.train(), found.train());
    expect(expected.shape(), expected.classes(), expected.test(), found.test());
  }

  private static void expect(ImageShape shape, int outputs, Examples expected, Examples found) {
    assertEquals(expected.count(), found.count());
    float[] features = new float[shape.size()];
    float[] same = new float[shape.size()];
    for (int i = 0; i < expected.count(); i++) {
      assertEquals(expected.label(i), found.label(i));
      assertEquals(expected.targets(), found.targets());
      for (int j = 0; expected.targets() != Targets.CLASS && j < outputs; j++) {
        assertEquals(expected.target(i, j), found.target(i, j));
      }
      expected.copyFeatures(i, features);
      found.copyFeatures(i, same);
      assertArrayEquals(features, same);
    }
  }
}
