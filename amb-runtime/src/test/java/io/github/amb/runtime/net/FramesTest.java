package io.github.amb.runtime.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.amb.runtime.mpj.RunSecret;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class FramesTest {
  private static final byte[] KEY = RunSecret.nonce();
  private static final byte[] HELLO = {7, 8};
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
      @ForAll boolean another)
      throws Exception {
    byte[] key = another ? RunSecret.nonce() : KEY;
    Frames earlier = new Frames(key);
    Frames in = new Frames(key);
    for (int i = 0; i < expected; i++) {
      open(in, earlier.frame(HELLO).array());
    }
    Frames out = new Frames(KEY);
    for (int i = 0; i < sent; i++) {
      out.frame(content);
    }
    byte[] frame = out.frame(content).array();
    if (sent == expected && !another) {
      assertArrayEquals(content, open(in, frame));
    } else {
      assertThrows(MalformedFrameException.class, () -> open(in, frame));
    }
  }

  @Property
  void aFrameDoesNotShowItsContent(@ForAll @Size(min = 20, max = 50) byte[] content) {
    String sent = HexFormat.of().formatHex(new Frames(KEY).frame(content).array());
    assertFalse(sent.contains(HexFormat.of().formatHex(content)));
  }

  @Property
  void bytesAreNoFrame(@ForAll @Size(min = Frames.HEAD_BYTES, max = 200) byte[] bytes) {
    assertThrows(MalformedFrameException.class, () -> open(new Frames(KEY), bytes));
  }

  @Property
  void aLengthIsLimited(@ForAll @IntRange(min = -5, max = LIMIT + 30) int length) throws Exception {
    ByteBuffer head = ByteBuffer.allocate(Frames.HEAD_BYTES).putInt(Frames.MAGIC).putInt(length);
    if (length >= Frames.CODE_BYTES && length <= LIMIT + Frames.CODE_BYTES) {
      assertEquals(length, Frames.following(head.flip(), LIMIT));
    } else {
      assertThrows(MalformedFrameException.class, () -> Frames.following(head.flip(), LIMIT));
    }
  }
}
