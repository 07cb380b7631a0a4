package io.github.amb.models.dl4j;

import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.file.Printable;
import io.github.amb.core.option.UsageException;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Set;

/**
 * Reads the headers of an array that ND4J wrote: two buffers, shape and data, each after a header
 * with allocation mode, length and type. ND4J itself allocates any length that a header states.
 */
final class SavedArray {
  /** Allocation modes from versions with 32-bit lengths. */
  private static final Set<String> SHORT_LENGTHS = Set.of("HEAP", "JAVACPP", "DIRECT");

  private static final Set<String> LONG_LENGTHS = Set.of("LONG_SHAPE", "MIXED_DATA_TYPES");
  private static final Set<String> NUMBERS = Set.of("FLOAT", "DOUBLE", "HALF", "BFLOAT16");

  /** Maximum length of a shape: number, sizes and strides of 32 dimensions, and three facts. */
  private static final int MAX_SHAPE = 2 * 32 + 4;

  private SavedArray() {}

  /** The header of a buffer. */
  private record Header(long length, String type) {
    static Header read(String source, DataInputStream in) throws IOException {
      String allocation = in.readUTF();
      boolean old = SHORT_LENGTHS.contains(allocation);
      if (!old && !LONG_LENGTHS.contains(allocation)) {
        throw new UsageException(source + ": expected an array that ND4J wrote");
      }
      return new Header(old ? in.readInt() : in.readLong(), in.readUTF());
    }
  }

  /**
   * Checks the lengths before an array is read.
   *
   * @param source the file, for messages
   * @throws UsageException if it is not an array of numbers, has more than {@link
   *     DataLimits#NETWORK_PARAMETERS} of them, or needs more memory than there is
   * @throws IOException if it is truncated
   */
  static void expectBounded(String source, DataInputStream in) throws IOException {
    Header shape = Header.read(source, in);
    if (shape.length < 0 || shape.length > MAX_SHAPE) {
      throw new UsageException(
          "%s: expected a shape of at most %d numbers, found %d", source, MAX_SHAPE, shape.length);
    }
    in.skipNBytes(shape.length * (shape.type.equals("LONG") ? Long.BYTES : Integer.BYTES));
    Header data = Header.read(source, in);
    if (!NUMBERS.contains(data.type)
        || data.length < 0
        || data.length > DataLimits.NETWORK_PARAMETERS) {
      throw new UsageException(
          "%s: expected at most %d parameters of type FLOAT, DOUBLE, HALF or BFLOAT16, found %d of %s",
          source, DataLimits.NETWORK_PARAMETERS, data.length, Printable.printable(data.type));
    }
    BoundedFile.requireMemory(source, data.length * Float.BYTES);
  }
}
