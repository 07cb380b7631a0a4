package io.github.amb.core.codec;

import java.util.Arrays;

/**
 * Singular values and right singular vectors of a matrix with few columns, as the roots of the
 * eigenvalues and the eigenvectors of its Gram matrix MᵀM, formed in double precision. That squares
 * the condition number, so values below 10⁻⁷ of the largest are taken for zero.
 */
final class SingularVectors {
  private static final double NEGLIGIBLE = 1e-7;
  private static final int ROWS = 8;

  private final int columns;
  private final double[][] rows;
  private final double[][] sums;
  private final SymmetricEigen eigen;
  private final double[] values;

  SingularVectors(int columns) {
    this.columns = columns;
    rows = new double[ROWS][columns];
    sums = new double[columns][columns];
    eigen = new SymmetricEigen(columns);
    values = new double[columns];
  }

  /** Decomposes a matrix, which is not modified. */
  void decompose(Matricized matrix) {
    formGram(matrix);
    eigen.decompose(sums);
    double largest = 0;
    for (int j = 0; j < columns; j++) {
      largest = Math.max(largest, eigen.value(j));
    }
    for (int j = 0; j < columns; j++) {
      double value = Math.sqrt(Math.max(0, eigen.value(j)));
      values[j] = value > NEGLIGIBLE * Math.sqrt(largest) ? value : 0;
    }
  }

  /** The upper half and its mirror image. */
  private void formGram(Matricized matrix) {
    for (double[] row : sums) {
      Arrays.fill(row, 0);
    }
    for (int first = 0; first < matrix.rows(); first += ROWS) {
      matrix.copyRows(first, rows);
      for (int k = 0; k < ROWS; k += 4) {
        for (int i = 0; i < columns; i++) {
          addProducts(rows[k], rows[k + 1], rows[k + 2], rows[k + 3], i, columns, sums[i]);
        }
      }
    }
    for (int i = 0; i < columns; i++) {
      for (int j = i; j < columns; j++) {
        sums[j][i] = sums[i][j];
      }
    }
  }

  /**
   * Adds, for column {@code i} and those after it, the products of their entries in four rows. All
   * arrays have one index, as the JIT does not vectorize loops with offsets.
   */
  private static void addProducts(
      double[] w, double[] x, double[] y, double[] z, int i, int columns, double[] sums) {
    double first = w[i];
    double second = x[i];
    double third = y[i];
    double fourth = z[i];
    for (int j = i; j < columns; j++) {
      sums[j] += first * w[j] + second * x[j] + (third * y[j] + fourth * z[j]);
    }
  }

  /** Singular value {@code index}, in no particular order. */
  double value(int index) {
    return values[index];
  }

  /** Entries of the right singular vector that belongs to {@link #value}; unit length. */
  double[] right(int index) {
    return eigen.vector(index);
  }
}
