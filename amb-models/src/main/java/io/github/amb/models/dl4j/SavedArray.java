package io.github.amb.models.dl4j;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.input.BoundedFile;
import io.github.amb.core.input.DataLimits;
import io.github.amb.core.record.Printable;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Set;

/**
 * A look at an array that ND4J wrote: two buffers, the shape and the data, each after a header with
 * how it was allocated, its length and its type. ND4J makes room for any length that is there.
 */
final class SavedArray {
  /** How buffers were allocated when lengths had 32 bits. */
  private static final Set<String> SHORT_LENGTHS = Set.of("HEAP", "JAVACPP", "DIRECT");

  private static final Set<String> LONG_LENGTHS = Set.of("LONG_SHAPE", "MIXED_DATA_TYPES");
  private static final Set<String> NUMBERS = Set.of("FLOAT", "DOUBLE", "HALF", "BFLOAT16");

  /** Of 32 dimensions: their number, sizes and strides, and three facts. */
  private static final int MOST_SHAPE = 2 * 32 + 4;

  private SavedArray() {}

  /** What stands before a buffer's content. */
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
   * @param source names it in messages
   * @throws UsageException if it is no array of numbers, of more than {@link
   *     DataLimits#NETWORK_PARAMETERS}, or of more than fit into memory
   * @throws IOException if it is cut
   */
  static void expectBounded(String source, DataInputStream in) throws IOException {
    Header shape = Header.read(source, in);
    if (shape.length < 0 || shape.length > MOST_SHAPE) {
      throw new UsageException(
          "%s: expected a shape of at most %d numbers, found %d"
              .formatted(source, MOST_SHAPE, shape.length));
    }
    in.skipNBytes(shape.length * (shape.type.equals("LONG") ? Long.BYTES : Integer.BYTES));
    Header data = Header.read(source, in);
    if (!NUMBERS.contains(data.type)
        || data.length < 0
        || data.length > DataLimits.NETWORK_PARAMETERS) {
      throw new UsageException(
          "%s: expected at most %d parameters of type FLOAT, DOUBLE, HALF or BFLOAT16, found %d of %s"
              .formatted(
                  source,
                  DataLimits.NETWORK_PARAMETERS,
                  data.length,
                  Printable.printable(data.type)));
    }
    BoundedFile.requireMemory(source, data.length * Float.BYTES);
  }
}
