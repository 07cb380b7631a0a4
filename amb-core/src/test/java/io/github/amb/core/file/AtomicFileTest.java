package io.github.amb.core.file;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileTest {
  /** As shared folders of virtual machines: the call for directories is missing. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aFileSystemNeedNotForceDirectories() throws IOException {
    Path directory = Path.of("/proc/self");
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      assertThrows(IOException.class, () -> channel.force(true));
    }
    assertDoesNotThrow(() -> AtomicFile.sync(directory));
  }

  @Test
  void aFileIsCompleteOrNotThere(@TempDir Path folder) throws IOException {
    for (AtomicFile durability : AtomicFile.values()) {
      Path file = folder.resolve(durability.name());
      durability.create(file, part -> Files.writeString(part, "old"));
      assertThrows(
          IOException.class,
          () ->
              durability.create(
                  file,
                  part -> {
                    Files.writeString(part, "new");
                    throw new IOException("the disk is full");
                  }));
      assertEquals("old", Files.readString(file));
      durability.create(file, part -> Files.writeString(part, "new"));
      assertEquals("new", Files.readString(file));
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(2, files.count(), "a part is left");
    }
  }

  @Test
  void nothingIsLeftOfADirectoryThatIsNotComplete(@TempDir Path folder) throws IOException {
    IOException full = new IOException("the disk is full");
    AtomicFile.Content content =
        part -> {
          Files.writeString(Files.createDirectory(part).resolve("file"), "content");
          throw full;
        };
    Path whole = folder.resolve("whole");
    var found = assertThrows(IOException.class, () -> AtomicFile.DURABLE.create(whole, content));
    assertSame(full, found);
    assertEquals(List.of(), Folder.entries(folder));
  }

  @Test
  void aDirectoryGetsItsNameToo(@TempDir Path folder) throws IOException {
    Path part = Files.createDirectory(folder.resolve("part"));
    Files.writeString(part.resolve("file"), "content");
    AtomicFile.DURABLE.give(part, folder.resolve("whole"));
    assertEquals("content", Files.readString(folder.resolve("whole/file")));
  }
}
