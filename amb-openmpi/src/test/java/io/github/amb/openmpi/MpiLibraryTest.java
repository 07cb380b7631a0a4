package io.github.amb.openmpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.bytedeco.javacpp.Loader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Where the native code comes from. */
@EnabledOnOs(OS.LINUX)
class MpiLibraryTest {
  /** A library of an earlier build, with the same name, size and time, must not be taken for it. */
  @Test
  void itIsThatOfThisBuildAndNothingStaysForLaterOnes() throws IOException {
    List<Path> before = copies();
    MpiLibrary.load();
    List<String> loaded;
    try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
      loaded = maps.filter(line -> line.contains(MpiLibrary.NAME)).toList();
    }
    assertFalse(loaded.isEmpty());
    assertTrue(loaded.stream().allMatch(line -> line.endsWith("(deleted)")), loaded::toString);
    assertEquals(before, copies());
  }

  private static List<Path> copies() throws IOException {
    try (Stream<Path> files = Files.list(Loader.getCacheDir().toPath())) {
      return files.filter(file -> file.getFileName().toString().startsWith("jni")).toList();
    }
  }
}
