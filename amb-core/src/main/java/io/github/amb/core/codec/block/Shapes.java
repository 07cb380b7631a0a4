package io.github.amb.core.codec.block;

/** Computes lengths and matrices from the dimensions of a block. */
public final class Shapes {
  private Shapes() {}

  /** Number of entries of a block. */
  public static int length(int... shape) {
    int length = 1;
    for (int size : shape) {
      length = Math.multiplyExact(length, size);
    }
    return length;
  }

  /**
   * The matrix that a block is read as, row by row. If it has more entries than the block, the last
   * row is padded with zeros.
   *
   * @param length number of entries of the block
   */
  public record Matrix(int length, int rows, int columns) {
    /** Maximum number of singular values other than zero. */
    public int rank() {
      return Math.min(rows, columns);
    }
  }

  private static Matrix matrix(int length, int columns) {
    return new Matrix(length, columns == 0 ? 0 : (length + columns - 1) / columns, columns);
  }

  /**
   * Joins leading dimensions so that the sum of rows and columns is smallest. A block with one
   * dimension becomes nearly square.
   */
  public static Matrix nearlySquare(int... shape) {
    int length = length(shape);
    long fewest = length + 1L;
    int best = 1;
    int rows = 1;
    for (int size : shape) {
      rows *= size;
      if (length > 0 && rows + (long) length / rows < fewest) {
        fewest = rows + (long) length / rows;
        best = rows;
      }
    }
    boolean line = best == 1 || best == length;
    int joined = line ? (int) Math.ceil(Math.sqrt(length)) : best;
    return new Matrix(length, joined, joined == 0 ? 0 : (length + joined - 1) / joined);
  }

  /**
   * ATOMO's matrices. A dense layer and a convolution with 1 × 1 windows, of shape a × b, are a ×
   * b. A convolution of shape a × b × h × w is ab / 2 × 2hw, with two windows in each row. A block
   * with n entries in one dimension is n / 2 × 2. Numbers of rows are rounded up.
   *
   * <p>The authors' program (github.com/hwang595/ATOMO) has the same matrices but requires even
   * numbers.
   */
  public static Matrix windowPairs(int... shape) {
    int length = length(shape);
    if (length == 0) {
      return new Matrix(0, 0, 0);
    }
    int window = shape.length < 2 ? 1 : length / (shape[0] * shape[1]);
    return matrix(length, shape.length >= 2 && window == 1 ? shape[1] : 2 * window);
  }
}
