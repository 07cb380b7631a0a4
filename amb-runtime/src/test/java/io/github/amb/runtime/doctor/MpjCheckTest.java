package io.github.amb.runtime.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.runtime.mpj.WorldLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With copies of MPJ Express, each with something wrong. */
class MpjCheckTest {
  private static final String CLASS = ".class";
  private static final String DEVICE = "xdev/niodev/NIODevice.class";
  private static final String AGAIN =
      "; install Debian's libmpj-java again, or set MPJ_HOME to another MPJ Express 0.44";

  @TempDir Path folder;
  private String before;
  private Path whole;
  private int copies;

  @BeforeEach
  void find() {
    before = System.getProperty(WorldLoader.JAR_PROPERTY);
    whole = WorldLoader.findJar();
  }

  @AfterEach
  void restore() {
    if (before == null) {
      System.clearProperty(WorldLoader.JAR_PROPERTY);
    } else {
      System.setProperty(WorldLoader.JAR_PROPERTY, before);
    }
  }

  /** What an entry of a copy has, by its name and content; null if it is not to be there. */
  @FunctionalInterface
  private interface Change {
    byte[] of(String name, byte[] content);
  }

  /** A copy without a manifest, unless the change makes one. */
  private Path copy(String name, Change change) throws Exception {
    Path copy = folder.toRealPath().resolve(name);
    try (JarFile from = new JarFile(whole.toFile());
        ZipOutputStream to = new ZipOutputStream(Files.newOutputStream(copy))) {
      put(to, JarFile.MANIFEST_NAME, change.of(JarFile.MANIFEST_NAME, null));
      for (JarEntry entry : from.stream().filter(one -> one.getName().endsWith(CLASS)).toList()) {
        byte[] content = from.getInputStream(entry).readAllBytes();
        put(to, entry.getName(), change.of(entry.getName(), content));
      }
    }
    return copy;
  }

  private static void put(ZipOutputStream to, String name, byte[] content) throws Exception {
    if (content != null) {
      to.putNextEntry(new ZipEntry(name));
      to.write(content);
    }
  }

  private static Change replaced(String replaced, byte[] by) {
    return (name, content) -> name.equals(replaced) ? by : content;
  }

  private static Diagnosis diagnosis(Path jar) throws Exception {
    System.setProperty(WorldLoader.JAR_PROPERTY, jar.toString());
    return Diagnosis.of(new SoundMachine());
  }

  private static void assertOk(String version, Path jar) throws Exception {
    Diagnosis diagnosis = diagnosis(jar);
    diagnosis.assertLine(
        "ok       mpj          %s, %s, %d bytes"
            .formatted(jar.toRealPath(), version, Files.size(jar)));
    assertEquals(0, diagnosis.code());
  }

  private static void assertFailed(String found, Path jar) throws Exception {
    Diagnosis diagnosis = diagnosis(jar);
    diagnosis.assertLine("failed   mpj          " + found);
    assertEquals(1, diagnosis.code());
  }

  @Test
  void theVersionIsFoundInNameManifestOrClasses() throws Exception {
    Path named = copy("mpj-0.44.jar", (name, content) -> content);
    assertOk("version 0.44", named);
    assertOk("version 0.44", Files.createSymbolicLink(folder.resolve("mpj.jar"), named));
    assertOk("its classes are those of 0.44", copy("any.jar", (name, content) -> content));
    byte[] manifest = "Manifest-Version: 1.0\nImplementation-Version: 0.44b\n\n".getBytes(UTF_8);
    assertOk("version 0.44b", copy("stated.jar", replaced(JarFile.MANIFEST_NAME, manifest)));
  }

  @Test
  void withoutItRunsFail() throws Exception {
    Path none = folder.resolve("mpj.jar");
    assertFailed(
        "MPJ Express not found: expected %s (from -D%s); install Debian's libmpj-java, or unpack MPJ Express and set MPJ_HOME; runs with --workers 0 do not need it"
            .formatted(none, WorldLoader.JAR_PROPERTY),
        none);
  }

  @Test
  void aTruncatedJarIsNamed() throws Exception {
    Path cut = folder.resolve("mpj.jar");
    byte[] bytes = Files.readAllBytes(whole);
    Files.write(cut, Arrays.copyOf(bytes, bytes.length / 2));
    assertFailed("cannot read " + cut + ": ZipException: zip END header not found" + AGAIN, cut);
  }

  @Test
  void aJarOfSomethingElseIsNamed() throws Exception {
    assertUnusable(
        "xdev.niodev.NIODevice: ClassNotFoundException: xdev.niodev.NIODevice",
        (name, content) -> name.startsWith("mpi/") ? content : null);
  }

  @Test
  void aClassThatCannotBePatchedIsNamed() throws Exception {
    assertUnusable(
        "xdev.niodev.NIODevice: IOException: expected a class file, found other bytes",
        replaced(DEVICE, new byte[0]));
  }

  @Test
  void aClassThatCannotBeLoadedIsNamed() throws Exception {
    assertUnusable(
        "mpi.MPI: ClassFormatError: Truncated class file", replaced("mpi/MPI.class", new byte[0]));
    assertUnusable("mpi.MPI: ClassNotFoundException: mpi.MPI", replaced("mpi/MPI.class", null));
  }

  private void assertUnusable(String found, Change change) throws Exception {
    copies++; // Java keeps open what it has read of a path.
    Path jar = copy("mpj%d.jar".formatted(copies), change);
    assertFailed("%s: ranks cannot use class %s%s".formatted(jar, found, AGAIN), jar);
  }
}
