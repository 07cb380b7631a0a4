package io.github.amb.core.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.Deviation;
import io.github.amb.core.codec.block.Shapes;
import io.github.amb.core.codec.link.VectorDecoder;
import io.github.amb.core.codec.link.VectorEncoder;
import io.github.amb.core.codec.numeric.Matricized;
import io.github.amb.core.codec.numeric.SingularVectors;
import io.github.amb.core.gradient.Layout;
import java.util.Arrays;
import java.util.List;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Spectral codecs against EJML's singular value decomposition. */
class LowRankTest {
  private static final double UNIT_ROUNDOFF = 0x1p-24;

  /**
   * Their squares, which are what is computed: the eigenvalues of MᵀM. Eigenvalues of symmetric
   * matrices move by no more than the matrix (Weyl). Its entries are sums of {@code rows} products,
   * and decomposing is as a change of some roundings per column, for which 10 are taken.
   */
  @ParameterizedTest
  @CsvSource({"40,30", "30,40", "64,3", "1,50", "17,17"})
  void singularValuesAreThoseOfAFullDecomposition(int rows, int columns) {
    float[] values = CodecSamples.laplace(rows * columns, 4);
    Shapes.Matrix square = Shapes.nearlySquare(rows, columns);
    Matricized matrix = new Matricized(square);
    matrix.of(values, 0);
    SingularVectors vectors = new SingularVectors(matrix.columns());
    vectors.decompose(matrix);
    double[] found = new double[matrix.columns()];
    Arrays.setAll(found, vectors::value);
    Arrays.sort(found);
    double[] expected = singularValues(values, square.rows());
    int most = found.length;
    double roundings = matrix.rows() + 10.0 * matrix.columns();
    double rounding = roundings * 0x1p-53 * CodecSamples.squaredNorm(values);
    for (int i = 0; i < Math.min(expected.length, most); i++) {
      double eigenvalue = found[most - 1 - i] * found[most - 1 - i];
      assertEquals(expected[i] * expected[i], eigenvalue, rounding);
    }
  }

  private static double[] singularValues(float[] values, int rows) {
    int columns = (values.length + rows - 1) / rows;
    DMatrixRMaj matrix = new DMatrixRMaj(rows, columns);
    for (int i = 0; i < values.length; i++) {
      matrix.data[i] = values[i];
    }
    var svd = DecompositionFactory_DDRM.svd(rows, columns, false, false, false);
    assertTrue(svd.decompose(matrix));
    double[] sigma = Arrays.copyOf(svd.getSingularValues(), svd.numberOfSingularValues());
    Arrays.sort(sigma);
    double[] descending = new double[sigma.length];
    Arrays.setAll(descending, i -> sigma[sigma.length - 1 - i]);
    return descending;
  }

  /** The power iteration is linear but for Q, whose size must not matter. */
  @ParameterizedTest
  @CsvSource({"30,40,100", "40,30,100", "30,40,-90", "40,30,-90"})
  void powerIterationHasTheSameBitsAtAnyMagnitude(int rows, int columns, int exponent) {
    Layout layout = CodecSamples.layout(new int[] {rows, columns});
    VectorDecoder decoder = CodecSamples.decoder(layout, "powersgd:2");
    VectorEncoder ordinary = CodecSamples.encoder(layout, "powersgd:2");
    VectorEncoder scaled = CodecSamples.encoder(layout, "powersgd:2");
    for (int step = 1; step <= 4; step++) {
      float[] values = CodecSamples.laplace(layout.size(), step);
      float[] expected = CodecSamples.pass(ordinary, decoder, values, step);
      for (int i = 0; i < values.length; i++) {
        values[i] = Math.scalb(values[i], exponent);
        expected[i] = Math.scalb(expected[i], exponent);
      }
      assertArrayEquals(expected, CodecSamples.pass(scaled, decoder, values, step), "step " + step);
    }
  }

  /**
   * An entry is a sum of σ u v over r terms, by Cauchy and Schwarz of at most σ₁ ≤ ‖M‖ altogether.
   * Each factor is a float, their product and the sum round too: r + 4 roundings. There are no more
   * terms than the smaller dimension, at most the root of the number of entries, rounded up.
   */
  @Test
  void spectralAtomoWithRoomForAllTermsIsExact() {
    for (int[] shape : new int[][] {{9, 7}, {7, 9}, {13}, {3, 2, 5, 5}, {1}}) {
      for (String codec : List.of("atomo-svd:50+min=1", "atomo-svd:50,square+min=1")) {
        Layout layout = CodecSamples.layout(shape);
        float[] values = CodecSamples.laplace(layout.size(), 8);
        float[] decoded =
            CodecSamples.pass(
                CodecSamples.encoder(layout, codec),
                CodecSamples.decoder(layout, codec),
                values,
                1);
        double terms = 1 + Math.sqrt(layout.size());
        double norm = Math.sqrt(CodecSamples.squaredNorm(values));
        float rounding = (float) ((terms + 4) * UNIT_ROUNDOFF * norm);
        assertArrayEquals(values, decoded, rounding, codec + Arrays.toString(shape));
      }
    }
  }

  /**
   * An iteration multiplies the tangent of the angle to the first three vectors by (σ₄/σ₃)² = 0.36.
   * It begins below 1e10 but once in 1e9 draws, so that after 30 it is rounding that is left: a
   * float's for every factor, product and sum of the two products with the matrix and of the three
   * terms.
   */
  @Test
  void powerIterationFindsTheBestApproximation() {
    int rows = 50;
    int columns = 40;
    Layout layout = CodecSamples.layout(new int[] {rows, columns});
    float[] values = decaying(rows, columns);
    VectorEncoder encoder = CodecSamples.encoder(layout, "powersgd:3");
    VectorDecoder decoder = CodecSamples.decoder(layout, "powersgd:3");
    double[] sigma = singularValues(values, rows);
    double best = 0;
    for (int i = 3; i < sigma.length; i++) {
      best += sigma[i] * sigma[i];
    }
    double first =
        CodecSamples.squaredDistance(values, CodecSamples.pass(encoder, decoder, values, 1));
    float[] last = {};
    for (int step = 2; step <= 30; step++) {
      last = CodecSamples.pass(encoder, decoder, values, step);
    }
    double error = CodecSamples.squaredDistance(values, last);
    double rounding =
        (rows + columns + 10) * UNIT_ROUNDOFF * Math.sqrt(CodecSamples.squaredNorm(values));
    assertEquals(Math.sqrt(best), Math.sqrt(error), rounding);
    assertTrue(first > error, "the first iteration is not yet there");
  }

  /** Zeros leave no vectors to begin the next message with, and are sent as zeros. */
  @Test
  void aMatrixAfterZerosIsSent() {
    Layout layout = CodecSamples.layout(new int[] {9, 7});
    VectorEncoder encoder = CodecSamples.encoder(layout, "powersgd:2+min=1");
    VectorDecoder decoder = CodecSamples.decoder(layout, "powersgd:2+min=1");
    float[] zeros = new float[layout.size()];
    assertArrayEquals(zeros, CodecSamples.pass(encoder, decoder, zeros, 1));
    float[] values = CodecSamples.laplace(layout.size(), 8);
    float[] decoded = CodecSamples.pass(encoder, decoder, values, 2);
    assertTrue(CodecSamples.squaredNorm(decoded) > 0);
  }

  /**
   * A matrix of rank 1 leaves one vector to begin the next message with. The second is found after
   * a message that draws it; the messages after that have the rounding of well-conditioned vectors
   * alone, as both singular values are 1.
   */
  @Test
  void aVectorThatComesLaterIsFound() {
    int rows = 50;
    int columns = 40;
    Layout layout = CodecSamples.layout(new int[] {rows, columns});
    VectorEncoder encoder = CodecSamples.encoder(layout, "powersgd:2");
    VectorDecoder decoder = CodecSamples.decoder(layout, "powersgd:2");
    float[] one = ofRank(1, 1, rows, columns);
    float[] two = ofRank(2, 1, rows, columns);
    double error = 0;
    for (int step = 1; step <= 12; step++) {
      float[] values = step <= 4 ? one : two;
      error =
          CodecSamples.squaredDistance(values, CodecSamples.pass(encoder, decoder, values, step));
    }
    double rounding =
        (rows + columns + 10) * UNIT_ROUNDOFF * Math.sqrt(CodecSamples.squaredNorm(two));
    assertEquals(0, Math.sqrt(error), rounding);
  }

  /** A matrix of rank 10 whose singular values are 0.6 of the one before. */
  private static float[] decaying(int rows, int columns) {
    return ofRank(10, 0.6, rows, columns);
  }

  /**
   * @param rank up to 10
   * @param decay what the largest singular value, 1, is multiplied by to get the next one
   */
  private static float[] ofRank(int rank, double decay, int rows, int columns) {
    float[] values = new float[rows * columns];
    double[][] u = orthonormal(CodecSamples.laplace(rows * 10, 1), rows);
    double[][] v = orthonormal(CodecSamples.laplace(columns * 10, 2), columns);
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) {
        double entry = 0;
        for (int k = 0; k < rank; k++) {
          entry += Math.pow(decay, k) * u[k][i] * v[k][j];
        }
        values[i * columns + j] = (float) entry;
      }
    }
    return values;
  }

  /** Ten vectors, by Gram and Schmidt. */
  private static double[][] orthonormal(float[] draws, int size) {
    double[][] vectors = new double[10][size];
    for (int k = 0; k < 10; k++) {
      double[] vector = vectors[k];
      for (int i = 0; i < size; i++) {
        vector[i] = draws[k * size + i];
      }
      for (int before = 0; before < k; before++) {
        double[] other = vectors[before];
        double along = dot(vector, other);
        Arrays.setAll(vector, i -> vector[i] - along * other[i]);
      }
      double norm = Math.sqrt(dot(vector, vector));
      Arrays.setAll(vector, i -> vector[i] / norm);
    }
    return vectors;
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  @Test
  void shapesBecomeMatricesOfFewRowsAndColumns() {
    assertArrayEquals(new int[] {64, 288}, matrix(64, 32, 3, 3));
    assertArrayEquals(new int[] {128, 3136}, matrix(128, 3136));
    assertArrayEquals(new int[] {4, 4}, matrix(13));
    assertArrayEquals(new int[] {1, 1}, matrix(1));
    assertArrayEquals(new int[] {0, 0}, matrix(3, 0, 2));
  }

  private static int[] matrix(int... shape) {
    Shapes.Matrix matrix = Shapes.nearlySquare(shape);
    assertEquals(Shapes.length(shape), matrix.length());
    return new int[] {matrix.rows(), matrix.columns()};
  }

  /** The authors' program leaves no other even shapes; odd numbers of windows are rounded up. */
  @ParameterizedTest
  @CsvSource({
    "512x512x3x3, 131072, 18",
    "20x1x5x5, 10, 50",
    "50x20x5x5, 500, 50",
    "512x256x1x1, 512, 256",
    "500x800, 500, 800",
    "64, 32, 2",
    "3x1x3x3, 2, 18",
    "13, 7, 2",
    "1, 1, 2",
    "3x0x2, 0, 0"
  })
  void atomosMatricesHaveTwoWindowsPerRow(String shape, int rows, int columns) {
    int[] sizes = Arrays.stream(shape.split("x")).mapToInt(Integer::parseInt).toArray();
    Shapes.Matrix found = Shapes.windowPairs(sizes);
    assertEquals(new Shapes.Matrix(Shapes.length(sizes), rows, columns), found);
  }

  /** Where no term is certain, the variance is ‖σ‖₁² / s − ‖σ‖²: here two of eighteen. */
  @Test
  void theVarianceIsThatOfThePapersMatrix() {
    Layout layout = CodecSamples.layout(new int[] {16, 8, 3, 3});
    float[] values = CodecSamples.laplace(layout.size(), 8);
    double[] sigma = singularValues(values, 64);
    assertEquals(18, sigma.length);
    double sum = Arrays.stream(sigma).sum();
    double squares = Arrays.stream(sigma).map(x -> x * x).sum();
    assertTrue(2 * sigma[0] < sum, "no term is certain");
    VectorEncoder encoder = CodecSamples.encoder(layout, "atomo-svd:2+min=1");
    VectorDecoder decoder = CodecSamples.decoder(layout, "atomo-svd:2+min=1");
    int draws = 20_000;
    double mean = 0;
    double square = 0;
    for (int step = 1; step <= draws; step++) {
      double error =
          CodecSamples.squaredDistance(values, CodecSamples.pass(encoder, decoder, values, step))
              / squares;
      mean += error / draws;
      square += error * error / draws;
    }
    double expected = sum * sum / 2 / squares - 1;
    assertEquals(
        expected,
        mean,
        Deviation.ofMeanByDraws(draws, square - mean * mean, 18 * 18 * sum * sum / squares / 4));
  }
}
