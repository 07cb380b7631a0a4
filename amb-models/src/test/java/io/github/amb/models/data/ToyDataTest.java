package io.github.amb.models.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ToyDataTest {
  @Test
  void featuresAreStandardNormal() {
    DataSet toy = DataSets.load("toy", null, 1);
    float[] features = new float[100];
    double sum = 0;
    double squares = 0;
    double fourth = 0;
    for (int i = 0; i < toy.train().count(); i++) {
      toy.train().copyFeatures(i, features);
      for (float x : features) {
        sum += x;
        squares += (double) x * x;
        fourth += Math.pow(x, 4);
      }
    }
    // Of a million draws the moments have standard deviations 0.001, 0.0014 and 0.0098.
    assertEquals(0, sum / 1e6, 0.005);
    assertEquals(1, squares / 1e6, 0.007);
    assertEquals(3, fourth / 1e6, 0.05);
  }

  @Test
  void labelsAreUniform() {
    Examples train = DataSets.load("toy", null, 1).train();
    int[] counts = new int[10];
    for (int i = 0; i < train.count(); i++) {
      counts[train.label(i)]++;
    }
    Arrays.stream(counts).forEach(count -> assertEquals(1000, count, 120));
  }

  @Test
  void theSeedDecidesTheData() {
    float[] once = first(7);
    assertFalse(Arrays.equals(once, first(8)));
    assertArrayEquals(once, first(7));
  }

  private static float[] first(long seed) {
    float[] features = new float[100];
    DataSets.load("toy", null, seed).train().copyFeatures(0, features);
    return features;
  }
}
