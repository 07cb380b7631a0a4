package io.github.amb.core.codec;

import io.github.amb.core.codec.block.BlockCodec;
import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.ByteSource;
import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.codec.block.Shapes;
import io.github.amb.core.codec.block.SignBits;
import io.github.amb.core.random.CodecRandom;

/**
 * Sends the sign of every entry of a bucket, decoded as the mean of the bucket's positive or of its
 * negative entries. Intended for use with error feedback.
 *
 * <p>Seide et al.: "1-Bit Stochastic Gradient Descent and its Application to Data-Parallel
 * Distributed Training of Speech DNNs", Interspeech 2014, where a bucket is a column.
 *
 * @param bucket number of entries that share their two means
 */
record OneBit(int bucket) implements Codec {
  /** 1 − 1/n for a bucket of n entries: the worst case is one entry among zeros. */
  @Override
  public double errorBound(int... shape) {
    int n = Math.min(bucket, Shapes.length(shape));
    return n == 0 ? 0 : 1 - 1.0 / n;
  }

  @Override
  public BlockCodec open(int... shape) {
    return new Signs(Shapes.length(shape), bucket);
  }

  /** One block's signs. */
  private record Signs(int length, int bucket) implements BlockCodec {
    @Override
    public void encode(float[] values, int from, CodecRandom draws, ByteSink out) {
      for (int start = 0; start < length; start += bucket) {
        int count = Math.min(bucket, length - start);
        putMeans(values, from + start, count, out);
        SignBits.encode(values, from + start, count, out);
      }
    }

    private static void putMeans(float[] values, int from, int count, ByteSink out) {
      double positive = 0;
      double negative = 0;
      int negatives = 0;
      for (int i = from; i < from + count; i++) {
        if (values[i] < 0) {
          negative += values[i];
          negatives++;
        } else {
          positive += values[i];
        }
      }
      out.putFloat((float) (positive / Math.max(1, count - negatives)));
      out.putFloat((float) (negative / Math.max(1, negatives)));
    }

    @Override
    public void decode(ByteSource in, CodecRandom draws, float[] values, int from) {
      for (int start = 0; start < length; start += bucket) {
        int count = Math.min(bucket, length - start);
        float positive = in.getFloat();
        float negative = in.getFloat();
        SignBits.decode(in, values, from + start, count, positive, negative);
      }
    }
  }
}
