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
   * Number of rows of the matrix that a block is taken for: leading dimensions joined so that rows
   * plus columns are fewest. A block with one dimension becomes nearly square, the last row filled
   * up with zeros.
   */
  static int rows(int... shape) {
    int length = length(shape);
    if (length == 0) {
      return 0;
    }
    long fewest = length + 1L;
    int best = 1;
    int rows = 1;
    for (int size : shape) {
      rows *= size;
      if (rows + (long) length / rows < fewest) {
        fewest = rows + (long) length / rows;
        best = rows;
      }
    }
    return best == 1 || best == length ? (int) Math.ceil(Math.sqrt(length)) : best;
  }

  /** Number of columns of that matrix. */
  static int columns(int... shape) {
    int rows = rows(shape);
    return rows == 0 ? 0 : (length(shape) + rows - 1) / rows;
  }
}
