package io.github.amb.core.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class BoundedFileTest {
  @TempDir Path folder;

  @Test
  void aFileOfTheLimitIsRead() throws IOException {
    Path file = Files.write(folder.resolve("file"), new byte[10]);
    assertEquals(10, BoundedFile.read(file, "a file", 10).length);
  }

  @Test
  void aLongerFileIsNamedWithLimitAndSize() throws IOException {
    Path file = folder.resolve("long");
    try (var sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(1L << 40);
    }
    String message = problem(file);
    assertEquals(
        file + ": expected a file of at most 10 bytes, found 1099511627776 bytes", message);
  }

  /** Devices stand for pipes, on which an open would wait. */
  @Test
  @DisabledOnOs(OS.WINDOWS)
  void onlyFilesAreOpened() throws IOException {
    Path device = Files.createSymbolicLink(folder.resolve("device"), Path.of("/dev/zero"));
    Path missing = folder.resolve("missing");
    for (Path path : List.of(device, folder)) {
      String found = path == device ? "pipe, socket or device" : "directory";
      String expected = path + ": expected a file, found a " + found + "; take it away";
      assertEquals(expected, problem(path));
      assertEquals(
          expected, assertThrows(UsageException.class, () -> BoundedFile.open(path)).getMessage());
    }
    assertEquals(missing, BoundedFile.expectFile(missing));
    assertThrows(NoSuchFileException.class, () -> BoundedFile.open(missing));
    // The user has named it, as with <(command).
    assertThrows(UsageException.class, () -> BoundedFile.readNamed(device, "a file", 10));
    Path empty = Files.createSymbolicLink(folder.resolve("empty"), Path.of("/dev/null"));
    assertEquals(0, BoundedFile.readNamed(empty, "a file", 10).length);
  }

  @Test
  void aStreamWithoutAnEndIsRejected() {
    InputStream endless =
        new InputStream() {
          @Override
          public int read() {
            return 'x';
          }
        };
    String message =
        assertThrows(UsageException.class, () -> BoundedFile.read(endless, "pipe", "a file", 1000))
            .getMessage();
    assertEquals("pipe: expected a file of at most 1000 bytes, found more", message);
  }

  @Test
  void memoryThatJavaLacksIsNamedWithTheRemedy() {
    String message =
        assertThrows(UsageException.class, () -> BoundedFile.requireMemory("f", Long.MAX_VALUE / 4))
            .getMessage();
    assertTrue(message.startsWith("f: expected data that fit into the "), message);
    assertTrue(message.contains("AMB_OPTIONS=-Xmx"), message);
  }

  private static String problem(Path file) {
    return assertThrows(UsageException.class, () -> BoundedFile.read(file, "a file", 10))
        .getMessage();
  }
}
