package io.github.amb.core.codec;

import io.github.amb.core.codec.block.BlockCodec;
import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.ByteSource;
import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.codec.block.MalformedEncodingException;
import io.github.amb.core.codec.block.NonFiniteEntryException;
import io.github.amb.core.codec.block.Shapes;
import io.github.amb.core.codec.numeric.Matricized;
import io.github.amb.core.codec.numeric.Orthogonal;
import io.github.amb.core.gradient.Finite;
import io.github.amb.core.random.CodecRandom;
import io.github.amb.core.state.StateVisitor;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Approximates a block M by PQᵀ of a given rank, with one step of power iteration from the previous
 * message's Q: {@code P = orthogonal(MQ), Q = MᵀP}. A vector of Q that is zero is drawn again. Q is
 * scaled by powers of two, so that the product MQ of very large or small entries is exact. Intended
 * for use with error feedback. The paper all-reduces P and Q; here every worker sends its own to
 * the master.
 *
 * <p>Vogels, Karimireddy, Jaggi: "PowerSGD: Practical Low-Rank Gradient Compression for Distributed
 * Optimization", NeurIPS 2019.
 */
record PowerSgd(int rank) implements Codec {
  /** 1: a projection never increases the norm, and what it removes depends on Q. */
  @Override
  public double errorBound(int... shape) {
    return 1;
  }

  @Override
  public boolean needsShape() {
    return true;
  }

  @Override
  public BlockCodec open(int... shape) {
    return new Factors(rank, shape);
  }

  /** One block's factors. */
  private static final class Factors implements BlockCodec {
    private static final int EXPONENT = -20;

    private final Matricized matrix;
    private final int rank;
    private final int rows;
    private final int columns;
    private final float[] p;
    private final float[] q;

    Factors(int rank, int... shape) {
      matrix = new Matricized(Shapes.nearlySquare(shape));
      rows = matrix.rows();
      columns = matrix.columns();
      this.rank = Math.min(rank, columns);
      p = new float[Math.multiplyExact(rows, this.rank)];
      q = new float[columns * this.rank];
    }

    @Override
    public void encode(float[] values, int from, CodecRandom draws, ByteSink out) {
      drawMissing(draws);
      matrix.of(values, from);
      double[] v = new double[columns];
      double[] u = new double[rows];
      for (int k = 0; k < rank; k++) {
        matrix.timesColumns(scaled(k, v), p, k * rows);
      }
      Orthogonal.columns(p, rows, rank);
      for (int k = 0; k < rank; k++) {
        matrix.timesRows(copy(p, k, u), q, k * columns);
      }
      double most = 0;
      for (int k = 0; k < rank; k++) {
        most += largest(k);
      }
      if (!(most <= Float.MAX_VALUE / 2)) { // The sum of the products may overflow.
        throw new NonFiniteEntryException();
      }
      out.putFloats(p, 0, p.length);
      out.putFloats(q, 0, q.length);
    }

    /**
     * Draws the vectors of Q that are zero: all before the first message, later those that the last
     * block had too low a rank for. From a zero, no iteration would find another vector.
     */
    private void drawMissing(CodecRandom draws) {
      var normal = ZigguratSampler.NormalizedGaussian.of(draws.own());
      for (int k = 0; k < rank; k++) {
        if (largest(k) == 0) {
          for (int i = k * columns; i < (k + 1) * columns; i++) {
            q[i] = (float) normal.sample();
          }
        }
      }
    }

    /** The largest magnitude in a vector of Q. */
    private float largest(int k) {
      return Float.intBitsToFloat(Finite.maxMagnitude(q, k * columns, (k + 1) * columns));
    }

    /** A vector of Q times the power of two that makes its largest magnitude about 2⁻²⁰. */
    private double[] scaled(int k, double[] into) {
      copy(q, k, into);
      double scale = Math.scalb(1.0, EXPONENT - Math.getExponent((double) largest(k)));
      for (int i = 0; i < into.length; i++) {
        into[i] *= scale;
      }
      return into;
    }

    private static double[] copy(float[] vectors, int index, double[] into) {
      for (int i = 0; i < into.length; i++) {
        into[i] = vectors[index * into.length + i];
      }
      return into;
    }

    @Override
    public void decode(ByteSource in, CodecRandom draws, float[] values, int from) {
      in.getFloats(p, 0, p.length);
      in.getFloats(q, 0, q.length);
      matrix.of(values, from);
      matrix.clear();
      for (int k = 0; k < rank; k++) {
        matrix.add(p, k * rows, q, k * columns);
      }
      MalformedEncodingException.expectFinite(values, from, matrix.length());
    }

    @Override
    public void visit(StateVisitor state) {
      state.floats("q", q);
    }
  }
}
