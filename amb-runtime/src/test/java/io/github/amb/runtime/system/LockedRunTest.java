package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.runtime.mpj.Ranks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Programs that want to write to one run at the same time. */
@Tag("system")
@EnabledOnOs(OS.LINUX)
class LockedRunTest {
  private static final String RUN =
      "train toy fmb rms 16 --workers 2 --evaluate last --checkpoint-every 2 --max-time 3000";

  @TempDir Path directory;

  private static Map<String, Integer> files(Path directory) throws IOException {
    Map<String, Integer> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(file.toString(), Arrays.hashCode(Files.readAllBytes(file)));
      }
    }
    return files;
  }

  /** The first program is stopped, so that only the second one could change anything. */
  @Test
  void aRunInUseIsNotResumed() throws Exception {
    try (AmbProcess first = AmbProcess.start(directory, RUN)) {
      first.awaitSteps(3);
      RunDirectory run = first.run();
      long rank = first.rank(0).pid();
      new ProcessBuilder("kill", "-STOP", Long.toString(rank)).start().waitFor();
      first.awaitWhileRunning(() -> Ranks.isStopped(rank), "the stop of rank 0");
      first.stop();
      first.awaitWhileRunning(() -> Ranks.isStopped(first.pid()), "the stop of the launcher");
      Map<String, Integer> before = files(run.path());
      AmbProcess second =
          AmbProcess.run(directory.resolve("second"), "train --resume " + run.path());
      assertEquals(2, second.exitCode(), second.everythingSaid());
      assertEquals(1, second.stderr().size(), second.everythingSaid());
      String line = second.stderr().get(0);
      assertTrue(line.matches(".* found process \\d+ of host \\S+; .*"), line);
      assertEquals(before, files(run.path()));
    }
  }

  /** The ranks of the first program are about to end when the second one starts. */
  @Tag("lab")
  @Test
  void aLauncherThatIsKilledLeavesNoSecondWriter() throws Exception {
    RunDirectory run;
    try (AmbProcess first = AmbProcess.start(directory, RUN)) {
      first.awaitSteps(5);
      run = first.run();
      first.rank(0);
      first.kill();
      AmbProcess resumed =
          AmbProcess.run(
              directory.resolve("second"),
              "train --resume %s --last-step 40".formatted(run.path()));
      assertEquals(0, resumed.exitCode(), resumed.everythingSaid());
    }
    for (int rank : run.workers()) {
      List<Long> steps = run.workerRecords(rank).stream().map(LockedRunTest::step).toList();
      assertEquals(steps.stream().distinct().toList(), steps, "worker " + rank);
    }
  }

  private static long step(LogRecord record) {
    return ((WorkerRecord) record).masterStep();
  }
}
