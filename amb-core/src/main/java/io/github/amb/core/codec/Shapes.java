package io.github.amb.core.codec;

/** Numbers about a block's dimensions. */
final class Shapes {
  private Shapes() {}

  /** Number of entries. */
  static int length(int... shape) {
    int length = 1;
    for (int size : shape) {
      length = Math.multiplyExact(length, size);
    }
    return length;
  }

  /**
   * The matrix that a block is taken for, row by row; where it is longer than the block, the last
   * row is filled up with zeros.
   *
   * @param length entries of the block
   */
  record Matrix(int length, int rows, int columns) {
    /** Singular values that are not zero, at most. */
    int rank() {
      return Math.min(rows, columns);
    }
  }

  private static Matrix matrix(int length, int columns) {
    return new Matrix(length, columns == 0 ? 0 : (length + columns - 1) / columns, columns);
  }

  /**
   * Leading dimensions joined so that rows plus columns are fewest. A block with one dimension
   * becomes nearly square.
   */
  static Matrix nearlySquare(int... shape) {
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
   * ATOMO's matrices: a × b for a dense layer of that shape and for a convolution with 1 × 1
   * windows; ab / 2 × 2hw for a convolution of shape a × b × h × w, two windows in each row; n / 2
   * × 2 for n entries in one dimension. Rows are rounded up.
   *
   * <p>As in the program of the authors (github.com/hwang595/ATOMO), which needs even numbers.
   */
  static Matrix windowPairs(int... shape) {
    int length = length(shape);
    if (length == 0) {
      return new Matrix(0, 0, 0);
    }
    int window = shape.length < 2 ? 1 : length / (shape[0] * shape[1]);
    return matrix(length, shape.length >= 2 && window == 1 ? shape[1] : 2 * window);
  }
}
