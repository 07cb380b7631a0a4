package io.github.amb.core.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.gradient.Layout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** DeMo's chunks, against sums over the definition of the transform. */
class DctTopKTest {
  private static final int KEPT = 5;
  private static final int SIDE = 8;

  private static float[] pass(String codec, float[] values, int... shape) {
    Layout layout = CodecSamples.layout(shape);
    return CodecSamples.pass(
        CodecSamples.encoder(layout, codec), CodecSamples.decoder(layout, codec), values, 1);
  }

  /** Coefficient (l, k) of the chunk at (row, column), summed over the chunk. */
  private static double coefficient(
      float[] values, int columns, int row, int column, int height, int width, int l, int k) {
    double sum = 0;
    for (int i = 0; i < height; i++) {
      for (int j = 0; j < width; j++) {
        sum +=
            values[(row + i) * columns + column + j]
                * Math.cos(Math.PI * l * (i + 0.5) / height)
                * Math.cos(Math.PI * k * (j + 0.5) / width);
      }
    }
    return sum * Math.sqrt((l == 0 ? 1.0 : 2) / height * (k == 0 ? 1.0 : 2) / width);
  }

  /** Energies of the coefficients of each chunk that are not among the largest. */
  private static double energyLost(float[] values, int rows, int columns) {
    double lost = 0;
    for (int row = 0; row < rows; row += SIDE) {
      for (int column = 0; column < columns; column += SIDE) {
        int height = Math.min(SIDE, rows - row);
        int width = Math.min(SIDE, columns - column);
        double[] squares = new double[height * width];
        for (int i = 0; i < squares.length; i++) {
          double c = coefficient(values, columns, row, column, height, width, i / width, i % width);
          squares[i] = c * c;
        }
        Arrays.sort(squares);
        lost += Arrays.stream(squares, 0, Math.max(0, squares.length - KEPT)).sum();
      }
    }
    return lost;
  }

  @Test
  void onlyTheSmallestCoefficientsOfEachChunkAreLost() {
    String codec = "demo:%d,chunk=%d+min=1".formatted(KEPT, SIDE);
    for (int[] shape : new int[][] {{19, 21}, {16, 8}, {37}, {9, 2, 3, 3}, {3, 1}}) {
      int rows = shape.length == 1 ? 1 : shape[0];
      int columns = Arrays.stream(shape).reduce(1, (a, b) -> a * b) / rows;
      float[] values = CodecSamples.laplace(rows * columns, columns);
      double lost = energyLost(values, rows, columns);
      double error = CodecSamples.squaredDistance(values, pass(codec, values, shape));
      double rounding = 0x1p-22 * CodecSamples.squaredNorm(values);
      assertEquals(lost, error, rounding, Arrays.toString(shape));
    }
  }

  @Test
  void aWaveIsOneCoefficient() {
    float[] wave = new float[64];
    for (int j = 0; j < 64; j++) {
      wave[j] = (float) Math.cos(Math.PI * 3 * (j + 0.5) / 64);
    }
    assertArrayEquals(wave, pass("demo:1+min=1", wave, 64), 0x1p-22f);
  }

  /**
   * The residual is all that was not sent, decayed: with nothing new, what is sent gets smaller.
   */
  @Test
  void whatWasNotSentComesLater() {
    Layout layout = CodecSamples.layout(new int[] {8});
    String codec = "demo:1,chunk=8,decay=0.5+min=1";
    var encoder = CodecSamples.encoder(layout, codec);
    var decoder = CodecSamples.decoder(layout, codec);
    float[] two = new float[8];
    for (int j = 0; j < 8; j++) {
      two[j] =
          (float) (2 * Math.cos(Math.PI * (j + 0.5) / 8) + Math.cos(Math.PI * 5 * (j + 0.5) / 8));
    }
    float[] first = CodecSamples.pass(encoder, decoder, two, 1);
    float[] second = CodecSamples.pass(encoder, decoder, new float[8], 2);
    for (int j = 0; j < 8; j++) {
      assertEquals(2 * Math.cos(Math.PI * (j + 0.5) / 8), first[j], 0x1p-20);
      assertEquals(0.5 * Math.cos(Math.PI * 5 * (j + 0.5) / 8), second[j], 0x1p-20);
    }
  }
}
