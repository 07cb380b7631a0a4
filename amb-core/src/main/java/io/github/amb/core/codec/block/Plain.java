package io.github.amb.core.codec.block;

import io.github.amb.core.engine.Uplink;
import io.github.amb.core.random.CodecRandom;

/** Sends every entry in 32 bits. */
public final class Plain implements Codec {
  public static final Plain INSTANCE = new Plain();

  private Plain() {}

  @Override
  public boolean isUnbiased() {
    return true;
  }

  @Override
  public double errorBound(int... shape) {
    return 0;
  }

  /** This codec itself: it has no error. */
  @Override
  public Codec contraction() {
    return this;
  }

  @Override
  public boolean carries(Uplink uplink) {
    return true;
  }

  @Override
  public BlockCodec open(int... shape) {
    return new Entries(Shapes.length(shape));
  }

  /** One block's entries. */
  private record Entries(int length) implements BlockCodec {
    @Override
    public boolean rejectsNonFinite() {
      return true;
    }

    @Override
    public void encode(float[] values, int from, CodecRandom draws, ByteSink out) {
      out.putFloats(values, from, length);
    }

    @Override
    public void decode(ByteSource in, CodecRandom draws, float[] values, int from) {
      in.getFloats(values, from, length);
    }
  }
}
