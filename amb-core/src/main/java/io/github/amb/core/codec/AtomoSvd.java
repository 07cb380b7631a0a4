package io.github.amb.core.codec;

import io.github.amb.core.codec.block.BlockCodec;
import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.ByteSource;
import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.codec.block.MalformedEncodingException;
import io.github.amb.core.codec.block.NonFiniteEntryException;
import io.github.amb.core.codec.block.Shapes;
import io.github.amb.core.codec.numeric.Matricized;
import io.github.amb.core.codec.numeric.SingularVectors;
import io.github.amb.core.codec.numeric.WaterFilling;
import io.github.amb.core.gradient.Finite;
import io.github.amb.core.random.CodecRandom;
import java.util.function.Function;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * ATOMO's spectral decomposition: keeps term σᵢuᵢvᵢᵀ of a block's singular value decomposition with
 * probability pᵢ and divides it by pᵢ. The probabilities minimize the variance for {@code rank}
 * kept terms in expectation ({@link WaterFilling}).
 *
 * <p>A block is read as a matrix. {@link Shapes#windowPairs} is the authors' choice. {@link
 * Shapes#nearlySquare} has shorter and more terms: the same rank makes smaller messages and more
 * noise.
 *
 * <p>Wang et al.: "ATOMO: Communication-efficient Learning via Atomic Sparsification", NeurIPS
 * 2018.
 *
 * @param rank s, the expected number of kept terms, positive
 * @param matrices maps a block's shape to that of its matrix
 */
record AtomoSvd(int rank, Function<int[], Shapes.Matrix> matrices) implements Codec {
  @Override
  public boolean isUnbiased() {
    return true;
  }

  /** At most ‖σ‖₁²/(s‖σ‖²) − 1, which is k/s − 1 for k equal singular values. */
  @Override
  public double errorBound(int... shape) {
    return Math.max(0, (double) matrices.apply(shape).rank() / rank - 1);
  }

  @Override
  public boolean needsShape() {
    return true;
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
      double most = 0;
      for (int i = 0; i < columns; i++) {
        if (kept[i]) {
          putTerm(i, Math.max(1, level / decomposition.value(i)), out);
          most += Float.intBitsToFloat(Finite.maxMagnitude(left, 0, left.length));
        }
      }
      if (most > Float.MAX_VALUE / 2) { // The sum of the terms may overflow.
        throw new NonFiniteEntryException();
      }
    }

    /** Appends {@code M v / p} and v. The product is σu, without a division by a small σ. */
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
      MalformedEncodingException.expectFinite(values, from, matrix.length());
    }
  }
}
