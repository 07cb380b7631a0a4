package io.github.amb.core.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS)
class SharedPlaceTest {
  private static final int ANOTHER_USER = 4242;

  @TempDir Path folder;

  @Test
  void onlyOwnFilesThatOthersCannotWritePass() throws IOException {
    Path own = Files.writeString(folder.resolve("own"), "");
    Path link = Files.createSymbolicLink(folder.resolve("link"), own);
    Path open = Files.writeString(folder.resolve("open"), "");
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-rw-rw-"));
    assertTrue(SharedPlace.isOwn(own) && SharedPlace.isTrusted(own));
    for (Path path : List.of(link, open, folder.resolve("missing"))) {
      assertFalse(SharedPlace.isOwn(path) || SharedPlace.isTrusted(path), path.toString());
    }
    assertFalse(SharedPlace.isOwnSocket(own));
  }

  @Test
  void anotherUsersFilesAreNeitherUsedNorRemoved() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    Path inside = Files.createDirectory(folder.resolve("theirs")).resolve("file");
    Files.writeString(inside, "");
    give(file);
    give(inside.getParent());
    assertFalse(SharedPlace.isOwn(file) || SharedPlace.isTrusted(file));
    assertFalse(SharedPlace.isTrusted(inside));
    assertFalse(SharedPlace.isTrustedFolder(inside.getParent()));
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder);
    Files.setAttribute(link, "unix:uid", ANOTHER_USER, LinkOption.NOFOLLOW_LINKS);
    assertFalse(SharedPlace.isTrustedFolder(link));
  }

  @Test
  void nativeCodeIsLoadedFromTheFirstPrivateDirectory() throws IOException {
    Path made = folder.resolve("cache/native");
    assertEquals(made, SharedPlace.forPrograms(List.of(made)));
    assertEquals(PosixFilePermissions.fromString("rwx------"), Files.getPosixFilePermissions(made));
    try (Stream<Path> left = Files.list(made)) {
      assertEquals(0, left.count());
    }
    Path link = Files.createSymbolicLink(folder.resolve("link"), made);
    Path group = Files.createDirectory(folder.resolve("group"));
    Files.setPosixFilePermissions(group, PosixFilePermissions.fromString("rwxrwxr-x"));
    Path file = Files.writeString(folder.resolve("file"), "");
    assertEquals(
        made,
        SharedPlace.forPrograms(
            List.of(link, group, group.resolve("native"), file, file.resolve("below"), made)));
    assertNotEquals(group, SharedPlace.forPrograms(List.of(group)));
  }

  @Test
  void nativeCodeIsNotLoadedFromAnotherUsersDirectory() throws IOException {
    Path planted = Files.createDirectories(folder.resolve("planted/native"));
    give(planted);
    assertNotEquals(planted, SharedPlace.forPrograms(List.of(planted)));
    Path below = Files.createDirectory(planted.resolve("own"));
    assertNotEquals(below, SharedPlace.forPrograms(List.of(below)));
  }

  @Test
  void aDirectoryForProgramsRunsPrograms() throws IOException {
    Path memory = Path.of("/proc/self/mounts");
    assumeTrue(Files.exists(memory));
    for (String mount : Files.readAllLines(memory)) {
      String[] words = mount.split(" ");
      if (Set.of(words[3].split(",")).contains("noexec") && Files.isWritable(Path.of(words[1]))) {
        Path candidate = Path.of(words[1], "amb-test-native");
        assertNotEquals(candidate, SharedPlace.forPrograms(List.of(candidate)));
        Files.deleteIfExists(candidate);
      }
    }
  }

  /** What is made in a shared place elsewhere is neither checked nor in the table. */
  @Test
  void noOtherClassMakesTemporaryFiles() throws IOException {
    Pattern made =
        Pattern.compile(
            "createTempDirectory\\([^,()]*\\)|createTempFile\\([^,()]*,[^,()]*\\)|/tmp/");
    Set<String> makers = new TreeSet<>();
    try (Stream<Path> sources = Files.walk(Path.of(".."))) {
      for (Path source : sources.filter(SharedPlaceTest::isMainSource).toList()) {
        if (made.matcher(Files.readString(source)).find()) {
          makers.add(source.getFileName().toString());
        }
      }
    }
    // FigureWindow looks whether an X server's socket exists.
    assertEquals(Set.of("FigureWindow.java", "SharedPlace.java"), makers);
  }

  private static boolean isMainSource(Path path) {
    return path.toString().contains("src/main/java") && path.toString().endsWith(".java");
  }

  private static void give(Path path) {
    try {
      Files.setAttribute(path, "unix:uid", ANOTHER_USER);
    } catch (IOException e) {
      assumeTrue(false, "only root can give files away");
    }
  }
}
