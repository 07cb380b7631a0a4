package io.github.amb.models.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.data.example.FloatExamples;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.data.example.Labels;
import io.github.amb.models.data.example.SparseExamples;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ValidationTest {
  private static final int COUNT = 50;

  /** Example i has the only feature i and the class i mod 3. */
  private static DataSet data(boolean sparse) {
    float[] features = new float[COUNT];
    byte[] labels = new byte[COUNT];
    for (int i = 0; i < COUNT; i++) {
      features[i] = i;
      labels[i] = (byte) (i % 3);
    }
    int[] starts = IntStream.rangeClosed(0, COUNT).toArray();
    Examples train =
        sparse
            ? new SparseExamples(starts, new int[COUNT], features, Labels.of(labels))
            : new FloatExamples(features, labels);
    Examples test = new FloatExamples(new float[] {-1}, new byte[1]);
    return new DataSet("ours", new ImageShape(1, 1, 1), 3, train, test);
  }

  private static List<Integer> examples(Examples part) {
    List<Integer> found = new ArrayList<>();
    float[] feature = new float[1];
    for (int i = 0; i < part.count(); i++) {
      feature[0] = 0;
      part.copyFeatures(i, feature);
      found.add((int) feature[0]);
      assertEquals((int) feature[0] % 3, part.label(i));
    }
    return found;
  }

  @Test
  void eachExampleIsInOneOfTheParts() {
    for (boolean sparse : new boolean[] {false, true}) {
      DataSet data = Validation.of(data(sparse), 0.1, 7);
      assertEquals(5, data.test().count());
      List<Integer> all = examples(data.train());
      all.addAll(examples(data.test()));
      Collections.sort(all);
      assertArrayEquals(
          IntStream.range(0, COUNT).toArray(), all.stream().mapToInt(i -> i).toArray());
    }
  }

  @Test
  void theSeedDecides() {
    List<Integer> found = examples(Validation.of(data(false), 0.5, 7).test());
    assertEquals(found, examples(Validation.of(data(true), 0.5, 7).test()));
    assertNotEquals(found, examples(Validation.of(data(false), 0.5, 8).test()));
  }

  @Test
  void bothPartsHaveAnExample() {
    assertEquals(1, Validation.of(data(false), 1e-9, 7).test().count());
    assertEquals(1, Validation.of(data(false), 0.999, 7).train().count());
    DataSet whole = data(false);
    assertSame(whole, Validation.of(whole, 0, 7));
  }

  @Test
  void aFunctionHasNoExamplesToPutApart() {
    DataSet data = DataSets.load("quadratic:d=3", null, 1);
    assertThrows(UsageException.class, () -> Validation.of(data, 0.1, 1));
  }
}
