package io.github.amb.testing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.models.data.DataSets;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.network.Networks;
import java.util.List;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a data set promises: as many examples as it says, labels of its classes, finite features,
 * the same ones at every rank, and a usual network that fits them. The test of a data set that
 * needs no files extends this class.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class DataSetContract {
  private static final long SEED = 1 + Long.getLong("amb.test.seed", 0);

  /** Names of data sets. */
  protected abstract List<String> dataSets();

  @ParameterizedTest
  @MethodSource("dataSets")
  void itsExamplesFitAndAreTheSameAtEveryRank(String name) {
    DataSet one = DataSets.load(name, null, SEED);
    DataSet two = DataSets.load(name, null, SEED);
    assertEquals(DataSets.definition(name).trainingExamples(), one.train().count());
    assertEquals(DataSets.definition(name).testExamples(), one.test().count());
    assertFit(one, one.train(), two.train());
    assertFit(one, one.test(), two.test());
  }

  @ParameterizedTest
  @MethodSource("dataSets")
  void itsUsualNetworkFits(String name) {
    String network = DataSets.definition(name).network();
    if (network != null) {
      Networks.check(Networks.named(network), DataSets.load(name, null, SEED));
    }
  }

  private static void assertFit(DataSet data, Examples examples, Examples again) {
    float[] features = new float[data.shape().size()];
    float[] same = new float[features.length];
    assertEquals(examples.count(), again.count());
    for (int example = 0; example < examples.count(); example++) {
      int label = examples.label(example);
      assertTrue(label >= 0 && label < data.classes(), "label " + label);
      assertEquals(label, again.label(example));
      assertEquals(examples.target(example, 0), again.target(example, 0));
      examples.copyFeatures(example, features);
      again.copyFeatures(example, same);
      assertArrayEquals(features, same);
      for (float feature : features) {
        assertTrue(Float.isFinite(feature));
      }
    }
  }
}
