package io.github.amb.models.data.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.amb.core.file.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheDirectoryTest {
  @TempDir Path folder;

  @Test
  void theUsersCacheDirectoryComesFirst() throws IOException {
    Map<String, String> both = Map.of("AMB_CACHE_DIR", "here", "XDG_CACHE_HOME", "/x");
    assertEquals(Path.of("here"), CacheDirectory.of(both, "/home/a"));
    assertEquals(Path.of("/x/amb"), CacheDirectory.of(Map.of("XDG_CACHE_HOME", "/x"), "/home/a"));
    assertEquals(
        Path.of("/home/a/.cache/amb"),
        CacheDirectory.of(Map.of("XDG_CACHE_HOME", "x", "AMB_CACHE_DIR", ""), "/home/a"));
    assertThrows(IOException.class, () -> CacheDirectory.of(Map.of(), "?"));
  }

  @Test
  void aFileIsPutThereWholeOrNotAtAll() throws IOException {
    Path file = folder.resolve("cache/file");
    CacheDirectory.put(file, part -> Files.write(part, new byte[3]));
    CacheDirectory.put(file, part -> Files.write(part, new byte[5]));
    assertEquals(5, Files.size(file));
    AtomicFile.Content failing =
        part -> {
          Files.write(part, new byte[7]);
          throw new IOException("disk full");
        };
    assertThrows(IOException.class, () -> CacheDirectory.put(file, failing));
    assertEquals(5, Files.size(file));
    try (Stream<Path> files = Files.list(file.getParent())) {
      assertEquals(1, files.count());
    }
  }

  @Test
  void partsOfYesterdayAreRemoved() throws IOException {
    Path old = Files.writeString(folder.resolve("a.17-1f.part"), "");
    Path yesterday = Files.writeString(folder.resolve("b"), "");
    Path today = Files.writeString(folder.resolve("c.17-1f.part"), "");
    for (Path file : List.of(old, yesterday)) {
      Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofHours(25))));
    }
    Path file = folder.resolve("file");
    CacheDirectory.put(file, part -> Files.write(part, new byte[3]));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(List.of(yesterday, today, file), files.sorted().toList());
    }
  }
}
