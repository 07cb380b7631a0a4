package io.github.amb.core.codec.numeric;

import io.github.amb.core.codec.block.Shapes;
import java.util.Arrays;

/**
 * A block seen as a matrix M with at most as many columns as rows; a wide matrix is transposed.
 * Entries of the last row beyond the block are zero.
 */
public final class Matricized {
  private final int length;
  private final int blockColumns;
  private final boolean transposed;
  private final int rows;
  private final int columns;
  private float[] values;
  private int from;

  public Matricized(Shapes.Matrix matrix) {
    length = matrix.length();
    int blockRows = matrix.rows();
    blockColumns = matrix.columns();
    transposed = blockColumns > blockRows;
    rows = transposed ? blockColumns : blockRows;
    columns = transposed ? blockRows : blockColumns;
  }

  /** Number of entries of the block. */
  public int length() {
    return length;
  }

  public int rows() {
    return rows;
  }

  public int columns() {
    return columns;
  }

  /** Sets the block to {@code values}, from index {@code from} on; not copied. */
  public void of(float[] values, int from) {
    this.values = values;
    this.from = from;
  }

  /**
   * Copies rows; rows beyond the last one are zero.
   *
   * @param first index of the first row
   * @param into each array receives a row in its first entries
   */
  void copyRows(int first, double[][] into) {
    if (transposed) {
      copyColumnsOfBlock(first, into);
    } else {
      for (int k = 0; k < into.length; k++) {
        copy((first + k) * columns, into[k]);
      }
    }
  }

  private void copy(int start, double[] into) {
    int count = Math.max(0, Math.min(columns, length - start));
    for (int i = 0; i < count; i++) {
      into[i] = values[from + start + i];
    }
    Arrays.fill(into, count, columns, 0);
  }

  private void copyColumnsOfBlock(int first, double[][] into) {
    for (int column = 0; column < columns; column++) {
      int start = column * blockColumns + first;
      for (int k = 0; k < into.length; k++) {
        boolean inside = first + k < rows && start + k < length;
        into[k][column] = inside ? values[from + start + k] : 0;
      }
    }
  }

  /** Sets all entries of the block to zero. */
  public void clear() {
    Arrays.fill(values, from, from + length, 0);
  }

  /**
   * Adds the outer product u vᵀ: {@code ofRows} has an entry per row, {@code ofColumns} one per
   * column.
   */
  public void add(float[] ofRows, int rowsFrom, float[] ofColumns, int columnsFrom) {
    if (transposed) {
      outer(ofColumns, columnsFrom, columns, ofRows, rowsFrom, rows);
    } else {
      outer(ofRows, rowsFrom, rows, ofColumns, columnsFrom, columns);
    }
  }

  private void outer(float[] left, int leftFrom, int m, float[] right, int rightFrom, int n) {
    for (int i = 0; i < m; i++) {
      float scale = left[leftFrom + i];
      int at = i * n;
      int count = Math.min(n, length - at);
      for (int j = 0; j < count; j++) {
        values[from + at + j] += scale * right[rightFrom + j];
      }
    }
  }

  /**
   * Computes {@code M v}: one entry per row, written to {@code result} from {@code resultFrom} on.
   */
  public void timesColumns(double[] v, float[] result, int resultFrom) {
    if (transposed) {
      Arrays.fill(result, resultFrom, resultFrom + rows, 0);
      for (int i = 0; i < columns; i++) {
        addRow(i, (float) v[i], rows, result, resultFrom);
      }
    } else {
      for (int i = 0; i < rows; i++) {
        result[resultFrom + i] = (float) dot(i, columns, v);
      }
    }
  }

  /**
   * Computes {@code Mᵀ u}: one entry per column, written to {@code result} from {@code resultFrom}
   * on.
   */
  public void timesRows(double[] u, float[] result, int resultFrom) {
    if (transposed) {
      for (int i = 0; i < columns; i++) {
        result[resultFrom + i] = (float) dot(i, rows, u);
      }
    } else {
      Arrays.fill(result, resultFrom, resultFrom + columns, 0);
      for (int i = 0; i < rows; i++) {
        addRow(i, (float) u[i], columns, result, resultFrom);
      }
    }
  }

  /** Adds {@code factor} times a stored row of {@code n} entries to {@code result}. */
  private void addRow(int row, float factor, int n, float[] result, int resultFrom) {
    int at = row * n;
    int count = Math.min(n, length - at);
    for (int j = 0; j < count; j++) {
      result[resultFrom + j] += factor * values[from + at + j];
    }
  }

  private double dot(int row, int n, double[] v) {
    int at = row * n;
    int count = Math.min(n, length - at);
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    int j = 0;
    for (; j <= count - 4; j += 4) {
      s0 += v[j] * values[from + at + j];
      s1 += v[j + 1] * values[from + at + j + 1];
      s2 += v[j + 2] * values[from + at + j + 2];
      s3 += v[j + 3] * values[from + at + j + 3];
    }
    for (; j < count; j++) {
      s0 += v[j] * values[from + at + j];
    }
    return s0 + s1 + (s2 + s3);
  }
}
