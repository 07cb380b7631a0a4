package io.github.amb.models.data;

import io.github.amb.core.file.Folder;
import io.github.amb.core.file.NpyArray;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.example.ByteExamples;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.data.example.ImageShape;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Examples without labels, which a trained network is asked about: an image, the images of a
 * folder, the rows of a CSV file, or a NumPy array (.npy) of rows.
 */
public final class Inputs {
  private final ImageShape shape;
  private final float scale;
  private final Sink sink;

  /** Receives examples. */
  @FunctionalInterface
  public interface Sink {
    /**
     * Takes an example.
     *
     * @param name of the file, or the number of the row, from 1
     * @param features as the network takes them; the receiver's from now on
     */
    void accept(String name, float[] features) throws IOException;
  }

  /**
   * @param data the network's, which say the shape of examples, and whether whole numbers from 0 to
   *     255 stand for numbers from 0 to 1
   * @param sink receives the examples in order
   */
  public Inputs(DataSet data, Sink sink) {
    shape = data.shape();
    scale = areBytes(data.train()) ? ByteExamples.SCALE : 1;
    this.sink = sink;
  }

  private static boolean areBytes(Examples examples) {
    return examples instanceof DerivedExamples derived
        ? areBytes(derived.examples())
        : examples instanceof ByteExamples;
  }

  /**
   * Reads a file or folder.
   *
   * @throws UsageException if it cannot be read, or its examples do not fit
   */
  public void read(Path path) throws IOException {
    String name = path.getFileName() == null ? "" : path.getFileName().toString();
    if (Files.isDirectory(path)) {
      List<Path> images = Folder.entries(path).stream().filter(ImageFolder::isImage).toList();
      if (images.isEmpty()) {
        throw new UsageException("%s: expected images in the folder, found none", path);
      }
      for (Path image : images) {
        readImage(image);
      }
    } else if (name.endsWith(".csv") || name.endsWith(".csv.gz")) {
      readRows(path);
    } else if (name.endsWith(".npy")) {
      readArray(path);
    } else {
      readImage(path);
    }
  }

  /** Scales an image to the size of the network's; a gray one serves as a color one. */
  private void readImage(Path file) throws IOException {
    ImageFile image = ImageFile.read(file, (height, width) -> {}, new ReadingNotes(file));
    if (image.channels() > shape.channels()) {
      throw new UsageException("%s: expected a gray image, found a color one", file);
    }
    byte[] pixels = new byte[shape.size()];
    image.copy(shape, pixels, 0);
    float[] features = new float[pixels.length];
    for (int i = 0; i < features.length; i++) {
      features[i] = Byte.toUnsignedInt(pixels[i]) * ByteExamples.SCALE;
    }
    sink.accept(file.getFileName().toString(), features);
  }

  /** Each row has the features alone; a first row without any number has names. */
  private void readRows(Path file) throws IOException {
    try (CsvRows rows = new CsvRows(file, CsvRows.separator(file))) {
      int count = 0;
      boolean first = true;
      for (List<String> row = rows.next(); row != null; row = rows.next()) {
        boolean names = first && row.stream().noneMatch(CsvDataSet::isNumber);
        first = false;
        if (!names) {
          count++;
          expectSize(file + " line " + rows.line, row.size());
          float[] features = new float[row.size()];
          for (int i = 0; i < features.length; i++) {
            features[i] = CsvDataSet.number(file, row.get(i), rows.line, i + 1) * scale;
          }
          sink.accept(Integer.toString(count), features);
        }
      }
    }
  }

  private void expectSize(String where, long found) {
    if (found != shape.size()) {
      throw new UsageException(
          "%s: expected the %d features of an example, %s, and nothing else, found %d values",
          where, shape.size(), shape, found);
    }
  }

  private void readArray(Path file) throws IOException {
    NpyArray array;
    try (InputStream in = Files.newInputStream(file)) {
      array = NpyArray.read(file.toString(), in);
    }
    int rows = array.shape().length == 0 ? 0 : array.shape()[0];
    expectSize(file.toString(), rows == 0 ? 0 : array.length() / rows);
    for (int row = 0; row < rows; row++) {
      float[] features = new float[shape.size()];
      for (int i = 0; i < features.length; i++) {
        features[i] = (float) array.get(row * features.length + i) * scale;
      }
      sink.accept(Integer.toString(row + 1), features);
    }
  }
}
