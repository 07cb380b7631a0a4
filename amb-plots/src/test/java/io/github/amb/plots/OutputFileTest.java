package io.github.amb.plots;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class OutputFileTest {
  private static final byte[] CONTENT = {1, 2, 3};

  @TempDir Path folder;

  private static String problem(Executable writing) {
    return assertThrows(UsageException.class, writing).getMessage();
  }

  @Test
  void anOlderFileIsReplaced() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "longer than the new one");
    OutputFile.write(file, CONTENT);
    assertEquals(3, Files.size(file));
  }

  @Test
  void nothingIsWrittenThroughALink() throws IOException {
    Path victim = Files.writeString(folder.resolve("victim"), "mine");
    Path link = Files.createSymbolicLink(folder.resolve("file"), victim);
    assertEquals(
        link
            + ": expected a plain file or nothing, found a symbolic link: remove it, or choose"
            + " another place with --out",
        problem(() -> OutputFile.write(link, CONTENT)));
    assertEquals("mine", Files.readString(victim));
  }

  @Test
  void noFileIsMadeWhereALinkPoints() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("file"), folder.resolve("new"));
    problem(() -> OutputFile.write(link, CONTENT));
    assertFalse(Files.exists(folder.resolve("new")));
  }

  @Test
  void aFileOfTwoNamesKeepsItsContent() throws IOException {
    Path victim = Files.writeString(folder.resolve("victim"), "mine");
    Path file = Files.createLink(folder.resolve("file"), victim);
    OutputFile.write(file, CONTENT);
    assertEquals("mine", Files.readString(victim));
    assertEquals(3, Files.size(file));
  }

  @Test
  void aFolderThatIsALinkIsRejected() throws IOException {
    Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
    Path run = Files.createDirectory(folder.resolve("run"));
    Files.createSymbolicLink(run.resolve("plots"), elsewhere);
    String problem = problem(() -> OutputFile.folder(run, run.resolve("plots/more")));
    assertTrue(problem.startsWith(run.resolve("plots") + ": expected a folder or nothing"));
    assertFalse(Files.exists(elsewhere.resolve("more")));
  }

  @Test
  void theUsersOwnFolderMayBeALink() throws IOException {
    Path real = Files.createDirectory(folder.resolve("real"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), real);
    OutputFile.folder(link, link.resolve("plots"));
    assertTrue(Files.isDirectory(real.resolve("plots")));
    assertEquals(link, OutputFile.folder(link, link));
  }
}
