package io.github.amb.core.file;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderVisitorTest {
  @TempDir Path folder;
  private final List<Path> visited = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  @Test
  void aFolderThatVanishesIsPassed() throws IOException {
    Files.createDirectory(folder.resolve("a"));
    Files.createDirectory(folder.resolve("b"));
    Files.walkFileTree(
        folder,
        new FolderVisitor(warnings::add) {
          @Override
          public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes)
              throws IOException {
            visited.add(path);
            if (!path.equals(folder)) {
              Files.deleteIfExists(folder.resolve(path.endsWith("a") ? "b" : "a"));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    assertEquals(2, visited.size());
    assertEquals(List.of(), warnings);
  }

  @Test
  void anUnreadableFolderIsPassedWithAWarning() {
    Path closed = folder.resolve("closed");
    assertEquals(
        FileVisitResult.CONTINUE,
        new FolderVisitor(warnings::add)
            .visitFileFailed(closed, new AccessDeniedException(closed.toString())));
    assertEquals(List.of(closed + ": permission denied; check owner and mode"), warnings);
  }
}
