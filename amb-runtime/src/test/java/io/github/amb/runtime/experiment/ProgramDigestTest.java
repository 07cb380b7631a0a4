package io.github.amb.runtime.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramDigestTest {
  private static final Map<String, String> CODE = Map.of("amb/Sum.class", "a + b");

  @TempDir Path directory;

  private String digest(String name, Map<String, String> files) throws IOException {
    Path folder = Files.createTempDirectory(directory, "lib");
    jar(folder.resolve("jackson-core-2.22.4.jar"), Map.of("any", "thing"));
    jar(folder.resolve(name), files);
    return ProgramDigest.ofJars(folder);
  }

  private static void jar(Path file, Map<String, String> files) throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(file))) {
      for (Map.Entry<String, String> one : files.entrySet()) {
        out.putNextEntry(new JarEntry(one.getKey()));
        out.write(one.getValue().getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  @Test
  void anotherClassIsAnotherProgram() throws IOException {
    assertNotEquals(
        digest("amb-core-1.jar", CODE), digest("amb-core-1.jar", Map.of("amb/Sum.class", "a - b")));
  }

  @Test
  void anotherLibraryIsAnotherProgram() throws IOException {
    assertNotEquals(digest("dnnl-3.12.jar", CODE), digest("dnnl-3.13.jar", CODE));
  }

  @Test
  void aVersionOrCommitAloneIsNoOtherProgram() throws IOException {
    Map<String, String> built =
        Map.of(
            "amb/Sum.class",
            "a + b",
            "amb/build.properties",
            "commit=1",
            "META-INF/MANIFEST.MF",
            "");

    assertEquals(digest("amb-core-1.jar", CODE), digest("amb-core-2.jar", built));
  }

  @Test
  void figuresAreNoPartOfIt() throws IOException {
    assertEquals(digest("amb-plots-1.jar", CODE), digest("amb-plots-1.jar", Map.of()));
  }
}
