package io.github.amb.models.data;

import io.github.amb.core.command.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.LongStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * NumPy arrays {@code x_train}, {@code y_train}, {@code x_test} and {@code y_test} in one NPZ file,
 * as Keras has them: images [n, height, width] or [n, height, width, channels] with 1 or 3
 * channels, or [n, channels, height, width], or vectors [n, features]; labels [n] or [n, 1].
 */
final class NpzDataSet extends UserDataSet {
  NpzDataSet(Path path) {
    super(path);
  }

  @Override
  String form() {
    return "npz";
  }

  @Override
  DecodedSet read() throws IOException {
    try (ZipFile zip = new ZipFile(path().toFile())) {
      NpyArray x = array(zip, "x_train");
      NpyArray testX = array(zip, "x_test");
      long[] labels = labels(array(zip, "y_train"), x, "y_train");
      long[] testLabels = labels(array(zip, "y_test"), testX, "y_test");
      int[] one = example(x);
      if (!Arrays.equals(one, example(testX))) {
        throw new UsageException(
            "%s: expected examples of %s in x_test as in x_train, found %s"
                .formatted(path(), Arrays.toString(one), Arrays.toString(example(testX))));
      }
      int classes = ExampleArrays.classes(path() + ": y_train", labels);
      return new DecodedSet(
          shape(one),
          classes,
          ExampleArrays.pack(path() + ": x_train", features(x), labels, classes),
          ExampleArrays.pack(path() + ": x_test", features(testX), testLabels, classes));
    }
  }

  private NpyArray array(ZipFile zip, String name) throws IOException {
    ZipEntry entry = zip.getEntry(name + ".npy");
    if (entry == null) {
      throw new UsageException(
          "%s: expected arrays x_train, y_train, x_test and y_test, found no %s"
              .formatted(path(), name));
    }
    try (InputStream in = zip.getInputStream(entry)) {
      return NpyArray.parse(path() + ": " + name, in.readAllBytes());
    }
  }

  private long[] labels(NpyArray labels, NpyArray examples, String name) {
    int expected = examples.shape().length == 0 ? 0 : examples.shape()[0];
    if (expected == 0 || labels.length() != expected) {
      throw new UsageException(
          "%s: %s: expected a label for each of %d examples, found %d"
              .formatted(path(), name, expected, labels.length()));
    }
    return LongStream.range(0, expected).map(i -> (long) labels.get((int) i)).toArray();
  }

  private static int[] example(NpyArray array) {
    int[] shape = array.shape();
    return Arrays.copyOfRange(shape, 1, shape.length);
  }

  private static boolean channelsLast(int[] example) {
    return example.length == 3 && (example[2] == 1 || example[2] == 3);
  }

  private ImageShape shape(int[] example) {
    return switch (example.length) {
      case 1 -> ExampleArrays.shape(example[0]);
      case 2 -> new ImageShape(1, example[0], example[1]);
      case 3 ->
          channelsLast(example)
              ? new ImageShape(example[2], example[0], example[1])
              : new ImageShape(example[0], example[1], example[2]);
      default ->
          throw new UsageException(
              "%s: x_train: expected 2 to 4 dimensions, found %d"
                  .formatted(path(), example.length + 1));
    };
  }

  /** In the order of channels, rows, columns. */
  private static float[] features(NpyArray array) {
    int[] example = example(array);
    float[] features = new float[array.length()];
    int channels = channelsLast(example) ? example[2] : 1;
    int size = features.length / array.shape()[0];
    int plane = size / channels;
    for (int i = 0; i < features.length; i++) {
      int start = i / size * size;
      int channel = i % size / plane;
      int pixel = i % size % plane;
      features[i] = (float) array.get(start + pixel * channels + channel);
    }
    return features;
  }
}
