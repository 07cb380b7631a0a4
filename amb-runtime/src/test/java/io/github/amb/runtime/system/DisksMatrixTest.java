package io.github.amb.runtime.system;

import static io.github.amb.runtime.system.Trial.TOY;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Rows of the fault matrix: full disks, checkpoints that are damaged or another run's. */
class DisksMatrixTest extends MatrixTest {
  static List<FaultRow> rows() {
    return List.of(
        FaultRow.of(
            20,
            "disk-full",
            "a disk of 2 MB",
            1,
            "cannot save the final parameters",
            DisksMatrixTest::fullDisk),
        FaultRow.injected(
            21,
            "disk-full-for-a-while",
            "--last-step 40 --checkpoint-every 5 --inject disk-full:step=11,steps=15",
            0,
            "the disk has space again"),
        FaultRow.of(
            24,
            "damaged-checkpoint",
            "a byte of the newest is changed before `--resume`",
            0,
            "skipped a checkpoint",
            trial -> resumedWith(trial, DisksMatrixTest::damage)),
        FaultRow.of(
            24,
            "foreign-checkpoint",
            "the newest is of another network at `--resume`",
            0,
            "skipped a checkpoint.*expected 57866 parameters",
            trial -> resumedWith(trial, newest -> replace(newest, foreign(trial)))));
  }

  /** Runs with a disk that has no room for a checkpoint; an earlier one must be intact. */
  private static void fullDisk(Trial trial) throws Exception {
    String script =
        """
        "$@" --run-directory small/run
        code=$?
        %s && echo 'an earlier checkpoint is whole'
        exit $code"""
            .formatted(quoted(AmbProcess.line("export small/run --output exported")));
    List<String> line = new ArrayList<>(List.of("bash", "-c", script, "bash"));
    line.addAll(AmbProcess.line(TOY + "--last-step 60 --checkpoint-every 5 --checkpoint-keep 20"));
    trial.run(Namespace.smallDisk(trial.home().resolve("small"), line));
    String said = Files.readString(trial.home().resolve("stdout"));
    assertTrue(said.contains("an earlier checkpoint is whole"), said);
  }

  private static String quoted(List<String> line) {
    return String.join(" ", line.stream().map(word -> "'" + word + "'").toList());
  }

  /** Changes a checkpoint. */
  @FunctionalInterface
  private interface Change {
    void to(Path checkpoint) throws Exception;
  }

  private static void resumedWith(Trial trial, Change change) throws Exception {
    trial.complete(TOY + "--last-step 20 --checkpoint-every 5");
    change.to(newest(trial.run().checkpoints()));
    trial.acts();
    trial.resume("--last-step 40");
    trial.assertSameBits(TOY + "--last-step 40");
  }

  private static Path newest(Path checkpoints) throws IOException {
    try (Stream<Path> files = Files.list(checkpoints)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("step-"))
          .max(Path::compareTo)
          .orElseThrow();
    }
  }

  private static void damage(Path checkpoint) throws IOException {
    Path file = checkpoint.resolve("parameters.npy");
    try (RandomAccessFile all = new RandomAccessFile(file.toFile(), "rw")) {
      all.seek(5000);
      int byteThere = all.read();
      all.seek(5000);
      all.write(~byteThere);
    }
  }

  private static Path foreign(Trial trial) throws Exception {
    String run = "train digits fmb sgd 16 --workers 1 --last-step 20 --evaluate last";
    return newest(trial.aside(run).checkpoints());
  }

  private static void replace(Path checkpoint, Path other) throws IOException {
    try (Stream<Path> files = Files.list(checkpoint)) {
      files.forEach(DisksMatrixTest::delete);
    }
    try (Stream<Path> files = Files.list(other)) {
      for (Path file : files.toList()) {
        Files.copy(file, checkpoint.resolve(file.getFileName()));
      }
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
