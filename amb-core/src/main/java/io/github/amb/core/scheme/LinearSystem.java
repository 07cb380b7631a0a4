package io.github.amb.core.scheme;

import java.util.Arrays;

/** Small dense systems of linear equations. */
final class LinearSystem {
  private LinearSystem() {}

  /**
   * Solves consistent equations of full column rank by Gauss-Jordan elimination with partial
   * pivoting.
   *
   * @param equations a row per equation, at least as many as unknowns: coefficients, then the right
   *     side; overwritten
   * @return the unknowns; none if there are no equations
   */
  static double[] solve(double[][] equations) {
    int unknowns = equations.length == 0 ? 0 : equations[0].length - 1;
    for (int column = 0; column < unknowns; column++) {
      pivot(equations, column);
      double[] pivotRow = equations[column];
      for (int row = 0; row < equations.length; row++) {
        if (row != column) {
          subtract(equations[row], pivotRow, equations[row][column] / pivotRow[column], column);
        }
      }
    }
    double[] solution = new double[unknowns];
    Arrays.setAll(solution, i -> equations[i][unknowns] / equations[i][i]);
    return solution;
  }

  private static void pivot(double[][] equations, int column) {
    int largest = column;
    for (int row = column + 1; row < equations.length; row++) {
      if (Math.abs(equations[row][column]) > Math.abs(equations[largest][column])) {
        largest = row;
      }
    }
    double[] swapped = equations[column];
    equations[column] = equations[largest];
    equations[largest] = swapped;
  }

  private static void subtract(double[] row, double[] pivotRow, double factor, int from) {
    for (int i = from; i < row.length; i++) {
      row[i] -= factor * pivotRow[i];
    }
  }
}
