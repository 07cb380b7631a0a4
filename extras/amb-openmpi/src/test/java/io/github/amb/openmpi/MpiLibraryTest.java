package io.github.amb.openmpi;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Where the native code comes from. */
@EnabledOnOs(OS.LINUX)
class MpiLibraryTest {
  private static final String DELETED = " (deleted)";

  /** A library of an earlier build, with the same name, size and time, must not be taken for it. */
  @Test
  void theLibraryIsThatOfThisBuild() throws IOException {
    MpiLibrary.load();
    List<String> loaded;
    try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
      loaded = maps.filter(line -> line.contains(MpiLibrary.NAME)).toList();
    }
    assertFalse(loaded.isEmpty());
    for (String line : loaded) {
      assertTrue(line.endsWith(DELETED), line);
      String path = line.substring(line.indexOf('/'), line.length() - DELETED.length());
      assertFalse(Files.exists(Path.of(path)), path);
    }
  }
}
