package io.github.amb.models.dl4j;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.factory.Nd4j;

class SavedArrayFuzzTest {
  private static byte[] saved() throws IOException {
    Dl4jSetup.ensure();
    var bytes = new ByteArrayOutputStream();
    Nd4j.write(Nd4j.createFromArray(1f, 2f, 3f), new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  private static void look(byte[] bytes) throws IOException {
    SavedArray.expectBounded("fuzz", new DataInputStream(new ByteArrayInputStream(bytes)));
  }

  @Test
  void whatNd4jWritesIsAccepted() throws IOException {
    byte[] bytes = saved();
    assertDoesNotThrow(() -> look(bytes));
  }

  @Property(tries = 1000)
  void aDamagedHeaderIsTakenOrRejected(
      @ForAll @Size(min = 1, max = 3) int @IntRange(max = 100_000) [] bits) throws IOException {
    byte[] bytes = saved();
    for (int bit : bits) {
      int position = Math.floorMod(bit, bytes.length * 8);
      bytes[position / 8] ^= (byte) (1 << position % 8);
    }
    try {
      look(bytes);
    } catch (UsageException e) {
      assertTrue(e.getMessage().startsWith("fuzz: expected"), e.getMessage());
    } catch (IOException e) {
      // Cut, or no text where text is expected: SavedArchitecture names the file.
    }
  }
}
