package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.checkpoint.Checkpoint;
import io.github.amb.runtime.checkpoint.CheckpointDirectory;
import io.github.amb.runtime.checkpoint.Origin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A killed run on real processes resumes with the same result. */
@Tag("system")
@EnabledOnOs(OS.LINUX)
class ResumeTest {
  private static final String RUN =
      "train toy fmb adm 16 --workers 2 --evaluate last --checkpoint-every 10 --last-step ";

  /** More steps than are done before the kill, however late it comes. */
  private static final int STEPS = 1_000_000;

  @TempDir Path directory;

  @Tag("lab")
  @Test
  void aDamagedCheckpointIsReplacedAfterAKill() throws Exception {
    Path part = directory.resolve("part");
    RunDirectory run;
    CheckpointDirectory saved;
    try (AmbProcess amb = AmbProcess.start(part, RUN + STEPS)) {
      amb.awaitSteps(20);
      run = amb.run();
      saved = new CheckpointDirectory(run.checkpoints(), Origin.ANY);
      amb.awaitWhileRunning(() -> saved.steps().size() > 1, "two checkpoints");
      amb.rank(0).destroyForcibly();
      assertEquals(137, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      amb.awaitNoDescendants(AmbProcess.LIMIT);
    }
    Checkpoint latest = saved.latest(w -> {}).orElseThrow();
    Path damaged = latest.path();
    Files.write(damaged.resolve("master.npz"), new byte[1]);
    long last = latest.step() + 10;
    AmbProcess resumed =
        AmbProcess.run(
            part, "train --checkpoint-keep 999 --last-step " + last + " --resume " + run.path());
    assertEquals(0, resumed.exitCode(), resumed.everythingSaid());
    AmbProcess whole = AmbProcess.run(directory.resolve("whole"), RUN + last + " --engine sim");
    assertEquals(sha256(whole.run()), sha256(run));
    assertEquals(sha256(run), saved.open(last).parametersSha256());
    assertTrue(
        Files.exists(run.superseded().resolve("1/checkpoints").resolve(damaged.getFileName())));
  }

  @Test
  void aRunThatIsStoppedFromOutsideSavesItsLastStep() throws Exception {
    try (AmbProcess amb =
        AmbProcess.start(
            directory,
            "train toy fmb rms 16 --workers 2 --max-time 3000 --evaluate last --checkpoint-every last")) {
      amb.awaitSteps(5);
      amb.terminate();
      assertEquals(130, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      RunDirectory run = amb.run();
      long last = run.read().ending().steps();
      long saved =
          new CheckpointDirectory(run.checkpoints(), Origin.ANY)
              .latest(w -> {})
              .orElseThrow()
              .step();
      assertTrue(saved >= 5 && last - saved <= 1, saved + " of " + last);
    }
  }

  private static String sha256(RunDirectory run) throws IOException {
    String sha256 = run.read().ending().parametersSha256();
    assertNotNull(sha256);
    return sha256;
  }
}
