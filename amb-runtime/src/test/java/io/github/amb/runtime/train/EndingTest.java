package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.state.StateMap;
import io.github.amb.runtime.console.RunView;
import io.github.amb.runtime.launch.RunOutcome;
import io.github.amb.runtime.lock.RunLock;
import io.github.amb.runtime.train.directory.RunEnding;
import io.github.amb.runtime.train.directory.RunWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code run.json} says how far a run came, whatever happened to its logs. */
class EndingTest extends VirtualRuns {
  @Test
  void theEndingHasTheStepsOfTheParameters() throws IOException {
    RunDirectory run = train("run", AMB);
    RunInfo.Ending whole = run.read().ending();
    List<String> lines = Files.readAllLines(run.masterLog());
    for (int kept : new int[] {lines.size() / 2, 0}) {
      Files.write(run.masterLog(), lines.subList(0, kept));
      RunWriter.end(run, new RunOutcome(0, "done"));
      assertEquals(whole, run.read().ending());
    }
  }

  @Test
  void aLogThatCannotBeReadDoesNotKeepTheEndingAway() throws IOException {
    RunDirectory run = train("run", AMB);
    RunInfo.Ending whole = run.read().ending();
    Files.writeString(run.masterLog(), "no record\n");
    RunWriter.end(run, new RunOutcome(0, "done"));
    assertEquals(whole, run.read().ending());
  }

  @Test
  void aDamagedCheckpointSaysNothingOfTheSteps() throws IOException {
    RunDirectory run = train("run", AMB);
    Files.write(run.masterLog(), new byte[0]);
    Files.write(run.checkpoints().resolve("step-000000005/parameters.npy"), new byte[9]);
    RunWriter.end(run, new RunOutcome(1, "lost"));
    assertEquals(0, run.read().ending().steps());
    assertNull(run.read().ending().parametersSha256());
  }

  /** Without gradients there are no checkpoints, whose loss would end the run first. */
  @Test
  void missingRecordsAreAFailure() throws IOException {
    String command =
        "toy fmb rms 16 --gradients none --engine sim --workers 2 --cost-per-example 0.02"
            + " --last-step 9 --inject disk-full:step=5";
    RunDirectory run = train("run", command, 1);
    RunInfo.Ending ending = run.read().ending();
    assertEquals(1, ending.exitCode());
    long steps = 9 - stepRecords(run).size();
    long workers = 2 * 9 - run.workerRecords(1).size() - run.workerRecords(2).size();
    assertTrue(steps > 0 && workers > 0, steps + " " + workers);
    Matcher counts =
        Pattern.compile(
                ".*: (\\d+) records could not be written: (\\d+) of master.jsonl,"
                    + " (\\d+) of worker-1.jsonl, (\\d+) of worker-2.jsonl; make room on the disk")
            .matcher(ending.cause());
    assertTrue(counts.matches(), ending.cause());
    assertEquals(workers, Long.parseLong(counts.group(3)) + Long.parseLong(counts.group(4)));
    long collections = Long.parseLong(counts.group(2)) - steps;
    assertEquals(Long.parseLong(counts.group(1)), workers + steps + collections);
  }

  /** The same checkpoint would end the resumed run again. */
  @Test
  void aCheckpointThatDoesNotFitIsNotResumed() throws IOException {
    RunDirectory run = train("run", AMB);
    String unfit = StateMap.unfit("rms/sum", "3 floats", new float[4]).getMessage();
    try (RunLock lock = RunLock.training(run);
        RunEnding ending = RunEnding.unlaunched(lock, RunView.none())) {
      assertEquals(
          "rank 0: state rms/sum: expected 3 floats, found 4 floats in the checkpoint;"
              + " use the program that wrote it, or start over with: amb train --resume "
              + run.path()
              + " --resume-from start",
          ending.causeAndRemedy(new RunOutcome(1, "rank 0: " + unfit)));
    }
  }
}
