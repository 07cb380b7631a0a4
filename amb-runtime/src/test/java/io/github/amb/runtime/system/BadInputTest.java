package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bad input gives one line per problem, exit code 2, no process, and no run directory. */
@Tag("system")
class BadInputTest {
  @TempDir Path directory;

  @Test
  void anUnknownOption() throws Exception {
    assertRejected(
        "train toy fmb rms 16 --wrokers 2", "unknown option --wrokers, did you mean '--workers'?");
  }

  @Test
  void valuesOutOfRange() throws Exception {
    assertRejected(
        "train toy fmb rms 0 --workers -1",
        "batch size: expected integer, 1 or more, found '0'",
        "--workers: expected 0 to 10000, found '-1'");
  }

  @Test
  void anytimeMiniBatchWithoutItsTwoOptions() throws Exception {
    assertRejected(
        "train toy amb rms 16",
        "scheme amb: expected --amb-time-limit (seconds above 0, or auto): how long each worker"
            + " computes per step, T; amb finds the best with auto; found none",
        "scheme amb: expected --amb-num-partitions (integer, 1 or more): slices per batch, P, at"
            + " most the batch size; found none");
  }

  @Test
  void morePartitionsThanExamplesInABatch() throws Exception {
    assertRejected(
        "train toy amb rms 16 --amb-time-limit 1 --amb-num-partitions 17",
        "--amb-num-partitions: expected 1 to 16 (the batch size), found 17");
  }

  @Test
  void theSitesMpiWhereTheProgramWasBuiltWithoutIt() throws Exception {
    assertRejected(
        "train toy fmb rms 16 --engine openmpi",
        "--engine openmpi: expected a program built with the site's MPI, found none; install g++ and"
            + " libopenmpi-dev (or libmpich-dev) and build it with scripts/build -Popenmpi"
            + " (docs/how-to/run-on-the-sites-mpi.md)");
  }

  @Test
  void anUnknownKeyInAFile() throws Exception {
    Path file = directory.resolve("run.yaml");
    Files.writeString(file, "seed: 1\nwrokers: 2\n");
    assertRejected(
        "train toy fmb rms 16 --config " + file,
        file + " line 2: unknown key 'wrokers', did you mean 'workers'?");
  }

  @Test
  void aDirectoryWithoutTheDataSet() throws Exception {
    Path data = mnist(3);
    List<String> lines = rejected("train cifar10 fmb rms 16 --data-dir " + data);
    assertTrue(lines.get(0).startsWith("amb: data set 'cifar10': expected "), lines.toString());
    assertTrue(lines.get(0).contains(data.toString()), lines.toString());
    assertEquals(1, lines.size());
  }

  @Test
  void aTruncatedFile() throws Exception {
    Path data = mnist(3);
    Path images = data.resolve("train-images-idx3-ubyte");
    Files.write(images, new byte[] {0, 0, 8});
    assertRejected(
        "train mnist fmb rms 16 --data-dir " + data,
        images
            + ": offset 0: expected 4 bytes of magic number, found 3 bytes: the file is truncated");
  }

  @Test
  void aFileOfLabelsInPlaceOfImages() throws Exception {
    Path data = mnist(3);
    Path images = data.resolve("train-images-idx3-ubyte");
    Files.copy(
        data.resolve("train-labels-idx1-ubyte"),
        images,
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    assertRejected(
        "train mnist fmb rms 16 --data-dir " + data,
        images + ": offset 0: expected magic number 0x00000803 (IDX images), found 0x00000801");
  }

  @Test
  void moreWorkersThanExamples() throws Exception {
    assertRejected(
        "train mnist fmb rms 16 --workers 4 --data-dir " + mnist(3),
        "--workers: expected at most one per training example (3), found 4");
  }

  @Test
  void aRunDirectoryThatExists() throws Exception {
    Path taken = Files.createDirectory(directory.resolve("taken"));
    Files.writeString(taken.resolve("mine"), "x");
    assertRejected(
        "train toy fmb rms 16 --run-directory " + taken,
        "--run-directory: expected a new directory, found the existing " + taken);
    assertEquals("x", Files.readString(taken.resolve("mine")));
    assertTrue(!Files.exists(taken.resolve("run.json")));
  }

  @Test
  void anUnknownCommand() throws Exception {
    List<String> lines = rejected("trian toy fmb rms 16");
    assertEquals(List.of("amb: unknown command 'trian', did you mean 'train'?"), lines);
  }

  private void assertRejected(String command, String... problems) throws Exception {
    assertEquals(
        List.of(problems).stream().map(problem -> "amb: " + problem).toList(), rejected(command));
  }

  /** What the program prints on standard error. */
  private List<String> rejected(String command) throws Exception {
    Path home = directory.resolve("home");
    AmbProcess amb = AmbProcess.run(home, command);
    assertEquals(2, amb.exitCode(), amb.everythingSaid());
    assertEquals(List.of(), amb.stdout());
    assertEquals(0, amb.startedProcesses());
    try (var files = Files.list(home)) {
      assertEquals(
          List.of("stderr", "stdout"),
          files.map(file -> file.getFileName().toString()).sorted().toList());
    }
    return amb.stderr();
  }

  /** Writes a data set in MNIST's format with a few black images of zeros. */
  private Path mnist(int count) throws IOException {
    Path data = Files.createDirectory(directory.resolve("data"));
    for (String part : List.of("train", "t10k")) {
      ByteBuffer images = ByteBuffer.allocate(16 + count * 784);
      images.putInt(0x803).putInt(count).putInt(28).putInt(28);
      Files.write(data.resolve(part + "-images-idx3-ubyte"), images.array());
      ByteBuffer labels = ByteBuffer.allocate(8 + count);
      labels.putInt(0x801).putInt(count);
      Files.write(data.resolve(part + "-labels-idx1-ubyte"), labels.array());
    }
    return data;
  }
}
