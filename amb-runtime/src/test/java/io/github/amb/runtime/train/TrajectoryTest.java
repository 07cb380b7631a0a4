package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.runtime.checkpoint.Checkpoint;
import io.github.amb.runtime.checkpoint.CheckpointDirectory;
import io.github.amb.runtime.checkpoint.Origin;
import io.github.amb.runtime.runs.ExportCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checkpoints belong to one trajectory, whatever happened to earlier ones. */
class TrajectoryTest {
  private static final String RUN =
      "toy fmb rms 16 --workers 0 --evaluate last --last-step 6 --checkpoint-every 2";

  @TempDir Path directory;

  private RunDirectory train(String more) throws IOException {
    Path path = directory.resolve("run");
    assertEquals(0, command(RUN + " " + more + " --run-directory " + path));
    return new RunDirectory(path);
  }

  private static int resume(RunDirectory run, String more) throws IOException {
    return command("--resume " + run.path() + more);
  }

  private static int command(String line) throws IOException {
    return new TrainCommand().run(Arrays.asList(line.strip().split(" +")));
  }

  private static Path step(RunDirectory run, long step) {
    return run.checkpoints().resolve("step-00000000" + step);
  }

  /** Changes a byte of the parameters of a step. */
  private static void damage(RunDirectory run, long... steps) throws IOException {
    for (long step : steps) {
      Path file = step(run, step).resolve("parameters.npy");
      byte[] bytes = Files.readAllBytes(file);
      bytes[5000] ^= 1;
      Files.write(file, bytes);
    }
  }

  private static List<Long> steps(RunDirectory run) throws IOException {
    return new CheckpointDirectory(run.checkpoints(), Origin.ANY).steps();
  }

  private void assertCertified(RunDirectory run, long step) throws Exception {
    RunInfo.Ending ending = run.read().ending();
    assertEquals(0, ending.exitCode());
    assertEquals(step, ending.steps());
    Checkpoint newest = new CheckpointDirectory(run.checkpoints(), Origin.ANY).open(step);
    assertEquals(
        newest.manifest().files().get("parameters.npy").sha256(), ending.parametersSha256());
    Path file = directory.resolve("exported-" + step);
    new ExportCommand().run(List.of(run.path().toString(), "--output", file.toString()));
    assertTrue(
        Files.readString(file, java.nio.charset.StandardCharsets.ISO_8859_1)
            .contains("\"step\":\"" + step));
  }

  private static String rejection(RunDirectory run, String more) {
    return assertThrows(UsageException.class, () -> resume(run, more)).getMessage();
  }

  @Test
  void aRunWithoutAUsableCheckpointIsNotResumed() throws Exception {
    RunDirectory run = train("");
    damage(run, 2, 4, 6);
    byte[] records = Files.readAllBytes(run.masterLog());
    byte[] info = Files.readAllBytes(run.info());
    String message = rejection(run, " --last-step 9");
    assertTrue(message.contains("--resume-from start"), message);
    assertEquals(List.of(2L, 4L, 6L), steps(run));
    assertEquals(new String(records), Files.readString(run.masterLog()));
    assertEquals(new String(info), Files.readString(run.info()));
  }

  @Test
  void aRunThatStartsOverKeepsItsNewCheckpoints() throws Exception {
    RunDirectory run = train("");
    damage(run, 2, 4, 6);
    assertEquals(0, resume(run, " --resume-from start --last-step 5"));
    assertEquals(List.of(2L, 4L, 5L), steps(run));
    assertCertified(run, 5);
  }

  @Test
  void aDamagedCheckpointIsReplacedWhenItsStepComes() throws Exception {
    RunDirectory run = train("");
    String expected = run.read().ending().parametersSha256();
    damage(run, 6);
    assertEquals(0, resume(run, " --last-step 6"));
    assertCertified(run, 6);
    assertEquals(expected, run.read().ending().parametersSha256());
  }

  @Test
  void pruningKeepsWhatWasWrittenLast() throws Exception {
    RunDirectory run = train("--checkpoint-keep 9");
    damage(run, 4, 6);
    assertEquals(0, resume(run, " --checkpoint-every 1 --checkpoint-keep 1 --last-step 3"));
    assertEquals(List.of(3L), steps(run));
    assertCertified(run, 3);
  }

  /** The fault may pass; /proc/self/mem cannot be read at its beginning. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aFaultOfReadingIsNoDamage() throws Exception {
    RunDirectory run = train("");
    Path file = step(run, 6).resolve("manifest.json.sha256");
    Path away = directory.resolve("away");
    Files.move(file, away);
    Files.createSymbolicLink(file, Path.of("/proc/self/mem"));
    byte[] records = Files.readAllBytes(run.masterLog());
    String message = rejection(run, " --last-step 9");
    assertTrue(message.contains("cannot read " + file + ": Input/output error"), message);
    assertTrue(message.contains("--resume-from start"), message);
    assertEquals(new String(records), Files.readString(run.masterLog()));
    Files.delete(file);
    Files.move(away, file);
    assertEquals(0, resume(run, " --last-step 9"));
    assertEquals("6", run.read().environment().get("resumed_after_step"));
    assertCertified(run, 9);
  }

  @ParameterizedTest
  @ValueSource(strings = {"deleted", "emptied"})
  void aRunWithoutItsCheckpointsIsNotResumed(String how) throws Exception {
    RunDirectory run = train("");
    Files.move(run.checkpoints(), directory.resolve("away"));
    if (how.equals("emptied")) {
      Files.createDirectory(run.checkpoints());
    }
    byte[] records = Files.readAllBytes(run.masterLog());
    String message = rejection(run, " --last-step 9");
    assertTrue(message.contains("--resume-from start"), message);
    assertEquals(new String(records), Files.readString(run.masterLog()));
  }

  @Test
  void exportDoesNotGiveAnotherStepThanTheRunNames() throws Exception {
    RunDirectory run = train("");
    damage(run, 6);
    Path file = directory.resolve("exported");
    List<String> export =
        new ArrayList<>(List.of(run.path().toString(), "--output", file.toString()));
    String message =
        assertThrows(UsageException.class, () -> new ExportCommand().run(export)).getMessage();
    assertTrue(message.contains("--checkpoint 4"), message);
    assertFalse(Files.exists(file));
    export.addAll(List.of("--checkpoint", "4"));
    assertEquals(0, new ExportCommand().run(export));
  }
}
