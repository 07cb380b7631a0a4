package io.github.amb.models.data.example;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.IdxFiles;
import io.github.amb.models.data.source.DataFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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

  private static Path of(Path file, Path cache) {
    return DecodedFile.of(file, cache, in -> 10_000);
  }

  @Test
  void aGzipFileIsDecodedOnce() throws IOException {
    Path file = IdxFiles.write(folder.resolve("a.gz"), IdxFiles.gzip(content()));
    Path same = IdxFiles.write(folder.resolve("b.gz"), IdxFiles.gzip(content()));
    Path cache = folder.resolve("cache");
    Path decoded = of(file, cache);
    assertArrayEquals(content(), Files.readAllBytes(decoded));
    var modified = Files.getLastModifiedTime(decoded);
    assertEquals(decoded, of(same, cache));
    assertEquals(modified, Files.getLastModifiedTime(decoded));
    try (Stream<Path> files = Files.list(cache)) {
      assertEquals(1, files.count());
    }
    ByteBuffer map = DecodedFile.map(decoded);
    assertEquals(10_000, map.capacity());
    assertEquals((byte) (99 * 99), map.get(99));
  }

  @Test
  void aTruncatedCopyIsReplaced() throws IOException {
    Path file = IdxFiles.write(folder.resolve("a.gz"), IdxFiles.gzip(content()));
    Path cache = folder.resolve("cache");
    Path decoded = of(file, cache);
    Files.write(decoded, new byte[7]);
    assertEquals(decoded, of(file, cache));
    assertArrayEquals(content(), Files.readAllBytes(decoded));
  }

  @Test
  void whatIsPlainOrBrokenIsLeftToItsReader() throws IOException {
    Path plain = IdxFiles.write(folder.resolve("plain"), content());
    assertSame(plain, of(plain, folder));
    Path missing = folder.resolve("missing.gz");
    assertSame(missing, of(missing, folder));
    // No directory can be made where a file is.
    Path good = IdxFiles.write(folder.resolve("good.gz"), IdxFiles.gzip(content()));
    assertSame(good, of(good, plain));
  }

  private void expectRejected(byte[] gzip, String expected) throws IOException {
    Path file = IdxFiles.write(folder.resolve("bad.gz"), gzip);
    Path cache = folder.resolve("cache");
    String message = assertThrows(UsageException.class, () -> of(file, cache)).getMessage();
    assertTrue(message.startsWith(file + ": offset "), message);
    assertTrue(message.contains(expected), message);
    if (Files.exists(cache)) {
      try (Stream<Path> files = Files.list(cache)) {
        assertEquals(0, files.count());
      }
    }
  }

  @Test
  void aTruncatedFileIsNotCached() throws IOException {
    byte[] gzip = IdxFiles.gzip(content());
    expectRejected(Arrays.copyOf(gzip, gzip.length / 2), "corrupt gzip data");
  }

  @Test
  void aFileLongerThanItsHeaderSaysIsNotKept() throws IOException {
    expectRejected(IdxFiles.gzip(Arrays.copyOf(content(), 10_001)), "the end of the file");
  }

  @Test
  void noMoreIsDecodedThanTheHeaderSays() throws IOException {
    Path file = IdxFiles.write(folder.resolve("bomb.gz"), IdxFiles.gzip(new byte[50_000_000]));
    var written = new ByteArrayOutputStream();
    try (DataFile in = DataFile.open(file)) {
      in.copy(10_000, "content", written);
      assertThrows(UsageException.class, () -> in.expectEnd("content"));
      assertEquals(10_000, in.offset());
    }
    assertEquals(10_000, written.size());
  }

  @Test
  void aChangedCopyOfTheSameLengthIsMadeAgain() throws IOException {
    Path file = IdxFiles.write(folder.resolve("a.gz"), IdxFiles.gzip(content()));
    Path cache = folder.resolve("cache");
    Path decoded = of(file, cache);
    byte[] changed = content();
    changed[5000] ^= 4;
    Files.write(decoded, changed);
    assertEquals(decoded, of(file, cache));
    assertArrayEquals(content(), Files.readAllBytes(decoded));
  }
}
