package io.github.amb.core.codec.sketch;

import com.github.luben.zstd.Zstd;
import io.github.amb.core.codec.block.ByteSink;
import io.github.amb.core.codec.block.ByteSource;
import io.github.amb.core.codec.block.MalformedEncodingException;
import io.github.amb.core.codec.block.WireStage;

/**
 * The {@link ClusterCodes} of every entry in a sum of messages: one plane of codes per message. An
 * entry's codes ascend from plane to plane, so the result does not depend on the order of
 * additions.
 */
public final class ClusterPlanes {
  /** Maximum number of messages in a sum. */
  static final int MOST = 64;

  private static final int LEVEL = 1;

  private final int length;
  private final int[] starts = new int[MOST];
  private final int[] ends = new int[MOST];
  private byte[] packed = {};
  private byte[] unpacked = {};
  private int inPlace;
  private int count;

  /**
   * @param length number of codes in a plane
   */
  public ClusterPlanes(int length) {
    this.length = length;
  }

  /** Appends the planes, compressed. */
  public static void put(byte[][] planes, ByteSink out) {
    out.putCount(planes.length);
    for (byte[] plane : planes) {
      int most = Math.toIntExact(Zstd.compressBound(plane.length));
      int sizeAt = out.skip(Integer.BYTES);
      int at = out.skip(most);
      int size = (int) Zstd.compressByteArray(out.bytes(), at, most, plane, 0, plane.length, LEVEL);
      out.truncate(at + size);
      out.setInt(sizeAt, size);
    }
  }

  /**
   * Reads the planes that {@link #put} appended. They are views of the source's bytes, which must
   * not change while planes are used.
   *
   * @throws MalformedEncodingException if the bytes are not planes of this length
   */
  public void get(ByteSource in) {
    count = in.getCount(MOST);
    if (count == 0) {
      throw new MalformedEncodingException("expected a plane of clusters, found none");
    }
    packed = in.bytes();
    inPlace = -1;
    for (int plane = 0; plane < count; plane++) {
      int size = in.getInt();
      starts[plane] = in.skip(size);
      ends[plane] = starts[plane] + size;
    }
  }

  /** Number of planes. */
  public int count() {
    return count;
  }

  /** Plane {@code plane}, from 0. Valid until another plane is requested. */
  public byte[] plane(int plane) {
    if (plane != inPlace) {
      unpacked = unpacked.length == length ? unpacked : new byte[length];
      unpack(plane, unpacked);
      inPlace = plane;
    }
    return unpacked;
  }

  private void unpack(int plane, byte[] into) {
    WireStage.ZSTD.unpack(packed, starts[plane], ends[plane], into, length);
  }

  /**
   * Merges the planes of two sums.
   *
   * @param leftShift by how much the codes of {@code left} other than 0 grow; codes that become too
   *     large are replaced by 0
   * @param rightShift by how much the codes of {@code right} other than 0 grow
   * @return as many planes as both have together
   * @throws MalformedEncodingException if there are more than {@link #MOST}
   */
  public static byte[][] sum(
      ClusterPlanes left, int leftShift, ClusterPlanes right, int rightShift) {
    int most = left.count + right.count;
    if (most > MOST) {
      throw new MalformedEncodingException(
          "expected the sum of up to %d messages, found %d".formatted(MOST, most));
    }
    byte[][] sum = new byte[most][left.length];
    for (int plane = 0; plane < most; plane++) {
      boolean ofLeft = plane < left.count;
      ClusterPlanes source = ofLeft ? left : right;
      source.unpack(ofLeft ? plane : plane - left.count, sum[plane]);
      shift(sum[plane], ofLeft ? leftShift : rightShift);
    }
    byte[] codes = new byte[most];
    for (int i = 0; i < left.length; i++) {
      ascend(sum, i, codes);
    }
    return sum;
  }

  private static void shift(byte[] plane, int shift) {
    for (int i = 0; i < plane.length && shift > 0; i++) {
      int code = plane[i] & 0xFF;
      plane[i] = (byte) (code == 0 || code + shift >= ClusterCodes.MOST ? 0 : code + shift);
    }
  }

  private static void ascend(byte[][] planes, int entry, byte[] codes) {
    for (int p = 0; p < planes.length; p++) {
      byte code = planes[p][entry];
      int at = p;
      while (at > 0 && (codes[at - 1] & 0xFF) > (code & 0xFF)) {
        codes[at] = codes[at - 1];
        at--;
      }
      codes[at] = code;
    }
    for (int p = 0; p < planes.length; p++) {
      planes[p][entry] = codes[p];
    }
  }
}
