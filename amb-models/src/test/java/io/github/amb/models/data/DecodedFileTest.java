package io.github.amb.models.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DecodedFileTest {
  @TempDir Path folder;

  private static byte[] content() {
    byte[] content = new byte[10_000];
    for (int i = 0; i < content.length; i++) {
      content[i] = (byte) (i * i);
    }
    return content;
  }

  @Test
  void aGzipFileIsDecodedOnceAndByItsContent() throws IOException {
    Path file = IdxFiles.write(folder.resolve("a.gz"), IdxFiles.gzip(content()));
    Path same = IdxFiles.write(folder.resolve("b.gz"), IdxFiles.gzip(content()));
    Path cache = folder.resolve("cache");
    Path decoded = DecodedFile.of(file, cache);
    assertArrayEquals(content(), Files.readAllBytes(decoded));
    var modified = Files.getLastModifiedTime(decoded);
    assertEquals(decoded, DecodedFile.of(same, cache));
    assertEquals(modified, Files.getLastModifiedTime(decoded));
    try (Stream<Path> files = Files.list(cache)) {
      assertEquals(1, files.count());
    }
    ByteBuffer map = DecodedFile.map(decoded);
    assertEquals(10_000, map.capacity());
    assertEquals((byte) (99 * 99), map.get(99));
  }

  @Test
  void aCutCopyIsMadeAnew() throws IOException {
    Path file = IdxFiles.write(folder.resolve("a.gz"), IdxFiles.gzip(content()));
    Path cache = folder.resolve("cache");
    Path decoded = DecodedFile.of(file, cache);
    Files.write(decoded, new byte[7]);
    assertEquals(decoded, DecodedFile.of(file, cache));
    assertArrayEquals(content(), Files.readAllBytes(decoded));
  }

  @Test
  void whatIsPlainOrBrokenIsLeftToItsReader() throws IOException {
    Path plain = IdxFiles.write(folder.resolve("plain"), content());
    assertSame(plain, DecodedFile.of(plain, folder));
    byte[] cut = IdxFiles.gzip(content());
    Path broken = IdxFiles.write(folder.resolve("cut.gz"), java.util.Arrays.copyOf(cut, 40));
    assertSame(broken, DecodedFile.of(broken, folder.resolve("cache")));
    Path missing = folder.resolve("missing.gz");
    assertSame(missing, DecodedFile.of(missing, folder));
    // No directory can be made where a file is.
    Path good = IdxFiles.write(folder.resolve("good.gz"), IdxFiles.gzip(content()));
    assertSame(good, DecodedFile.of(good, plain));
    try (Stream<Path> files = Files.list(folder.resolve("cache"))) {
      assertEquals(0, files.count());
    }
  }
}
