package io.github.amb.models.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Damaged files give a UsageException or, where the damage does no harm, images of that size. */
class IdxReaderFuzzTest {
  private static final byte[] PLAIN = IdxFiles.images(3, 5, 4);
  private static final byte[] GZIP = IdxFiles.gzip(PLAIN);
  private static Path file;

  @BeforeContainer
  static void createFile() throws IOException {
    file = Files.createTempFile("idx", ".bin");
  }

  @AfterContainer
  static void deleteFile() throws IOException {
    Files.delete(file);
  }

  @Property(tries = 300)
  void aTruncatedFileIsRejected(@ForAll boolean gzip, @ForAll @IntRange(max = 1000) int length)
      throws IOException {
    byte[] whole = gzip ? GZIP : PLAIN;
    Files.write(file, Arrays.copyOf(whole, length % whole.length));
    assertThrows(UsageException.class, () -> IdxReader.images(file));
  }

  @Property(tries = 2000)
  void flippedBitsGiveAnErrorOrConsistentImages(
      @ForAll boolean gzip,
      @ForAll @Size(min = 1, max = 3) int @IntRange(min = 0, max = 100_000) [] bits)
      throws IOException {
    byte[] damaged = (gzip ? GZIP : PLAIN).clone();
    for (int bit : bits) {
      int position = Math.floorMod(bit, damaged.length * 8);
      damaged[position / 8] ^= (byte) (1 << position % 8);
    }
    Files.write(file, damaged);
    readOrReject();
  }

  @Property(tries = 500)
  void arbitraryBytesGiveAnErrorOrConsistentImages(@ForAll @Size(max = 64) byte[] content)
      throws IOException {
    Files.write(file, content);
    readOrReject();
  }

  @Property(tries = 200)
  void whatIsWrittenIsRead(
      @ForAll @IntRange(min = 1, max = 9) int count,
      @ForAll @IntRange(min = 1, max = 40) int rows,
      @ForAll @IntRange(min = 1, max = 40) int columns,
      @ForAll boolean gzip)
      throws IOException {
    byte[] content = IdxFiles.images(count, rows, columns);
    Files.write(file, gzip ? IdxFiles.gzip(content) : content);
    IdxReader.Images images = IdxReader.images(file);
    assertEquals(rows, images.rows());
    assertEquals(columns, images.columns());
    assertArrayEquals(Arrays.copyOfRange(content, 16, content.length), images.pixels());
  }

  private static void readOrReject() {
    try {
      IdxReader.Images images = IdxReader.images(file);
      assertEquals(images.count() * images.rows() * images.columns(), images.pixels().length);
    } catch (UsageException e) {
      assertEquals(0, e.getMessage().indexOf(file.toString()), e.getMessage());
    }
  }
}
