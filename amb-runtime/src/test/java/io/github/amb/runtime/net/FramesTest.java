package io.github.amb.runtime.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class FramesTest {
  private static final byte[] KEY = {1, 2, 3};
  private static final int LIMIT = 1000;

  /** What reads a frame in two steps, as a connection does. */
  private static byte[] open(Frames frames, byte[] bytes) throws MalformedFrameException {
    int following = Frames.following(ByteBuffer.wrap(bytes, 0, Frames.HEAD_BYTES).slice(), LIMIT);
    if (following != bytes.length - Frames.HEAD_BYTES) {
      throw new MalformedFrameException("expected another length");
    }
    return frames.open(Arrays.copyOfRange(bytes, Frames.HEAD_BYTES, bytes.length), "rank 1");
  }

  @Property
  void framesInTheirOrderAreRead(@ForAll @Size(max = 5) byte[][] contents) throws Exception {
    Frames out = new Frames(KEY);
    Frames in = new Frames(KEY);
    for (byte[] content : contents) {
      assertArrayEquals(content, open(in, out.frame(content).array()));
    }
  }

  @Property
  void aChangedFrameIsRejected(
      @ForAll @Size(max = 50) byte[] content,
      @ForAll @IntRange(max = 1000) int place,
      @ForAll @IntRange(max = 7) int bit) {
    byte[] frame = new Frames(KEY).frame(content).array();
    frame[place % frame.length] ^= (byte) (1 << bit);
    assertThrows(MalformedFrameException.class, () -> open(new Frames(KEY), frame));
  }

  /** Also repeated, left out, or from another connection or direction. */
  @Property
  void aFrameElsewhereIsRejected(
      @ForAll @Size(max = 50) byte[] content,
      @ForAll @IntRange(max = 4) int sent,
      @ForAll @IntRange(max = 4) int expected,
      @ForAll byte key)
      throws Exception {
    Frames out = new Frames(KEY);
    Frames in = new Frames(new byte[] {1, 2, key});
    byte[] frame = out.frame(content).array();
    for (int i = 0; i < sent; i++) {
      frame = out.frame(content).array();
    }
    for (int i = 0; i < expected; i++) {
      assertThrows(
          MalformedFrameException.class, () -> in.open(new byte[Frames.CODE_BYTES], "rank 1"));
    }
    byte[] last = frame;
    if (sent == expected && key == KEY[2]) {
      assertArrayEquals(content, open(in, last));
    } else {
      assertThrows(MalformedFrameException.class, () -> open(in, last));
    }
  }

  @Property
  void bytesAreNoFrame(@ForAll @Size(min = Frames.HEAD_BYTES, max = 200) byte[] bytes) {
    assertThrows(MalformedFrameException.class, () -> open(new Frames(KEY), bytes));
  }

  @Property
  void aLengthIsLimited(@ForAll int length) throws Exception {
    ByteBuffer head = ByteBuffer.allocate(Frames.HEAD_BYTES).putInt(Frames.MAGIC).putInt(length);
    if (length >= 0 && length <= LIMIT) {
      assertEquals(length + Frames.CODE_BYTES, Frames.following(head.flip(), LIMIT));
    } else {
      assertThrows(MalformedFrameException.class, () -> Frames.following(head.flip(), LIMIT));
    }
  }
}
