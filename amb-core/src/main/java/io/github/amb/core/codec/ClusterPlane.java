package io.github.amb.core.codec;

import com.github.luben.zstd.Zstd;
import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.ByteSource;
import io.github.amb.core.codec.block.MalformedEncodingException;
import io.github.amb.core.codec.block.WireStage;

/** The {@link ClusterCodes} of every entry, compressed, after the number of planes, which is 1. */
public final class ClusterPlane {
  private static final int LEVEL = 1;

  private final int length;
  private byte[] codes = {};

  /**
   * @param length number of codes
   */
  public ClusterPlane(int length) {
    this.length = length;
  }

  /**
   * Appends codes.
   *
   * @param codes not modified
   */
  public static void put(byte[] codes, ByteSink out) {
    out.putCount(1);
    int most = Math.toIntExact(Zstd.compressBound(codes.length));
    int sizeAt = out.skip(Integer.BYTES);
    int at = out.skip(most);
    int size = (int) Zstd.compressByteArray(out.bytes(), at, most, codes, 0, codes.length, LEVEL);
    out.truncate(at + size);
    out.setInt(sizeAt, size);
  }

  /**
   * Reads the codes that {@link #put} appended.
   *
   * @return valid until the next call
   * @throws MalformedEncodingException if the bytes are not this many codes
   */
  public byte[] get(ByteSource in) {
    if (in.getCount(1) == 0) {
      throw new MalformedEncodingException("expected a plane of clusters, found none");
    }
    int size = in.getInt();
    int start = in.skip(size);
    codes = codes.length == length ? codes : new byte[length];
    WireStage.ZSTD.unpack(in.bytes(), start, start + size, codes, length);
    return codes;
  }
}
