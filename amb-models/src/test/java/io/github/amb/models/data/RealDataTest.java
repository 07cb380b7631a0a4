package io.github.amb.models.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reads the real data sets where {@code AMB_DATA_DIR} or {@code -DAMB_DATA_DIR} has them. */
class RealDataTest {
  private Path directory;

  @BeforeEach
  void findData() {
    String value = System.getProperty("AMB_DATA_DIR", System.getenv("AMB_DATA_DIR"));
    assumeTrue(value != null, "set AMB_DATA_DIR to a directory with mnist/ to run this test");
    directory = Path.of(value);
  }

  @Test
  void mnistHasItsPublishedLabelCounts() {
    assumeTrue(Files.isDirectory(directory.resolve("mnist")), "no mnist/ in " + directory);
    DataSet mnist = DataSets.load("mnist", directory, 1);
    assertArrayEquals(
        new int[] {5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949},
        counts(mnist.train()));
    assertArrayEquals(
        new int[] {980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009}, counts(mnist.test()));
    // Mean and standard deviation of MNIST's training pixels, as used by every tutorial.
    double[] moments = moments(mnist.train(), 784);
    assertEquals(0.1307, moments[0], 5e-5);
    assertEquals(0.3081, moments[1], 5e-5);
  }

  @Test
  void fashionFilesAreNotTakenForMnist() {
    Path fashion = directory.resolve("fashion-mnist");
    assumeTrue(Files.isDirectory(fashion), "no fashion-mnist/ in " + directory);
    String message =
        assertThrows(UsageException.class, () -> DataSets.load("mnist", fashion, 1)).getMessage();
    assertTrue(message.contains("of data set 'fashion-mnist'"), message);
  }

  @Test
  void cifar10HasAThousandTestImagesOfEachClass() {
    assumeTrue(
        Files.isDirectory(directory.resolve("cifar-10-batches-bin")),
        "no CIFAR-10 in " + directory);
    DataSet cifar = DataSets.load("cifar10", directory, 1);
    for (int c = 0; c < 10; c++) {
      assertEquals(5000, counts(cifar.train())[c]);
      assertEquals(1000, counts(cifar.test())[c]);
    }
  }

  @Test
  void tinyShakespeareHasItsPublishedSize() {
    Path folder = directory.resolve("tinyshakespeare");
    assumeTrue(Files.isDirectory(folder), "no tinyshakespeare/ in " + directory);
    DataSetDefinition set = DataSets.definition("tinyshakespeare");
    DataSet text = set.load(directory, 1);
    assertEquals(65, text.classes());
    assertEquals(set.trainingExamples(), text.train().count());
    assertEquals(set.testExamples(), text.test().count());
    assertTrue(set.checksums(directory).values().stream().allMatch(set::isPublished));
  }

  private static int[] counts(Examples examples) {
    int[] counts = new int[10];
    for (int i = 0; i < examples.count(); i++) {
      counts[examples.label(i)]++;
    }
    return counts;
  }

  private static double[] moments(Examples examples, int size) {
    float[] features = new float[size];
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < examples.count(); i++) {
      examples.copyFeatures(i, features);
      for (float x : features) {
        sum += x;
        squares += (double) x * x;
      }
    }
    double n = (double) examples.count() * size;
    return new double[] {sum / n, Math.sqrt(squares / n - sum / n * sum / n)};
  }
}
