package io.github.amb.models.data;

import io.github.amb.core.file.DataLimits;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.source.DataFile;
import java.nio.file.Path;

/**
 * Reads the IDX files of MNIST and its successors, plain or gzip.
 *
 * <p>A header of big-endian 32-bit integers (magic number, then the size of each dimension) is
 * followed by unsigned bytes (LeCun, Cortes, Burges: "The MNIST database of handwritten digits").
 */
public final class IdxReader {
  private static final int IMAGES_MAGIC = 0x00000803;
  private static final int LABELS_MAGIC = 0x00000801;

  private IdxReader() {}

  /**
   * Images of one file.
   *
   * @param pixels image after image, row by row
   * @param count number of images
   * @param rows height
   * @param columns width
   */
  public record Images(byte[] pixels, int count, int rows, int columns) {}

  /**
   * Reads a file of images.
   *
   * @param size expected height and width; empty for any
   * @throws UsageException if the file is missing or malformed, or images have another size
   */
  public static Images images(Path file, int... size) {
    try (DataFile in = DataFile.open(file)) {
      expectMagic(in, IMAGES_MAGIC, "images");
      int count = positive(in, "number of images");
      int rows = positive(in, "number of rows");
      int columns = positive(in, "number of columns");
      if (size.length > 0 && (rows != size[0] || columns != size[1])) {
        throw in.error(
            8, "images of %dx%d".formatted(size[0], size[1]), "%dx%d".formatted(rows, columns));
      }
      String what = "%s images of %sx%s".formatted(count, rows, columns);
      if ((double) count * rows * columns > DataLimits.EXAMPLE_BYTES) {
        throw in.error(4, "at most 2 GiB of pixels", what);
      }
      byte[] pixels = in.read((long) count * rows * columns, what);
      in.expectEnd(what);
      return new Images(pixels, count, rows, columns);
    }
  }

  /**
   * Reads a file of labels, one per image.
   *
   * @param first the first label, which becomes class 0
   * @param classes number of classes
   * @param images the file of images, for messages
   * @param expected number of images
   * @throws UsageException if the file is missing or malformed, or has another number of labels
   */
  static byte[] labels(Path file, int first, int classes, Path images, int expected) {
    try (DataFile in = DataFile.open(file)) {
      expectMagic(in, LABELS_MAGIC, "labels");
      int count = positive(in, "number of labels");
      if (count != expected) {
        throw in.error(
            4,
            "%d labels, one for each image of %s".formatted(expected, images),
            Integer.toString(count));
      }
      long start = in.offset();
      byte[] labels = in.read(count, count + " labels");
      in.expectEnd(count + " labels");
      for (int i = 0; i < count; i++) {
        int label = labels[i] & 0xff;
        if (label < first || label >= first + classes) {
          String expectedLabel = "a label from %d to %d".formatted(first, first + classes - 1);
          throw in.error(start + i, expectedLabel, Integer.toString(label));
        }
        labels[i] -= (byte) first;
      }
      return labels;
    }
  }

  private static void expectMagic(DataFile in, int magic, String content) {
    int found = in.readInt("magic number");
    if (found != magic) {
      throw in.error(
          0, "magic number 0x%08x (IDX %s)".formatted(magic, content), "0x%08x".formatted(found));
    }
  }

  private static int positive(DataFile in, String what) {
    long start = in.offset();
    int value = in.readInt(what);
    if (value <= 0) {
      throw in.error(start, "a positive " + what, Integer.toUnsignedString(value));
    }
    return value;
  }
}
