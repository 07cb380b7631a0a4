package io.github.amb.models.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class DigitsTest {
  private static DataSet digits;

  @BeforeAll
  static void generate() {
    digits = DataSets.load("digits", null, 1);
  }

  @Test
  void everyMachineGivesTheBytesThatTheyAreKeptUnder() throws NoSuchAlgorithmException {
    assertEquals(Digits.SHA256, digest(Digits.generate().named("digits")));
  }

  @Test
  void whatIsKeptIsWhatIsGeneratedWhateverTheSeed() {
    SameData.expect(Digits.generate().named("digits"), DataSets.load("digits", null, 2));
  }

  @Test
  void classesAreAboutEquallyFrequent() {
    int[] counts = new int[10];
    for (int i = 0; i < digits.train().count(); i++) {
      counts[digits.train().label(i)]++;
    }
    for (int count : counts) {
      // Binomial(10000, 0.1) has standard deviation 30.
      assertEquals(1000, count, 120);
    }
  }

  @Test
  @Tag("system")
  void aConvergedLinearModelStaysBelow90Percent() {
    LinearClassifier model = new LinearClassifier(784, 10);
    double previous = 0;
    double accuracy = 0;
    for (int epoch = 0; epoch < 12; epoch++) {
      model.train(digits.train(), 0.02 / (1 + 0.5 * epoch));
      previous = accuracy;
      accuracy = model.accuracy(digits.train());
    }
    assertEquals(previous, accuracy, 0.02, "training accuracy has settled");
    double test = model.accuracy(digits.test());
    assertTrue(test > 0.6 && test < 0.9, "test accuracy " + test);
  }

  private static String digest(DataSet data) throws NoSuchAlgorithmException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (Examples examples : new Examples[] {data.train(), data.test()}) {
      float[] features = new float[784];
      ByteBuffer bytes = ByteBuffer.allocate(785);
      for (int i = 0; i < examples.count(); i++) {
        examples.copyFeatures(i, features);
        bytes.clear().put((byte) examples.label(i));
        for (float feature : features) {
          bytes.put((byte) Math.round(feature * 255));
        }
        digest.update(bytes.flip());
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
