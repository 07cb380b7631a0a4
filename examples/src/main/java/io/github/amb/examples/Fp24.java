package io.github.amb.examples;

import io.github.amb.core.codec.Codecs;
import io.github.amb.core.codec.block.BlockCodec;
import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.ByteSource;
import io.github.amb.core.codec.block.Codec;
import io.github.amb.core.codec.block.MalformedEncodingException;
import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.Plugin;
import io.github.amb.core.random.CodecRandom;
import java.util.List;

/** A codec: the upper three bytes of every entry's binary32. */
public final class Fp24 implements Codec, Plugin<Codecs.Entry> {
  @Override
  public List<Codecs.Entry> entries() {
    Description description =
        Description.of("fp24", "24 bits per entry, the upper ones of binary32")
            .use("Three quarters of the bytes, at an error that never matters.")
            .source("an example of AMB, 2026");
    return List.of(new Codecs.Entry(description, "", arguments -> this));
  }

  @Override
  public boolean isUnbiased() {
    return false;
  }

  /** Entries lose at most 2^-15 of their magnitude. */
  @Override
  public double errorBound(int... shape) {
    return 0x1p-30;
  }

  @Override
  public BlockCodec open(int... shape) {
    int length = 1;
    for (int side : shape) {
      length *= side;
    }
    return new Entries(length);
  }

  private record Entries(int length) implements BlockCodec {
    @Override
    public void encode(float[] values, int from, CodecRandom random, ByteSink out) {
      for (int i = 0; i < length; i++) {
        int bits = Float.floatToRawIntBits(values[from + i]);
        for (int shift = 8; shift < Integer.SIZE; shift += 8) {
          out.putByte(bits >>> shift);
        }
      }
    }

    @Override
    public void decode(ByteSource in, CodecRandom random, float[] values, int from) {
      for (int i = 0; i < length; i++) {
        int bits = 0;
        for (int shift = 8; shift < Integer.SIZE; shift += 8) {
          bits |= (in.getByte() & 0xFF) << shift;
        }
        values[from + i] = Float.intBitsToFloat(bits);
      }
      MalformedEncodingException.expectFinite(values, from, length);
    }
  }
}
