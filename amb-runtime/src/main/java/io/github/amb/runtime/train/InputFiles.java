package io.github.amb.runtime.train;

import static io.github.amb.models.data.DataSettings.DATA_SET;
import static io.github.amb.models.network.NetworkSettings.NETWORK;

import io.github.amb.core.file.DataLimits;
import io.github.amb.core.file.NpyArray;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.train.part.RunInput;
import io.github.amb.runtime.train.part.RunParts;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Files of the data and the network that a program gave as objects. Ranks that are processes read
 * them, and so do commands that look at the run later.
 */
final class InputFiles {
  private static final String FOLDER = "input";

  private InputFiles() {}

  /**
   * Checks that files can hold what a program gave.
   *
   * @param data the data set; null if it has a name
   * @throws UsageException if they cannot
   */
  static void check(DataSet data) {
    if (data != null) {
      checkShape(data.shape());
      check("training", data.train(), data.shape());
      check("test", data.test(), data.shape());
    }
  }

  /** A file has no place for the kind of axis: the last one is channels if it is 1 or 3 long. */
  private static void checkShape(ImageShape shape) {
    boolean mistaken = shape.width() == 1 || shape.width() == 3;
    if (!isChannelsLast(shape) && mistaken) {
      throw new UsageException(
          "data: expected 1 or 3 channels, or a width other than 1 and 3, found " + shape);
    }
  }

  private static void check(String what, Examples examples, ImageShape shape) {
    if ((long) examples.count() * shape.size() * Float.BYTES > DataLimits.EXAMPLE_BYTES) {
      throw new UsageException(
          "data: expected at most %d bytes of %s examples, found %d examples of %s",
          DataLimits.EXAMPLE_BYTES, what, examples.count(), shape);
    }
    float[] example = new float[shape.size()];
    boolean above = false;
    for (int i = 0; i < examples.count(); i++) {
      examples.copyFeatures(i, example);
      for (float feature : example) {
        if (feature < 0 || feature > 255 || feature != (int) feature) {
          return;
        }
        above |= feature > 1;
      }
    }
    if (above) {
      throw new UsageException(
          "data: expected features that a file keeps as they are, found %s examples of integers from 0 to 255, which are read as pixels; divide them by 255",
          what);
    }
  }

  /**
   * Writes what a program gave.
   *
   * @param input what the program gave
   * @param run made from it
   * @param directory the run's directory, or another one; gets a folder
   * @return the settings with the names of the files
   * @throws IOException if a file cannot be written
   */
  static Settings write(RunInput input, RunParts run, Path directory) throws IOException {
    Settings named = run.settings();
    Path folder = directory.toAbsolutePath().normalize().resolve(FOLDER);
    if (input.data() != null) {
      Files.createDirectories(folder);
      Path file = folder.resolve("data.npz");
      write(run.data(), file);
      named = named.with(DATA_SET, file);
    }
    if (input.network() != null) {
      Files.createDirectories(folder);
      Path file = folder.resolve("network.json");
      Files.writeString(file, input.network());
      named = named.with(NETWORK, file);
    }
    return named;
  }

  private static void write(DataSet data, Path file) throws IOException {
    try (ZipOutputStream zip =
        new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
      zip.setLevel(Deflater.NO_COMPRESSION);
      write(zip, "train", data.train(), data.shape());
      write(zip, "test", data.test(), data.shape());
    }
  }

  private static void write(ZipOutputStream zip, String part, Examples examples, ImageShape shape)
      throws IOException {
    int size = shape.size();
    float[] features = new float[examples.count() * size];
    long[] labels = new long[examples.count()];
    float[] example = new float[size];
    for (int i = 0; i < examples.count(); i++) {
      examples.copyFeatures(i, example);
      put(example, shape, features, i * size);
      labels[i] = examples.label(i);
    }
    zip.putNextEntry(new ZipEntry("x_" + part + ".npy"));
    int channels = shape.channels();
    if (isChannelsLast(shape)) {
      NpyArray.write(zip, features, 0, labels.length, shape.height(), shape.width(), channels);
    } else {
      NpyArray.write(zip, features, 0, labels.length, channels, shape.height(), shape.width());
    }
    zip.putNextEntry(new ZipEntry("y_" + part + ".npy"));
    NpyArray.write(zip, labels);
    zip.closeEntry();
  }

  private static boolean isChannelsLast(ImageShape shape) {
    return shape.channels() == 1 || shape.channels() == 3;
  }

  private static void put(float[] example, ImageShape shape, float[] target, int offset) {
    int channels = isChannelsLast(shape) ? shape.channels() : 1;
    int plane = example.length / channels;
    for (int i = 0; i < example.length; i++) {
      target[offset + i % plane * channels + i / plane] = example[i];
    }
  }
}
