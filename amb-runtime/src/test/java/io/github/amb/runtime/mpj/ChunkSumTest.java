package io.github.amb.runtime.mpj;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.amb.core.engine.MalformedMessageException;
import io.github.amb.core.engine.Message;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class ChunkSumTest {
  private static final int FLOATS = 5;
  private static final int LENGTH = ChunkHeader.BYTES + Float.BYTES * FLOATS;
  private static final int FROM = 3;

  private final ChunkSum sum = new ChunkSum();
  private final ByteBuffer chunk =
      ByteBuffer.allocateDirect(LENGTH + 100).order(ByteOrder.nativeOrder());

  @Test
  void noBitCanChangeUnseen() {
    ChunkHeader.put(chunk, FROM, new Message().reset(Message.Kind.GRADIENT, 7));
    sum.sealFloats(chunk, FLOATS);
    sum.sealHead(chunk);
    assertDoesNotThrow(() -> sum.check(chunk, LENGTH, FROM));
    for (int bit = 0; bit < LENGTH * Byte.SIZE; bit++) {
      flip(bit);
      MalformedMessageException rejection =
          assertThrows(MalformedMessageException.class, () -> sum.check(chunk, LENGTH, FROM));
      assertEquals(FROM, rejection.source());
      flip(bit);
    }
  }

  @Test
  void aHeadAloneHasTheSumOfNoFloats() {
    sum.sealFloats(chunk, FLOATS);
    ChunkHeader.put(chunk, FROM, ChunkHeader.ACKNOWLEDGEMENT);
    sum.sealHead(chunk);
    assertDoesNotThrow(() -> sum.check(chunk, ChunkHeader.BYTES, FROM));
  }

  private void flip(int bit) {
    int at = bit / Byte.SIZE;
    chunk.put(at, (byte) (chunk.get(at) ^ 1 << bit % Byte.SIZE));
  }
}
