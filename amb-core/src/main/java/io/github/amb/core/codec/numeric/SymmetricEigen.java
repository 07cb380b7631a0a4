package io.github.amb.core.codec.numeric;

import java.util.Arrays;

/**
 * Eigenvalues and eigenvectors of symmetric matrices: Householder's reduction to tridiagonal form,
 * then QL steps with implicit shifts, as in {@code tred2} and {@code tql2} of EISPACK. Inner loops
 * run along rows with one index, so that the JIT vectorizes them.
 *
 * <p>Golub and Van Loan: "Matrix Computations", section 8.3.
 */
final class SymmetricEigen {
  private static final double EPSILON = 0x1p-52;

  /** Squares below are negligible; squares of products of floats are far above. */
  private static final double MIN = 0x1p-960;

  /**
   * Maximum number of steps per eigenvalue. Two or three are usual, as each about cubes the error.
   */
  private static final int MAX_STEPS = 100;

  private final int size;
  private final double[] values;
  private final double[] beside;
  private final double[][] vectors;
  private final double[][] reflectors;
  private final double[] factors;
  private final double[] product;

  /**
   * @param size number of rows and of columns of the matrices
   */
  SymmetricEigen(int size) {
    this.size = size;
    values = new double[size];
    beside = new double[size];
    vectors = new double[size][size];
    reflectors = new double[size][size];
    factors = new double[size];
    product = new double[size];
  }

  /** Eigenvalue {@code index}, in no particular order. */
  double value(int index) {
    return values[index];
  }

  /** The eigenvector of {@link #value}: {@code size} entries, of unit length. Not a copy. */
  double[] vector(int index) {
    return vectors[index];
  }

  /**
   * Computes all eigenvalues and eigenvectors of a matrix.
   *
   * @param matrix symmetric, {@code size} × {@code size}, both halves filled; overwritten
   * @throws ArithmeticException if the iteration does not converge or an entry is not finite
   */
  void decompose(double[][] matrix) {
    for (int k = 0; k < size; k++) {
      reduce(matrix, k);
    }
    formVectors();
    double negligible = EPSILON * scale();
    if (!Double.isFinite(negligible)) {
      throw new ArithmeticException("a Gram matrix has an entry that is not finite");
    }
    double shift = 0;
    for (int first = 0; first < size; first++) {
      int last = first;
      while (Math.abs(beside[last]) > negligible) {
        last++;
      }
      int steps = 0;
      while (last > first && !(Math.abs(beside[first]) <= negligible)) {
        if (++steps > MAX_STEPS) {
          throw new ArithmeticException("the eigenvalues of a Gram matrix did not converge");
        }
        shift += shift(first);
        step(first, last);
      }
      values[first] += shift;
      beside[first] = 0;
    }
  }

  private double scale() {
    double scale = 0;
    for (int k = 0; k < size; k++) {
      scale = Math.max(scale, Math.abs(values[k]) + Math.abs(beside[k]));
    }
    return scale;
  }

  /** Eliminates row and column {@code k} beyond the entry next to the diagonal. */
  private void reduce(double[][] a, int k) {
    values[k] = a[k][k];
    beside[k] = k + 1 < size ? a[k][k + 1] : 0;
    double[] u = reflectors[k];
    double rest = 0;
    for (int j = k + 2; j < size; j++) {
      rest += a[k][j] * a[k][j];
    }
    factors[k] = 0;
    if (rest < MIN) {
      return;
    }
    double head = beside[k];
    beside[k] = -Math.copySign(Math.sqrt(head * head + rest), head);
    System.arraycopy(a[k], k + 1, u, k + 1, size - k - 1);
    u[k + 1] = head - beside[k];
    factors[k] = 2 / (u[k + 1] * u[k + 1] + rest);
    reflect(a, u, factors[k], k + 1);
  }

  /** Computes A ← H A H with H = I − factor u uᵀ, for the rows and columns from {@code from} on. */
  private void reflect(double[][] a, double[] u, double factor, int from) {
    Arrays.fill(product, from, size, 0);
    for (int i = from; i < size; i++) {
      add(product, a[i], factor * u[i], from, size);
    }
    double half = factor / 2 * dot(u, product, from, size);
    add(product, u, -half, from, size);
    for (int i = from; i < size; i++) {
      add(a[i], product, -u[i], from, size);
      add(a[i], u, -product[i], from, size);
    }
  }

  /** Sets the rows of {@link #vectors} to the columns of the product of all reflections. */
  private void formVectors() {
    for (int i = 0; i < size; i++) {
      Arrays.fill(vectors[i], 0);
      vectors[i][i] = 1;
    }
    for (int k = size - 1; k >= 0; k--) {
      for (int i = k + 1; factors[k] != 0 && i < size; i++) {
        double[] row = vectors[i];
        double along = factors[k] * dot(row, reflectors[k], k + 1, size);
        add(row, reflectors[k], -along, k + 1, size);
      }
    }
  }

  /**
   * Subtracts an estimate of the eigenvalue from the diagonal, from {@code first} on, and returns
   * it.
   */
  private double shift(int first) {
    double value = values[first];
    double p = (values[first + 1] - value) / (2 * beside[first]);
    double r = p + Math.copySign(Math.hypot(p, 1), p);
    values[first] = beside[first] / r;
    values[first + 1] = beside[first] * r;
    double shift = value - values[first];
    for (int i = first + 2; i < size; i++) {
      values[i] -= shift;
    }
    return shift;
  }

  /** One QL step on the entries from {@code first} to {@code last}. */
  private void step(int first, int last) {
    double second = values[first + 1];
    double secondBeside = beside[first + 1];
    double p = values[last];
    double c = 1;
    double c2 = 1;
    double c3 = 1;
    double s = 0;
    double s2 = 0;
    for (int i = last - 1; i >= first; i--) {
      c3 = c2;
      c2 = c;
      s2 = s;
      double g = c * beside[i];
      double h = c * p;
      double r = Math.sqrt(p * p + beside[i] * beside[i]);
      beside[i + 1] = s * r;
      s = beside[i] / r;
      c = p / r;
      p = c * values[i] - s * g;
      values[i + 1] = h + s * (c * g + s * values[i]);
      rotate(vectors[i + 1], vectors[i], c, s);
    }
    p = -s * s2 * c3 * secondBeside * beside[first] / second;
    beside[first] = s * p;
    values[first] = c * p;
  }

  private static void rotate(double[] upper, double[] lower, double c, double s) {
    for (int k = 0; k < upper.length; k++) {
      double h = upper[k];
      upper[k] = s * lower[k] + c * h;
      lower[k] = c * lower[k] - s * h;
    }
  }

  private static void add(double[] sum, double[] addend, double factor, int from, int to) {
    for (int j = from; j < to; j++) {
      sum[j] += factor * addend[j];
    }
  }

  private static double dot(double[] x, double[] y, int from, int to) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    int j = from;
    for (; j <= to - 4; j += 4) {
      s0 += x[j] * y[j];
      s1 += x[j + 1] * y[j + 1];
      s2 += x[j + 2] * y[j + 2];
      s3 += x[j + 3] * y[j + 3];
    }
    for (; j < to; j++) {
      s0 += x[j] * y[j];
    }
    return s0 + s1 + (s2 + s3);
  }
}
