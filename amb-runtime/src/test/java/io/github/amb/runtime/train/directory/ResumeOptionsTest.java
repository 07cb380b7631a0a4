package io.github.amb.runtime.train.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.runtime.checkpoint.CheckpointSettings;
import io.github.amb.runtime.config.CommandLine;
import io.github.amb.runtime.config.DerivedValues;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.config.TrainSettings;
import io.github.amb.runtime.fault.FaultSettings;
import io.github.amb.runtime.lock.RunLock;
import io.github.amb.runtime.train.part.RunParts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResumeOptionsTest {
  private static final RunInfo.Ending DONE = new RunInfo.Ending(0, "done", 1, 9, null);

  private static final Map<String, String> TWO = Map.of(RunProvenance.THREADS, "2");

  @TempDir Path directory;

  @Test
  void anUnfinishedRunKeepsItsLimitsBesideANewOne() throws IOException {
    run("toy fmb rms 16 --last-step 1000 --target-accuracy 0.9", null);
    Settings resumed = resumed("--max-time 7200");
    assertEquals(1000, resumed.get(TrainSettings.LAST_STEP));
    assertEquals(0.9, resumed.get(TrainSettings.TARGET_ACCURACY));
    assertEquals(7200, resumed.get(TrainSettings.MAX_TIME));
  }

  @Test
  void theUsualEpochsDoNotLimitBesideANewLimit() throws IOException {
    run("toy fmb rms 16", null);
    assertEquals(5, DerivedValues.maxEpochs(resumed("--log-freq 2")));
    assertEquals(Double.POSITIVE_INFINITY, DerivedValues.maxEpochs(resumed("--last-step 100000")));
  }

  @Test
  void aFinishedRunHasTheNewLimitAlone() throws IOException {
    run("toy fmb rms 16 --last-step 9 --target-accuracy 0.9", DONE);
    Settings resumed = resumed("--max-time 7200");
    assertEquals(0, resumed.get(TrainSettings.LAST_STEP));
    assertNull(resumed.get(TrainSettings.TARGET_ACCURACY));
    assertEquals(9, resumed("--max-time 7200 --resume-from start").get(TrainSettings.LAST_STEP));
  }

  @Test
  void allThatAResumeLacksIsNamedAtOnce() throws IOException {
    run("toy fmb rms 16 --last-step 9 --bind 127.0.0.1", DONE);
    UsageException found = assertThrows(UsageException.class, () -> resumed("--learning-rate 0.5"));
    for (String problem : List.of("--resume:", "--bind:", "--learning-rate:")) {
      assertTrue(found.getMessage().contains(problem), found.getMessage());
    }
  }

  /** What a scheduler starts again is one command line, before the first start and after it. */
  @Test
  void autoResumesTheRunThatIsThere() throws IOException {
    String line = "toy fmb rms 16 --last-step 9 --respawn 1";
    String place = " --resume auto --run-directory " + directory + "/run";
    String fault = " --inject kill:rank=1,step=2";
    Settings first = complete(line + fault + place);
    assertFalse(first.has(CheckpointSettings.RESUME));
    assertTrue(first.has(FaultSettings.INJECT));
    run(line, null);
    Settings again = complete(line + fault + place);
    assertEquals(directory + "/run", again.get(CheckpointSettings.RESUME));
    assertEquals(9, again.get(TrainSettings.LAST_STEP));
    assertFalse(again.has(FaultSettings.INJECT));
    assertThrows(UsageException.class, () -> complete(line + " --resume auto"));
    assertThrows(UsageException.class, () -> complete(line + " --seed 7" + place));
  }

  /** A resumed run keeps what auto stood for, whatever this processor has. */
  @Test
  void autoIsTheRecordedPrecision() throws IOException {
    run("toy fmb rms 16 --last-step 9 --precision fp32", null);
    assertEquals("fp32", resumed("--precision auto").get(TrainSettings.PRECISION));
    assertEquals("fp32", resumed("--respawn 1").get(TrainSettings.PRECISION));
    UsageException found = assertThrows(UsageException.class, () -> resumed("--precision bf16"));
    assertTrue(found.getMessage().startsWith("--precision: expected fp32"), found.getMessage());
  }

  /** What is wrong with its hosts is known when it is started, not when it is needed. */
  @Test
  void aStandbyRehearsesBeforeItWaits() throws IOException {
    run("toy fmb rms 16", null);
    String line = "toy fmb rms 16 --resume standby --run-directory " + directory + "/run";
    Settings standby = CommandLine.parse(List.of(line.split(" "))).settings();
    UsageException wrong = new UsageException("a host is wrong");
    List<String> notes = new ArrayList<>();
    try (RunLock other = RunLock.training(new RunDirectory(directory.resolve("run")))) {
      UsageException found =
          assertThrows(
              UsageException.class,
              () ->
                  ResumeOptions.awaitTurn(
                      standby,
                      () -> {
                        throw wrong;
                      },
                      notes::add));
      assertEquals(wrong, found);
      assertEquals(directory.resolve("run"), other.run().path());
    }
    assertTrue(ResumeOptions.awaitTurn(standby, () -> notes.add("rehearsed"), notes::add));
    assertFalse(notes.contains("rehearsed"), "nobody trains: the turn comes at once");
  }

  private static Settings complete(String line) {
    return ResumeOptions.complete(CommandLine.parse(List.of(line.split(" "))).settings());
  }

  @Test
  void anotherNumberOfThreadsIsSaidAndNotReproducible() throws IOException {
    String here = "toy fmb rms 16 --workers 0 --last-step 9";
    run(here, null);
    RunInfo two = new RunDirectory(directory.resolve("run")).read().withEnvironment(TWO);
    assertTrue(ResumeOptions.threads(parts(here), two, "1").isPresent());
    assertTrue(ResumeOptions.threads(parts(here), two, "2").isEmpty());
    assertTrue(ResumeOptions.threads(parts("toy fmb rms 16 --workers 2"), two, "1").isEmpty());
    RunParts same = parts(here + " --reproducible avx2");
    assertThrows(UsageException.class, () -> ResumeOptions.threads(same, two, "1"));
  }

  @Test
  void aChangedPluginIsNamed() throws IOException {
    run("toy fmb rms 16 --last-step 9", null);
    RunInfo run = new RunDirectory(directory.resolve("run")).read();
    RunInfo old = run.withEnvironment(Map.of("plugin a.jar", "1", "plugin b.jar", "2"));
    Map<String, String> now = Map.of("plugin a.jar", "1", "plugin b.jar", "3", "plugin c.jar", "4");
    List<String> changed = RunProvenance.changedPlugins(old, now);
    assertEquals(1, changed.size(), changed.toString());
    assertTrue(changed.get(0).startsWith("plugin b.jar"), changed.toString());
  }

  private static RunParts parts(String options) {
    return RunParts.of(CommandLine.parse(List.of(options.split(" "))).settings());
  }

  private void run(String options, RunInfo.Ending ending) throws IOException {
    List<String> words = List.of((options + " --run-directory " + directory + "/run").split(" "));
    Settings settings = RunParts.of(CommandLine.parse(words).settings()).settings();
    RunWriter.create(null, settings, words, RunOwner.PROCESS).close();
    RunDirectory run = new RunDirectory(directory.resolve("run"));
    run.write(run.read().withEnding(ending));
  }

  private Settings resumed(String options) {
    List<String> words = List.of((options + " --resume " + directory + "/run").split(" "));
    return ResumeOptions.complete(CommandLine.parse(words).settings());
  }
}
