package io.github.amb.core.codec.numeric;

import java.util.Arrays;

/**
 * Singular values and right singular vectors of a matrix M with few columns: the roots of the
 * eigenvalues and the eigenvectors of the Gram matrix MᵀM, in double precision. MᵀM has the squared
 * condition number, so singular values below 10⁻⁷ of the largest are set to zero.
 */
public final class SingularVectors {
  private static final double NEGLIGIBLE = 1e-7;
  private static final int ROWS = 8;

  private final int columns;
  private final double[][] rows;
  private final double[][] sums;
  private final SymmetricEigen eigen;
  private final double[] values;

  public SingularVectors(int columns) {
    this.columns = columns;
    rows = new double[ROWS][columns];
    sums = new double[columns][columns];
    eigen = new SymmetricEigen(columns);
    values = new double[columns];
  }

  /** Decomposes a matrix, which is not modified. */
  public void decompose(Matricized matrix) {
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

  /** Computes MᵀM: the upper half, then its mirror image. */
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
   * Adds the products of column {@code i} and each later column in four rows. All arrays have the
   * same index, as the JIT does not vectorize loops with offsets.
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
  public double value(int index) {
    return values[index];
  }

  /**
   * The right singular vector that belongs to {@link #value}: one entry per column, of unit length.
   */
  public double[] right(int index) {
    return eigen.vector(index);
  }
}
