package io.github.amb.core.codec.numeric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SymmetricEigenTest {
  /** Also matrices of a lower rank, and of the smallest and largest magnitudes of Gram matrices. */
  @Property(tries = 300)
  void vectorsMakeUpTheMatrix(
      @ForAll @IntRange(min = 1, max = 40) int size,
      @ForAll @IntRange(min = 0, max = 60) int rank,
      @ForAll @IntRange(min = -70, max = 70) int exponent,
      @ForAll long seed) {
    Random random = new Random(seed);
    boolean whole = random.nextBoolean();
    double[][] matrix = new double[size][size];
    for (int term = 0; term < rank; term++) {
      double[] row = new double[size];
      for (int i = 0; i < size; i++) {
        row[i] = whole ? random.nextInt(3) : random.nextGaussian();
      }
      add(matrix, row, Math.pow(10, exponent));
    }
    assertDecomposes(matrix);
  }

  private static void add(double[][] matrix, double[] row, double factor) {
    for (int i = 0; i < row.length; i++) {
      for (int j = 0; j < row.length; j++) {
        matrix[i][j] += factor * row[i] * row[j];
      }
    }
  }

  private static void assertDecomposes(double[][] matrix) {
    int size = matrix.length;
    double largest = 0;
    double[][] copy = new double[size][];
    for (int i = 0; i < size; i++) {
      copy[i] = matrix[i].clone();
      largest = Math.max(largest, matrix[i][i]);
    }
    SymmetricEigen eigen = new SymmetricEigen(size);
    eigen.decompose(copy);
    double[][] sum = new double[size][size];
    for (int k = 0; k < size; k++) {
      add(sum, eigen.vector(k), eigen.value(k));
      for (int l = 0; l < size; l++) {
        double product = 0;
        for (int i = 0; i < size; i++) {
          product += eigen.vector(k)[i] * eigen.vector(l)[i];
        }
        assertEquals(k == l ? 1 : 0, product, 1e-12);
      }
    }
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        assertEquals(matrix[i][j], sum[i][j], 1e-12 * size * largest);
      }
    }
  }

  /** What rounding leaves of one of rank 1 gets smaller with every row, down to nothing. */
  @Test
  void aLargeMatrixOfRankOneIsDecomposed() {
    double[] row = new double[400];
    for (int i = 0; i < row.length; i++) {
      row[i] = i % 3;
    }
    double[][] matrix = new double[row.length][row.length];
    add(matrix, row, 1000);
    assertDecomposes(matrix);
  }

  @Test
  void whatIsNotFiniteEnds() {
    double[][] matrix = {{1, 2, 3}, {2, Double.NaN, 4}, {3, 4, 5}};
    assertThrows(ArithmeticException.class, () -> new SymmetricEigen(3).decompose(matrix));
  }
}
