package io.github.amb.core.codec;

import io.github.amb.core.codec.block.BlockCodec;
import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.ByteSource;
import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.codec.block.MalformedEncodingException;
import io.github.amb.core.codec.block.Shapes;
import io.github.amb.core.gradient.Finite;
import io.github.amb.core.random.CodecRandom;

/**
 * Eight bits per entry: the nearest of 255 equidistant levels from −a to a, where a is the largest
 * magnitude of a bucket of entries.
 *
 * <p>Dettmers: "8-Bit Approximations for Parallelism in Deep Learning", ICLR 2016, with linear
 * levels.
 *
 * @param bucket number of entries that share a scale
 */
record BlockInt8(int bucket) implements Codec {
  private static final int LEVELS = 127;

  /** An entry's error is at most a/254, and a² is at most the bucket's ‖x‖². */
  @Override
  public double errorBound(int... shape) {
    return Math.min(bucket, Shapes.length(shape)) * Math.pow(0.5 / LEVELS, 2);
  }

  @Override
  public BlockCodec open(int... shape) {
    return new Entries(Shapes.length(shape), bucket);
  }

  /** One block's entries. */
  private record Entries(int length, int bucket) implements BlockCodec {
    private static final float ROUND = 0x1.8p23f;

    @Override
    public void encode(float[] values, int from, CodecRandom draws, ByteSink out) {
      for (int start = 0; start < length; start += bucket) {
        int count = Math.min(bucket, length - start);
        float largest =
            Float.intBitsToFloat(Finite.maxMagnitude(values, from + start, from + start + count));
        out.putFloat(largest);
        int at = out.skip(count);
        byte[] bytes = out.bytes();
        for (int i = 0; i < count && largest > 0; i++) {
          // Adding 1.5 · 2²³ rounds to an integer, which ends up in the lowest bits.
          float level = values[from + start + i] / largest * LEVELS + ROUND;
          bytes[at + i] = (byte) Float.floatToRawIntBits(level);
        }
      }
    }

    @Override
    public void decode(ByteSource in, CodecRandom draws, float[] values, int from) {
      for (int start = 0; start < length; start += bucket) {
        int count = Math.min(bucket, length - start);
        float largest = in.getMagnitude();
        int at = in.skip(count);
        byte[] bytes = in.bytes();
        for (int i = 0; i < count; i++) {
          values[from + start + i] = (float) bytes[at + i] / LEVELS * largest;
        }
      }
      MalformedEncodingException.expectFinite(values, from, length);
    }
  }
}
