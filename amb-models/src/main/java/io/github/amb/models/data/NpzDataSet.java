package io.github.amb.models.data;

import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.NpyArray;
import io.github.amb.core.file.Printable;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.DecodedSet;
import io.github.amb.models.data.example.ExampleArrays;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.data.example.StoredExamples;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * NumPy arrays {@code x_train}, {@code y_train} and optionally {@code x_test} and {@code y_test} in
 * one NPZ file, as Keras has them. Examples are images [n, height, width], [n, height, width,
 * channels] or [n, channels, height, width] with 1 or 3 channels, or vectors [n, features]. Labels
 * are integers [n] or [n, 1], or [n, classes] with a 1 at the class and 0 elsewhere.
 *
 * <p>All headers are checked before any data are read.
 */
final class NpzDataSet extends UserDataSet {
  private static final Set<String> ARRAYS =
      Set.of("x_train.npy", "y_train.npy", "x_test.npy", "y_test.npy");

  NpzDataSet(Path path) {
    super(path.toString(), path);
  }

  @Override
  String form() {
    return "npz";
  }

  /** The headers of examples and labels. */
  private record Part(NpyArray x, NpyArray y) {
    int count() {
      return x.shape().length == 0 ? 0 : x.shape()[0];
    }

    int[] example() {
      return Arrays.copyOfRange(x.shape(), 1, x.shape().length);
    }

    long memory() {
      long each = x.kind().equals("u1") ? 1 : Float.BYTES;
      return (long) x.bytes() + y.bytes() + each * x.length();
    }
  }

  @Override
  DecodedSet read(ReadingNotes notes) throws IOException {
    try (ZipFile zip = new ZipFile(BoundedFile.expectFile(path()).toFile())) {
      String others =
          zip.stream()
              .map(ZipEntry::getName)
              .filter(name -> !ARRAYS.contains(name))
              .collect(Collectors.joining(", "));
      if (!others.isEmpty()) {
        notes.add("arrays left out", Printable.shown(others));
      }
      Part train = part(zip, "train");
      boolean tested = zip.getEntry("x_test.npy") != null || zip.getEntry("y_test.npy") != null;
      Part test = tested ? part(zip, "test") : null;
      if (tested && !Arrays.equals(train.example(), test.example())) {
        throw new UsageException(
            "%s: expected examples of %s in x_test as in x_train, found %s",
            path(), Arrays.toString(train.example()), Arrays.toString(test.example()));
      }
      ImageShape shape = shape(train, notes);
      BoundedFile.requireMemory(path().toString(), train.memory() + (tested ? test.memory() : 0));
      long[] labels = NpyLabels.of(array(zip, "y_train"), train.count());
      int classes = ExampleArrays.classes(path() + ": y_train", labels);
      NpyArray x = array(zip, "x_train");
      if (!tested) {
        StoredExamples all = noted(examples(x, arePixels(x), labels, classes), x, notes);
        return split(shape, classes, all, List.of(), notes);
      }
      long[] testLabels = NpyLabels.of(array(zip, "y_test"), test.count());
      NpyArray testX = array(zip, "x_test");
      boolean pixels = arePixels(x, testX);
      return new DecodedSet(
          shape,
          classes,
          noted(examples(x, pixels, labels, classes), x, notes),
          examples(testX, pixels, testLabels, classes));
    }
  }

  private static StoredExamples noted(StoredExamples examples, NpyArray x, ReadingNotes notes) {
    boolean exact = x.width() < Float.BYTES || x.kind().equals("f4");
    if (examples.type() == StoredExamples.Type.FLOAT && !exact) {
      notes.add("features are rounded to floats of 4 bytes", "x_train has type " + x.type());
    }
    return noted(examples, notes);
  }

  private Part part(ZipFile zip, String name) throws IOException {
    Part part = new Part(header(zip, "x_" + name), header(zip, "y_" + name));
    if (part.x().shape().length == 0 || part.x().length() == 0) {
      throw new UsageException(
          "%s: expected examples, found shape %s",
          part.x().source(), Arrays.toString(part.x().shape()));
    }
    NpyLabels.expect(part.y(), part.count());
    return part;
  }

  private NpyArray header(ZipFile zip, String name) throws IOException {
    try (InputStream in = zip.getInputStream(entry(zip, name))) {
      return NpyArray.header(path() + ": " + name, in);
    }
  }

  private NpyArray array(ZipFile zip, String name) throws IOException {
    try (InputStream in = zip.getInputStream(entry(zip, name))) {
      return NpyArray.read(path() + ": " + name, in);
    }
  }

  private ZipEntry entry(ZipFile zip, String name) {
    ZipEntry entry = zip.getEntry(name + ".npy");
    if (entry == null) {
      throw new UsageException(
          "%s: expected arrays x_train and y_train, and x_test and y_test or neither, found no %s",
          path(), name);
    }
    return entry;
  }

  /** Whether all features of all arrays are those of pixels. */
  private static boolean arePixels(NpyArray... arrays) {
    boolean above = false;
    for (NpyArray array : arrays) {
      for (int i = 0; i < array.length(); i++) {
        float feature = (float) array.get(i);
        if (!ExampleArrays.isByte(feature)) {
          return false;
        }
        above |= feature > 1;
      }
    }
    return above;
  }

  private static StoredExamples examples(
      NpyArray array, boolean pixels, long[] labels, int classes) {
    Order order = Order.of(array.shape());
    if (pixels) {
      byte[] bytes = new byte[array.length()];
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) (float) array.get(order.source(i));
      }
      return ExampleArrays.pixels(array.source(), bytes, labels, classes);
    }
    BoundedFile.requireMemory(array.source(), (long) Float.BYTES * array.length());
    float[] features = new float[array.length()];
    for (int i = 0; i < features.length; i++) {
      features[i] = (float) array.get(order.source(i));
    }
    return ExampleArrays.numbers(array.source(), features, labels, classes);
  }

  /** Maps features in the order of channels, rows, columns to their index in an array. */
  private record Order(int size, int plane, int channels) {
    static Order of(int[] shape) {
      int[] example = Arrays.copyOfRange(shape, 1, shape.length);
      int size = Arrays.stream(example).reduce(1, (a, b) -> a * b);
      int channels = channelsLast(example) ? example[2] : 1;
      return new Order(size, size / channels, channels);
    }

    int source(int feature) {
      int inExample = feature % size;
      int channel = inExample / plane;
      int pixel = inExample % plane;
      return feature - inExample + pixel * channels + channel;
    }
  }

  private static boolean channelsLast(int[] example) {
    return example.length == 3 && areChannels(example[2]);
  }

  private static boolean areChannels(int size) {
    return size == 1 || size == 3;
  }

  private ImageShape shape(Part part, ReadingNotes notes) {
    int[] example = part.example();
    if (channelsLast(example) && areChannels(example[0])) {
      notes.add(
          "channels may be at either end, taken as the last axis",
          Arrays.toString(part.x().shape()));
    }
    if (example.length == 3 && !channelsLast(example) && !areChannels(example[0])) {
      throw new UsageException(
          "%s: expected images of 1 or 3 channels, first or last, found shape %s",
          part.x().source(), Arrays.toString(part.x().shape()));
    }
    return switch (example.length) {
      case 1 -> shape(example[0], notes);
      case 2 -> new ImageShape(1, example[0], example[1]);
      case 3 ->
          channelsLast(example)
              ? new ImageShape(example[2], example[0], example[1])
              : new ImageShape(example[0], example[1], example[2]);
      default ->
          throw new UsageException(
              "%s: x_train: expected 2 to 4 dimensions, found %d", path(), example.length + 1);
    };
  }
}
