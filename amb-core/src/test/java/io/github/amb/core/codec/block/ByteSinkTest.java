package io.github.amb.core.codec.block;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ByteSinkTest {
  /** Messages travel as floats, the last of which may be filled in part. */
  @Test
  void thereIsRoomForTheLastFloatOfMessagesOfAnyLength() {
    for (int grown = 1025; grown < 1100; grown++) {
      ByteSink sink = new ByteSink();
      sink.skip(grown);
      while (sink.length() < 2 * grown + 8) {
        sink.putByte(1);
        int floats = (sink.length() + Float.BYTES - 1) / Float.BYTES;
        assertTrue(
            floats <= sink.bytes().length / Float.BYTES,
            () -> sink.length() + " bytes in " + sink.bytes().length);
      }
    }
  }
}
