package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Problems with a run's files and limits: one line says what happened, where, and what to do. */
@Tag("lab")
@EnabledOnOs(OS.LINUX)
class MishapTest {
  private static final int PIXELS = 28 * 28;
  private static final int EXAMPLES = 1000;
  private static final String LONG = " fmb rms 16 --max-time 3000 --evaluate last ";

  @TempDir Path directory;

  /** Ranks read the copy in the cache. */
  @Test
  void aDataFileThatIsCutIsStillRead() throws Exception {
    writeData();
    String data = "mnist" + LONG + "--workers 1 --data-dir " + directory;
    try (AmbProcess amb = AmbProcess.start(directory, "train " + data)) {
      amb.awaitSteps(3);
      try (RandomAccessFile file = new RandomAccessFile(images().toFile(), "rw")) {
        file.setLength(16);
      }
      amb.awaitSteps(9);
    }
  }

  @Test
  void tooFewOpenFilesAreRejectedFirst() throws Exception {
    AmbProcess amb = withOpenFiles(90, "train toy fmb rms 16 --workers 0 --last-step 1");
    assertEquals(2, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
    assertEquals(
        List.of(
            "amb: expected a limit of at least 100 open files per process, found 90; raise it, as with ulimit -n 1024"),
        amb.stderr());
    assertFalse(Files.exists(directory.resolve("runs")));
  }

  /** All ranks fail that have to open one more file. */
  @Test
  void tooFewOpenFilesForItsRanksEndARun() throws Exception {
    AmbProcess amb = withOpenFiles(160, "train toy fmb rms 16 --workers 60 --last-step 1");
    assertEquals(1, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
    String last = amb.stderr().get(amb.stderr().size() - 1);
    assertTrue(last.contains("Too many open files"), last);
    assertTrue(last.contains("raise it, as with ulimit -n 1024"), last);
    assertNoTrace(amb);
    assertEquals(1, amb.run().read().ending().exitCode());
  }

  @Test
  void aRemovedRunDirectoryEndsLocalTraining() throws Exception {
    assertRemovalIsSaid("--workers 0");
  }

  @Test
  void aRemovedRunDirectoryEndsTheRanks() throws Exception {
    assertRemovalIsSaid("--workers 1");
  }

  private void assertRemovalIsSaid(String workers) throws Exception {
    try (AmbProcess amb = AmbProcess.start(directory, "train toy" + LONG + workers)) {
      amb.awaitSteps(3);
      Path run = amb.run().path();
      remove(run);
      assertEquals(1, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      String last = amb.stderr().get(amb.stderr().size() - 1);
      assertTrue(
          last.endsWith(
              run.getFileName()
                  + ": expected the directory of this run, found none: it was removed while the run trained; nothing of the run is left; start a new run"),
          last);
      assertNoTrace(amb);
    }
  }

  private static void remove(Path run) throws IOException {
    while (Files.exists(run)) {
      try (Stream<Path> all = Files.walk(run)) {
        for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      } catch (IOException | UncheckedIOException e) {
        // A write has interfered: try again.
      }
    }
  }

  private static void assertNoTrace(AmbProcess amb) throws IOException {
    assertTrue(
        amb.stderr().stream().noneMatch(line -> line.startsWith("\tat ")), amb.everythingSaid());
  }

  private AmbProcess withOpenFiles(int limit, String command) throws IOException {
    List<String> line = new ArrayList<>(List.of("bash", "-c"));
    line.add("ulimit -n " + limit + "; exec \"$@\"");
    line.add("limited");
    line.addAll(AmbProcess.line(command));
    return AmbProcess.start(directory, line);
  }

  private Path images() {
    return directory.resolve("mnist/train-images-idx3-ubyte");
  }

  /** Writes black images, which suffice for training. */
  private void writeData() throws IOException {
    Files.createDirectories(directory.resolve("mnist"));
    for (String part : List.of("train", "t10k")) {
      write(part + "-images-idx3-ubyte", EXAMPLES * PIXELS, 0x803, EXAMPLES, 28, 28);
      write(part + "-labels-idx1-ubyte", EXAMPLES, 0x801, EXAMPLES);
    }
  }

  private void write(String name, int bytes, int... header) throws IOException {
    Path file = directory.resolve("mnist").resolve(name);
    try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(file))) {
      for (int number : header) {
        out.writeInt(number);
      }
      out.write(new byte[bytes]);
    }
  }
}
