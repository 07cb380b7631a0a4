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

  /** Length of the header of a file of images. */
  static final int HEADER_BYTES = 16;

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
   * @throws UsageException if the file is missing or malformed
   */
  public static Images images(Path file) {
    try (DataFile in = DataFile.open(file)) {
      Header header = header(in);
      byte[] pixels = in.read(header.length, header.what());
      in.expectEnd(header.what());
      return new Images(pixels, header.count, header.rows, header.columns);
    }
  }

  /** The sizes in the header of a file of images. */
  record Header(int count, int rows, int columns, long length) {
    private String what() {
      return "%s images of %sx%s".formatted(count, rows, columns);
    }
  }

  /**
   * Reads the header of a file of images, plain or gzip, but no image.
   *
   * @param rows expected height
   * @param columns expected width
   * @throws UsageException if the file is missing, its header is malformed, or images have another
   *     size
   */
  static Header header(Path file, int rows, int columns) {
    try (DataFile in = DataFile.open(file)) {
      Header header = header(in);
      if (header.rows != rows || header.columns != columns) {
        throw in.error(
            8,
            "images of %dx%d".formatted(rows, columns),
            "%dx%d".formatted(header.rows, header.columns));
      }
      return header;
    }
  }

  /**
   * Checks that a plain file of images ends where its header says.
   *
   * @throws UsageException if the file is malformed
   */
  static void expectWhole(Path file) {
    try (DataFile in = DataFile.open(file)) {
      Header header = header(in);
      in.skip(header.length, header.what());
      in.expectEnd(header.what());
    }
  }

  private static Header header(DataFile in) {
    expectMagic(in, IMAGES_MAGIC, "images");
    int count = positive(in, "number of images");
    int rows = positive(in, "number of rows");
    int columns = positive(in, "number of columns");
    return new Header(count, rows, columns, length(in, count, rows, columns));
  }

  /**
   * Reads a file of labels, one per image.
   *
   * @param classes labels are expected to be 0 to this − 1
   * @param images the file of images, for messages
   * @param expected number of images
   * @throws UsageException if the file is missing or malformed, or has another number of labels
   */
  static byte[] labels(Path file, int classes, Path images, int expected) {
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
        if (label >= classes) {
          throw in.error(start + i, "a label from 0 to " + (classes - 1), Integer.toString(label));
        }
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

  private static long length(DataFile in, int count, int rows, int columns) {
    double length = (double) count * rows * columns;
    if (length > DataLimits.EXAMPLE_BYTES) {
      throw in.error(
          4, "at most 2 GiB of pixels", "%d images of %dx%d".formatted(count, rows, columns));
    }
    return (long) length;
  }
}
