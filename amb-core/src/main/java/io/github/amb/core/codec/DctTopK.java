package io.github.amb.core.codec;

import io.github.amb.core.codec.block.BlockCodec;
import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.ByteSource;
import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.codec.block.Shapes;
import io.github.amb.core.codec.block.SparseEntries;
import io.github.amb.core.codec.numeric.TopSelection;
import io.github.amb.core.random.CodecRandom;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Cuts a block, seen as a matrix of a × (b h w …) entries, into chunks, and sends the k largest
 * coefficients of each chunk's discrete cosine transform (DCT-II, orthonormal, in both directions).
 * The last chunk of a row or a column has what is left. With a decayed residual this is DeMo's
 * message.
 *
 * <p>Peng, Quesnelle, Kingma: "DeMo: Decoupled Momentum Optimization", 2024 (arXiv:2411.19870).
 *
 * @param side rows and columns of a chunk, at most
 * @param kept k, coefficients of a chunk that are sent; all, if there are fewer
 */
record DctTopK(int side, int kept) implements Codec {
  /** 1 − k/s, with s the entries of the largest chunk: the transform keeps distances. */
  @Override
  public double errorBound(int... shape) {
    int largest = Math.min(side, rows(shape)) * Math.min(side, columns(shape));
    return largest == 0 ? 0 : 1 - (double) Math.min(kept, largest) / largest;
  }

  private static int rows(int... shape) {
    return shape.length < 2 ? 1 : shape[0];
  }

  private static int columns(int... shape) {
    int rows = rows(shape);
    return rows == 0 ? 0 : Shapes.length(shape) / rows;
  }

  @Override
  public boolean needsShape() {
    return true;
  }

  @Override
  public BlockCodec open(int... shape) {
    return new Chunks(rows(shape), columns(shape));
  }

  /**
   * Row k of the transform of n values: {@code √(2/n) cos(π (2j + 1) k / 2n)}, √(1/n) for k = 0.
   */
  private static double[][] cosines(int n, boolean transposed) {
    double[][] rows = new double[n][n];
    for (int k = 0; k < n; k++) {
      double scale = Math.sqrt((k == 0 ? 1.0 : 2.0) / n);
      for (int j = 0; j < n; j++) {
        double entry = scale * StrictMath.cos(Math.PI * (2 * j + 1) * k / (2 * n));
        rows[transposed ? j : k][transposed ? k : j] = entry;
      }
    }
    return rows;
  }

  /** One block's coefficients, chunk after chunk. */
  private final class Chunks implements BlockCodec {
    private final int rows;
    private final int columns;
    private final SparseEntries entries;
    private final float[] coefficients;
    private final double[][][] forward = new double[side + 1][][];
    private final double[][][] backward = new double[side + 1][][];
    private final double[] half = new double[side * side];
    private final Map<Integer, TopSelection> selections = new HashMap<>(); // by size of a chunk
    private int[] indices = {};
    private int count;

    Chunks(int rows, int columns) {
      this.rows = rows;
      this.columns = columns;
      coefficients = new float[rows * columns];
      entries = new SparseEntries(coefficients.length);
      for (int n = 0; n <= side; n++) {
        boolean used = n == Math.min(side, rows) || n == Math.min(side, columns);
        if (used || n == rows % side || n == columns % side) {
          forward[n] = cosines(n, false);
          backward[n] = cosines(n, true);
        }
      }
    }

    @Override
    public void encode(float[] values, int from, CodecRandom draws, ByteSink out) {
      count = 0;
      chunks(values, from, true);
      entries.encode(coefficients, 0, indices, count, out);
    }

    @Override
    public void decode(ByteSource in, CodecRandom draws, float[] values, int from) {
      entries.decode(in, coefficients, 0);
      chunks(values, from, false);
    }

    private void chunks(float[] values, int from, boolean encode) {
      int at = 0;
      for (int row = 0; row < rows; row += side) {
        int height = Math.min(side, rows - row);
        for (int column = 0; column < columns; column += side) {
          int width = Math.min(side, columns - column);
          int corner = from + row * columns + column;
          if (encode) {
            times(forward, height, width, values, corner, columns, coefficients, at, width);
            select(at, height * width);
          } else {
            times(backward, height, width, coefficients, at, width, values, corner, columns);
          }
          at += height * width;
        }
      }
    }

    /** Multiplies a chunk from both sides: {@code out = L in Rᵀ}; rows start at every stride. */
    private void times(
        double[][][] matrices,
        int height,
        int width,
        float[] in,
        int inAt,
        int inStride,
        float[] out,
        int outAt,
        int outStride) {
      for (int i = 0; i < height; i++) {
        for (int k = 0; k < width; k++) {
          double sum = 0;
          for (int j = 0; j < width; j++) {
            sum += matrices[width][k][j] * in[inAt + i * inStride + j];
          }
          half[i * width + k] = sum;
        }
      }
      float most = Float.MAX_VALUE;
      for (int l = 0; l < height; l++) {
        for (int k = 0; k < width; k++) {
          double sum = 0;
          for (int i = 0; i < height; i++) {
            sum += matrices[height][l][i] * half[i * width + k];
          }
          out[outAt + l * outStride + k] = (float) Math.max(-most, Math.min(most, sum));
        }
      }
    }

    private void select(int at, int size) {
      TopSelection top = selections.computeIfAbsent(size, TopSelection::new);
      top.exact(coefficients, at, Math.min(kept, size));
      if (indices.length < count + top.count()) {
        indices = Arrays.copyOf(indices, 2 * (count + top.count()));
      }
      for (int i = 0; i < top.count(); i++) {
        indices[count++] = at + top.indices()[i];
      }
    }
  }
}
