package io.github.amb.models.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Expected numbers are those of the file, counted by Python. */
class OptDigitsTest {
  private static final DataSet DATA = DataSets.load("optdigits", null, 1);

  private static int[] counts(Examples examples) {
    int[] counts = new int[10];
    for (int i = 0; i < examples.count(); i++) {
      counts[examples.label(i)]++;
    }
    return counts;
  }

  private static float[] features(Examples examples, int example) {
    float[] features = new float[64];
    examples.copyFeatures(example, features);
    return features;
  }

  /** In sixteenths. Sums of so few of them are exact. */
  private static double ink(Examples examples) {
    double sum = 0;
    for (int i = 0; i < examples.count(); i++) {
      for (float feature : features(examples, i)) {
        assertTrue(feature >= 0 && feature <= 1 && feature * 16 == (int) (feature * 16));
        sum += feature * 16;
      }
    }
    return sum;
  }

  @Test
  void classesHaveTheirCounts() {
    assertArrayEquals(
        new int[] {143, 146, 142, 146, 144, 145, 144, 143, 141, 143}, counts(DATA.train()));
    assertArrayEquals(new int[] {35, 36, 35, 37, 37, 37, 37, 36, 33, 37}, counts(DATA.test()));
  }

  @Test
  void pixelsAreThoseOfTheFileBySixteen() {
    assertEquals(449_372, ink(DATA.train()));
    assertEquals(112_346, ink(DATA.test()));
    float[] first = features(DATA.train(), 0);
    assertArrayEquals(
        new float[] {0, 0, 5 / 16f, 13 / 16f, 9 / 16f, 1 / 16f, 0, 0}, Arrays.copyOf(first, 8));
    assertEquals(0, DATA.train().label(0));
    float[] last = features(DATA.test(), 359);
    assertArrayEquals(
        new float[] {0, 0, 10 / 16f, 14 / 16f, 8 / 16f, 1 / 16f, 0, 0}, Arrays.copyOf(last, 8));
    assertEquals(8, DATA.test().label(359));
  }
}
