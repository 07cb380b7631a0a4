package io.github.amb.models.data.source;

import static io.github.amb.models.data.TarFiles.entry;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.models.data.IdxFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TarGzTest {
  @TempDir Path folder;

  @Test
  void onlyRequestedFilesAreExtracted() throws IOException {
    byte[] wanted = new byte[1300];
    wanted[1299] = 42;
    Path archive =
        archive(
            entry("set/", new byte[0]),
            entry("set/other", new byte[700]),
            entry("set/a.bin", wanted),
            entry("../b.bin", new byte[3]));
    Path target = folder.resolve("here.bin");
    Path second = folder.resolve("b");
    TarGz.extract(archive, Map.of("a.bin", target, "b.bin", second));
    assertArrayEquals(wanted, Files.readAllBytes(target));
    assertEquals(3, Files.size(second));
    try (var files = Files.list(folder)) {
      assertEquals(3, files.count());
    }
  }

  @Test
  void anArchiveWithoutTheFileIsRejected() throws IOException {
    Path archive = archive(entry("set/other", new byte[700]));
    String message =
        assertThrows(
                IOException.class,
                () -> TarGz.extract(archive, Map.of("a.bin", folder.resolve("a.bin"))))
            .getMessage();
    assertTrue(message.contains("lacks files"), message);
  }

  private String problem(Path archive, Path target) {
    return assertThrows(IOException.class, () -> TarGz.extract(archive, Map.of("a.bin", target)))
        .getMessage();
  }

  @Test
  void nothingIsWrittenThroughALink() throws IOException {
    Path archive = archive(entry("a.bin", new byte[700]));
    Path victim = Files.writeString(folder.resolve("victim"), "mine");
    Path target = Files.createSymbolicLink(folder.resolve("a.bin"), victim);
    TarGz.extract(archive, Map.of("a.bin", target));
    assertEquals("mine", Files.readString(victim));
    assertTrue(Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS));
  }

  @Test
  void aTruncatedEntryLeavesNothing() throws IOException {
    byte[] entry = Arrays.copyOf(entry("a.bin", new byte[7000]), 3000);
    Path archive = IdxFiles.write(folder.resolve("x.tar.gz"), IdxFiles.gzip(entry));
    assertTrue(problem(archive, folder.resolve("a.bin")).contains("Truncated"));
    try (var files = Files.list(folder)) {
      assertEquals(1, files.count());
    }
  }

  private Path archive(byte[]... entries) throws IOException {
    var bytes = new ByteArrayOutputStream();
    for (byte[] entry : entries) {
      bytes.write(entry);
    }
    bytes.write(new byte[1024]);
    return IdxFiles.write(folder.resolve("x.tar.gz"), IdxFiles.gzip(bytes.toByteArray()));
  }
}
