package io.github.amb.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("lab")
class QuietTrainingTest {
  @TempDir Path folder;

  @Test
  void nothingIsPrintedAndNoOtherFileIsWritten() throws Exception {
    Path output = folder.resolve("output");
    Path directory = Files.createDirectory(folder.resolve("directory"));
    Process program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Damb.rank.jvm=-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                QuietTraining.class.getName(),
                "run")
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertEquals(0, program.waitFor(), () -> text(output));
    } finally {
      program.destroyForcibly();
    }
    assertEquals("", text(output));
    try (var files = Files.list(directory)) {
      assertEquals(List.of(directory.resolve("run")), files.toList());
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
