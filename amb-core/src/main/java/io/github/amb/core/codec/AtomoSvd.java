package io.github.amb.core.codec;

import java.util.function.Function;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Terms σᵢuᵢvᵢᵀ of a block's singular value decomposition, kept at random with the probabilities
 * that make the variance least, {@code rank} of them in expectation, and divided by them: ATOMO's
 * spectral decomposition. Every block is taken for a matrix: the authors' {@link
 * Shapes#windowPairs}, or the {@link Shapes#nearlySquare} one, whose terms are shorter and of which
 * there are more, so that the same rank makes smaller messages and more noise.
 *
 * <p>Wang et al.: "ATOMO: Communication-efficient Learning via Atomic Sparsification", NeurIPS
 * 2018; {@link WaterFilling}.
 */
final class AtomoSvd implements Codec {
  private final int rank;
  private final Function<int[], Shapes.Matrix> matrices;

  /**
   * @param rank s, the budget, positive
   * @param matrices the matrix for a block's shape
   */
  AtomoSvd(int rank, Function<int[], Shapes.Matrix> matrices) {
    this.rank = rank;
    this.matrices = matrices;
  }

  @Override
  public boolean isUnbiased() {
    return true;
  }

  /** ‖σ‖₁²/(s‖σ‖²) − 1 at most, which is k/s − 1 for k equal singular values. */
  @Override
  public double errorBound(int... shape) {
    return Math.max(0, (double) matrices.apply(shape).rank() / rank - 1);
  }

  @Override
  public BlockCodec open(int... shape) {
    return new Terms(shape);
  }

  /** One block's terms. */
  private final class Terms implements BlockCodec {
    private static final double UNIT = 0x1p-53;

    private final Matricized matrix;
    private final float[] left;
    private final float[] right;
    private double[] magnitudes;
    private SingularVectors decomposition;

    Terms(int... shape) {
      matrix = new Matricized(matrices.apply(shape));
      left = new float[matrix.rows()];
      right = new float[matrix.columns()];
    }

    @Override
    public void encode(float[] values, int from, CodecRandom draws, ByteSink out) {
      int columns = matrix.columns();
      if (columns == 0) {
        out.putCount(0);
        return;
      }
      if (decomposition == null) {
        decomposition = new SingularVectors(columns);
        magnitudes = new double[columns];
      }
      matrix.of(values, from);
      decomposition.decompose(matrix);
      for (int i = 0; i < columns; i++) {
        magnitudes[i] = decomposition.value(i);
      }
      double level = WaterFilling.level(magnitudes, columns, rank);
      UniformRandomProvider random = draws.own();
      boolean[] kept = new boolean[columns];
      int count = 0;
      for (int i = 0; i < columns; i++) {
        double probability = WaterFilling.probability(decomposition.value(i), level);
        kept[i] = (random.nextLong() >>> 11) * UNIT < probability;
        count += kept[i] ? 1 : 0;
      }
      out.putCount(count);
      for (int i = 0; i < columns; i++) {
        if (kept[i]) {
          putTerm(i, Math.max(1, level / decomposition.value(i)), out);
        }
      }
    }

    /** {@code M v / p} and v: σu is {@code M v}, without dividing by what may be small. */
    private void putTerm(int index, double inverseProbability, ByteSink out) {
      double[] v = decomposition.right(index);
      matrix.timesColumns(v, left, 0);
      for (int i = 0; i < left.length; i++) {
        left[i] *= (float) inverseProbability;
      }
      for (int i = 0; i < right.length; i++) {
        right[i] = (float) v[i];
      }
      out.putFloats(left, 0, left.length);
      out.putFloats(right, 0, right.length);
    }

    @Override
    public void decode(ByteSource in, CodecRandom draws, float[] values, int from) {
      matrix.of(values, from);
      matrix.clear();
      int count = in.getCount(matrix.columns());
      for (int i = 0; i < count; i++) {
        in.getFloats(left, 0, left.length);
        in.getFloats(right, 0, right.length);
        matrix.add(left, 0, right, 0);
      }
      MalformedMessageException.expectFinite(values, from, matrix.length());
    }
  }
}
