package io.github.amb.models.data;

import io.github.amb.core.file.Sha256;
import io.github.amb.core.plugin.Description;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.FloatExamples;
import io.github.amb.models.data.example.ImageShape;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * Handwritten digits, which are part of the program: a line of 64 pixels from 0 to 16 and a label
 * for each. Pixels are divided by 16. {@code data/README.md} has their source and license.
 */
final class OptDigits {
  private static final String FILE = "optdigits.csv.gz";
  private static final String SHA256 =
      "09f66e6debdee2cd2b5ae59e0d6abbb73fc2b0e0185d2e1957e9ebb51e23aa22";
  private static final ImageShape SHAPE = new ImageShape(1, 8, 8);
  private static final int CLASSES = 10;

  /** The first lines; the others are for testing. */
  private static final int TRAIN = 1_437;

  private static final float MAX_PIXEL = 16;

  static final BuiltInData DEFINITION =
      new BuiltInData(
          Description.of("optdigits", "handwritten digits, 1,437 + 360 images 1x8x8")
              .use("First runs: real data without a download; small networks reach 0.9 in seconds.")
              .source(
                  "Alpaydin, Kaynak, Optical Recognition of Handwritten Digits, UCI Machine Learning"
                      + " Repository, 1998, doi 10.24432/C50P49, CC BY 4.0"),
          "mlp:64",
          TRAIN,
          360,
          seed -> read());

  private OptDigits() {}

  private static DataSet read() {
    List<String> lines = lines();
    return new DataSet(
        DEFINITION.name(),
        SHAPE,
        CLASSES,
        examples(lines.subList(0, TRAIN)),
        examples(lines.subList(TRAIN, lines.size())));
  }

  private static List<String> lines() {
    try (InputStream in = OptDigits.class.getResourceAsStream(FILE)) {
      byte[] file = in.readAllBytes();
      if (!Sha256.of(file).equals(SHA256)) {
        throw new IOException("expected SHA-256 " + SHA256 + ", found " + Sha256.of(file));
      }
      InputStream plain = new GZIPInputStream(new ByteArrayInputStream(file));
      return new String(plain.readAllBytes(), StandardCharsets.US_ASCII).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(FILE + " in AMB's jar", e);
    }
  }

  private static FloatExamples examples(List<String> lines) {
    int size = SHAPE.size();
    float[] features = new float[lines.size() * size];
    byte[] labels = new byte[lines.size()];
    for (int i = 0; i < labels.length; i++) {
      String[] numbers = lines.get(i).split(",");
      for (int j = 0; j < size; j++) {
        features[i * size + j] = Integer.parseInt(numbers[j]) / MAX_PIXEL;
      }
      labels[i] = Byte.parseByte(numbers[size]);
    }
    return new FloatExamples(features, labels);
  }
}
