package io.github.amb.core.file;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class DurableNameTest {
  /** As shared folders of virtual machines: the call for directories is missing. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aFileSystemNeedNotForceDirectories() throws IOException {
    Path directory = Path.of("/proc/self");
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      assertThrows(IOException.class, () -> channel.force(true));
    }
    assertDoesNotThrow(() -> DurableName.sync(directory));
  }
}
