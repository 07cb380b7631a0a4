package io.github.amb.models.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.data.example.Targets;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NpzDataSetTest {
  /** Two examples of one feature. */
  private static final byte[] TWO = NpzFiles.npy("<f4", "2, 1", NpzFiles.floats(0.5f, -1));

  private static final byte[] LABELS = NpzFiles.npy("<i8", "2", NpzFiles.longs(1, 0));

  @TempDir Path folder;

  private Path both(byte[] images, byte[] labels) throws IOException {
    return write(Map.of("x_train", images, "y_train", labels, "x_test", images, "y_test", labels));
  }

  private Path write(Map<String, byte[]> arrays) throws IOException {
    return Files.write(folder.resolve("data.npz"), NpzFiles.npz(arrays));
  }

  /** As it is kept in the cache, after a look whether that is what is decoded, bit by bit. */
  private static DataSet load(Path path) throws IOException {
    DataSet kept = DataSets.load(path.toString(), null, 1);
    var definition = (UserDataSet) DataSets.definition(path.toString());
    SameData.expect(definition.read().named(path.toString()), kept);
    return kept;
  }

  private static String problem(Path path) {
    String name = path.toString();
    return assertThrows(UsageException.class, () -> DataSets.load(name, null, 1)).getMessage();
  }

  private void expectProblem(String expected, byte[] images, byte[] labels) throws IOException {
    String problem = problem(both(images, labels));
    assertTrue(problem.startsWith(folder.resolve("data.npz").toString()), problem);
    assertTrue(problem.contains(expected), problem);
  }

  @Test
  void kerassFormIsReadChannelsLast() throws IOException {
    byte[] pixels = {0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15};
    byte[] images = NpzFiles.npy("|u1", "2, 1, 2, 3", pixels);
    byte[] labels = NpzFiles.npy("<i8", "2, 1", NpzFiles.longs(1, 0));
    DataSet data = load(both(images, labels));
    assertEquals(new ImageShape(3, 1, 2), data.shape());
    assertEquals(1, data.train().label(0));
    float[] second = new float[6];
    data.train().copyFeatures(1, second);
    float[] expected = {10, 13, 11, 14, 12, 15};
    for (int i = 0; i < 6; i++) {
      assertEquals(expected[i] / 255, second[i], 1e-7f);
    }
  }

  /** As those of other types: no byte above 1, so nothing is divided. */
  @Test
  void bytesOfZeroAndOneAreUsedAsTheyAre() throws IOException {
    DataSet data =
        load(both(NpzFiles.npy("|u1", "2, 2", (byte) 0, (byte) 1, (byte) 1, (byte) 0), LABELS));
    float[] first = new float[2];
    data.train().copyFeatures(0, first);
    assertArrayEquals(new float[] {0, 1}, first);
  }

  @Test
  void bothPartsAreDividedOrNeither() throws IOException {
    float[][] neither = features(new float[] {0, 200}, new float[] {0, 300});
    assertArrayEquals(new float[] {0, 200}, neither[0]);
    assertArrayEquals(new float[] {0, 300}, neither[1]);
    float[][] both = features(new float[] {0, 1}, new float[] {0, 255});
    assertArrayEquals(new float[] {0, 1 / 255f}, both[0]);
    assertArrayEquals(new float[] {0, 1}, both[1]);
  }

  /** The features of training and of test examples, which have one each. */
  private float[][] features(float[] train, float[] test) throws IOException {
    byte[] x = NpzFiles.npy("<f4", "2, 1", NpzFiles.floats(train));
    byte[] tested = NpzFiles.npy("<f4", "2, 1", NpzFiles.floats(test));
    DataSet data =
        load(write(Map.of("x_train", x, "y_train", LABELS, "x_test", tested, "y_test", LABELS)));
    float[][] features = new float[2][2];
    float[] feature = new float[1];
    for (int i = 0; i < 2; i++) {
      data.train().copyFeatures(i, feature);
      features[0][i] = feature[0];
      data.test().copyFeatures(i, feature);
      features[1][i] = feature[0];
    }
    return features;
  }

  @Test
  void imagesOfFourChannelsAreRejected() throws IOException {
    expectProblem(
        "x_train: expected images of 1 or 3 channels, first or last, found shape [2, 8, 8, 4]",
        NpzFiles.npy("|u1", "2, 8, 8, 4", new byte[512]),
        LABELS);
  }

  @Test
  void withoutATestPartEveryTenthIsHeldOut() throws IOException {
    float[] features = new float[21];
    long[] labels = new long[21];
    for (int i = 0; i < 21; i++) {
      features[i] = i + 0.5f;
      labels[i] = i % 3;
    }
    byte[] x = NpzFiles.npy("<f4", "21, 1", NpzFiles.floats(features));
    byte[] y = NpzFiles.npy("<i8", "21", NpzFiles.longs(labels));
    DataSet data = load(write(Map.of("x_train", x, "y_train", y)));
    assertEquals(18, data.train().count());
    assertEquals(3, data.test().count());
    float[] third = new float[1];
    data.test().copyFeatures(2, third);
    assertArrayEquals(new float[] {20.5f}, third);
  }

  @Test
  void whatIsLeftOutRoundedOrGuessedIsNoted() throws IOException {
    byte[] x = NpzFiles.npy("<f8", "2, 1, 2, 3", new byte[96]);
    String note = load(write(Map.of("x_train", x, "y_train", LABELS, "x_val", TWO))).note();
    assertTrue(note.contains("arrays left out: x_val.npy"), note);
    assertTrue(note.contains("rounded to floats of 4 bytes: x_train has type <f8"), note);
    assertTrue(note.contains("either end, taken as the last axis: [2, 1, 2, 3]"), note);
    assertTrue(note.contains("held out for testing: 1 of 2"), note);
  }

  @Test
  void halfATestPartIsRejected() throws IOException {
    String problem = problem(write(Map.of("x_train", TWO, "y_train", LABELS, "x_test", TWO)));
    assertTrue(problem.endsWith("found no y_test"), problem);
  }

  @Test
  void oneHotLabelsAreRead() throws IOException {
    byte[] labels = NpzFiles.npy("<f4", "2, 3", NpzFiles.floats(0, 0, 1, 1, 0, 0));
    DataSet data = load(both(TWO, labels));
    assertEquals(3, data.classes());
    assertEquals(2, data.train().label(0));
    assertEquals(0, data.train().label(1));
  }

  @Test
  void rowsThatAreNotOneHotAreRejected() throws IOException {
    for (float[] row : new float[][] {{0, 0}, {1, 1}, {0.5f, 0.5f}, {Float.NaN, 1}}) {
      byte[] labels = NpzFiles.npy("<f4", "2, 2", NpzFiles.floats(0, 1, row[0], row[1]));
      expectProblem("y_train: example 1: expected ", TWO, labels);
    }
  }

  @Test
  void labelsThatAreNoWholeNumbersAreRejected() throws IOException {
    for (float bad : new float[] {Float.NaN, 1.9f, -0.9f, Float.POSITIVE_INFINITY}) {
      byte[] labels = NpzFiles.npy("<f4", "2", NpzFiles.floats(1, bad));
      expectProblem(
          "y_train: example 1: expected a label, a whole number from 0, found", TWO, labels);
    }
  }

  @Test
  void negativeLabelsAreRejected() throws IOException {
    byte[] labels = NpzFiles.npy("<i8", "2", NpzFiles.longs(1, -2));
    expectProblem("example 1: expected a label from 0 to 1, found -2", TWO, labels);
  }

  @Test
  void minusOneAndOneAreTwoClasses() throws IOException {
    DataSet data = load(both(TWO, NpzFiles.npy("<i8", "2, 1", NpzFiles.longs(-1, 1))));
    assertEquals(2, data.classes());
    assertEquals(0, data.train().label(0));
    assertEquals(1, data.test().label(1));
  }

  @Test
  void moreClassesThanAByteHasAreRead() throws IOException {
    DataSet data = load(both(TWO, NpzFiles.npy("<i8", "2", NpzFiles.longs(65535, 300))));
    assertEquals(65536, data.classes());
    assertEquals(65535, data.train().label(0));
    expectProblem("2 to 65536 classes", TWO, NpzFiles.npy("<i8", "2", NpzFiles.longs(65536, 0)));
  }

  /** As {@link #load}, with what follows the path. */
  private DataSet load(String word, byte[] labels, byte[] testLabels) throws IOException {
    write(Map.of("x_train", TWO, "y_train", labels, "x_test", TWO, "y_test", testLabels));
    return load(folder.resolve("data.npz:" + word));
  }

  @Test
  void numbersArePredicted() throws IOException {
    byte[] labels = NpzFiles.npy("<f4", "2, 2", NpzFiles.floats(1.5f, -2, 3, 1e6f));
    DataSet data = load("targets", labels, labels);
    assertEquals(Targets.NUMBERS, data.train().targets());
    assertEquals(2, data.classes());
    assertEquals(-2, data.train().target(0, 1));
    assertEquals(1e6f, data.test().target(1, 1));
    byte[] whole = NpzFiles.npy("<i8", "2", NpzFiles.longs(7, 250000));
    DataSet one = load("targets", whole, whole);
    assertEquals(1, one.classes());
    assertEquals(250000, one.train().target(1, 0));
  }

  @Test
  void severalLabelsAreZeroOrOne() throws IOException {
    byte[] labels = NpzFiles.npy("|u1", "2, 3", new byte[] {1, 1, 0, 0, 0, 0});
    DataSet data = load("labels", labels, labels);
    assertEquals(Targets.LABELS, data.test().targets());
    assertEquals(3, data.classes());
    assertEquals(1, data.train().target(0, 1));
    assertEquals(0, data.train().target(1, 1));
  }

  @Test
  void wrongNumbersAndLabelsAreRejected() throws IOException {
    byte[] pair = NpzFiles.npy("<f4", "2, 2", NpzFiles.floats(0, 1, 1, 0));
    byte[] bad = NpzFiles.npy("<f4", "2, 2", NpzFiles.floats(0, 1, 1, Float.NaN));
    for (String word : List.of("targets", "labels")) {
      String expected = word.equals("labels") ? "0 or 1" : "a finite number";
      String nan = assertThrows(UsageException.class, () -> load(word, bad, pair)).getMessage();
      assertTrue(nan.contains("y_train: example 1: expected " + expected), nan);
      String other =
          assertThrows(UsageException.class, () -> load(word, pair, LABELS)).getMessage();
      assertTrue(other.contains("y_test: expected 2 columns as in the training part"), other);
    }
    byte[] half = NpzFiles.npy("<f4", "2, 2", NpzFiles.floats(0, 0.5f, 1, 0));
    assertThrows(UsageException.class, () -> load("labels", half, half));
    assertThrows(UsageException.class, () -> load("target", pair, pair));
  }

  /** As {@code Imagenet32_train_npz.zip} has them. */
  @Test
  void downsampledImageNetHasLabelsFromOne() throws IOException {
    byte[] pixels = new byte[2 * 3072];
    pixels[3072 + 1024] = 51;
    byte[] x = NpzFiles.npy("|u1", "2, 3072", pixels);
    byte[] mean = NpzFiles.npy("<f8", "3072", new byte[8 * 3072]);
    byte[] labels = NpzFiles.npy("<i8", "2", NpzFiles.longs(1000, 1));
    Path file = folder.resolve("train_data_batch_1.npz");
    Files.write(file, NpzFiles.npz(Map.of("data", x, "labels", labels, "mean", mean)));
    DataSet split = load(file);
    assertEquals(1000, split.classes());
    assertEquals(new ImageShape(3, 32, 32), split.shape());
    assertEquals(0, split.train().label(0));
    float[] image = new float[3072];
    split.train().copyFeatures(0, image);
    assertEquals(0.2f, image[1024], 1e-7);
    byte[] zero = NpzFiles.npy("<i8", "2", NpzFiles.longs(1000, 0));
    Files.write(file, NpzFiles.npz(Map.of("data", x, "labels", zero)));
    String problem = problem(file);
    assertTrue(problem.contains("labels: example 1: expected a label from 0 to 999"), problem);
  }

  @Test
  void testLabelsBeyondTheClassesAreRejected() throws IOException {
    byte[] beyond = NpzFiles.npy("<i8", "2", NpzFiles.longs(1, 2));
    Path file = write(Map.of("x_train", TWO, "y_train", LABELS, "x_test", TWO, "y_test", beyond));
    String problem = problem(file);
    assertTrue(problem.contains("y_test: example 1: expected a label from 0 to 1, found 2"));
  }

  @Test
  void featuresThatAreNoNumbersAreRejected() throws IOException {
    byte[] nan = NpzFiles.npy("<f4", "2, 1", NpzFiles.floats(1, Float.NaN));
    expectProblem("x_train: example 1, feature 0", nan, LABELS);
  }

  @Test
  void headersThatDoNotFitAreRejected() throws IOException {
    byte[] one = NpzFiles.npy("<i8", "1", NpzFiles.longs(1));
    expectProblem("y_train: expected a label for each of 2", TWO, one);
    expectProblem("y_train: expected an array in NumPy's NPY format", TWO, new byte[20]);
    expectProblem("found <c8", NpzFiles.npy("<c8", "1", new byte[8]), LABELS);
    expectProblem("found <U5", TWO, NpzFiles.npy("<U5", "2", new byte[40]));
    expectProblem("expected examples, found shape []", NpzFiles.npy("<f4", "", new byte[4]), one);
    expectProblem("expected 16 bytes", TWO, NpzFiles.npy("<i8", "2", NpzFiles.longs(1)));
  }

  @Test
  void anArrayOverTheLimitIsRejectedByItsHeader() throws IOException {
    byte[] huge = NpzFiles.npy("|u1", "60000, 784, 784");
    expectProblem("expected an array of at most 2147483639 bytes, found shape", huge, LABELS);
    byte[] long64 = NpzFiles.npy("|u1", "99999999999");
    expectProblem("expected a shape, found (99999999999)", long64, LABELS);
  }

  /** 200 MB behind a header of 8 bytes; read whole, they would not be a problem of the header. */
  @Test
  void noMoreIsReadThanTheHeaderSays() throws IOException {
    Path file = folder.resolve("bomb.npz");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
      for (String name : new String[] {"x_train", "x_test"}) {
        put(zip, name, TWO);
      }
      put(zip, "y_test", LABELS);
      put(zip, "y_train", LABELS);
      zeros(zip, 200_000_000);
    }
    String problem = problem(file);
    assertTrue(
        problem.endsWith("y_train: expected 16 bytes for shape [2] of type <i8, found more"),
        problem);
  }

  /** An honest header of more than Java may use. */
  @Test
  void whatMemoryCannotHoldIsRejectedUnread() throws IOException {
    long most = Runtime.getRuntime().maxMemory();
    long count = Math.min(Integer.MAX_VALUE - 8L, most / 2 + 1);
    assumeTrue(3 * count > most, "Java may use " + most + " bytes here: no array is too large");
    byte[] x = NpzFiles.npy("|u1", count + ", 1");
    byte[] y = NpzFiles.npy("|u1", Long.toString(count));
    String problem = problem(write(Map.of("x_train", x, "y_train", y)));
    assertTrue(problem.contains("that Java may use"), problem);
  }

  private static void put(ZipOutputStream zip, String name, byte[] array) throws IOException {
    zip.putNextEntry(new ZipEntry(name + ".npy"));
    zip.write(array);
  }

  private static void zeros(OutputStream out, int count) throws IOException {
    byte[] zeros = new byte[1 << 20];
    for (int left = count; left > 0; left -= zeros.length) {
      out.write(zeros);
    }
  }
}
