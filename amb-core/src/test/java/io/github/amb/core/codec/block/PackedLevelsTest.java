package io.github.amb.core.codec.block;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class PackedLevelsTest {
  @Property(tries = 200)
  void numbersTakeNoMoreBitsThanTheyHave(
      @ForAll @IntRange(min = 1, max = 16) int width,
      @ForAll @IntRange(max = 5000) int count,
      @ForAll long seed) {
    Random random = new Random(seed);
    int[] codes = random.ints(count, 0, 1 << width).toArray();
    ByteSink out = new ByteSink();
    new PackedLevels(width).encode(codes, count, out);
    int parts = Integer.bitCount(width);
    int groups = (count + Reinterpretation.MAX - 1) / Reinterpretation.MAX;
    double exact = (double) count * width / Byte.SIZE;
    assertEquals(exact, out.length(), parts * groups * 4.0);

    ByteSource in = new ByteSource();
    in.wrap(out.bytes(), 0, out.length());
    int[] found = new int[count];
    Arrays.fill(found, -1);
    new PackedLevels(width).decode(in, found, count);
    assertArrayEquals(codes, found);
    assertEquals(0, in.remaining());
  }

  /** Of eight 4-bit numbers the first is lowest; two integers take turns. */
  @Test
  void theLayoutIsAsDescribed() {
    ByteSink out = new ByteSink();
    new PackedLevels(4).encode(new int[] {1, 2, 3, 4, 5, 6, 7, 8}, 8, out);
    assertArrayEquals(
        new byte[] {0x21, 0x43, 0x65, (byte) 0x87}, Arrays.copyOf(out.bytes(), out.length()));
    out.clear();
    new PackedLevels(4).encode(new int[] {1, 2, 3, 4, 5, 6, 7, 8, 9}, 9, out);
    assertArrayEquals(
        new byte[] {0x31, 0x75, 0x09, 0, 0x42, (byte) 0x86, 0, 0},
        Arrays.copyOf(out.bytes(), out.length()));
  }

  @Test
  void whatEndsTooSoonIsMalformed() {
    ByteSink out = new ByteSink();
    new PackedLevels(5).encode(new int[40], 40, out);
    ByteSource in = new ByteSource();
    in.wrap(out.bytes(), 0, out.length() - 1);
    assertThrows(
        MalformedEncodingException.class, () -> new PackedLevels(5).decode(in, new int[40], 40));
  }
}
