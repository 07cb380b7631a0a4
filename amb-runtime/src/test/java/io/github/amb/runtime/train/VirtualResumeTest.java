package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.file.Disk;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.runtime.config.CommandLine;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.launch.StopRequest;
import io.github.amb.runtime.train.directory.ResumeOptions;
import io.github.amb.runtime.train.directory.RunOwner;
import io.github.amb.runtime.train.part.RunParts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Resumed runs of the virtual cluster. */
@Tag("lab")
class VirtualResumeTest extends VirtualRuns {
  /** Its rates depend on the last step, which a finished run is given a new one of. */
  @ParameterizedTest
  @ValueSource(strings = {"cosine", "linear"})
  void aScheduleThatJumpsIsRemarked(String schedule) throws IOException {
    String end = schedule.equals("linear") ? " --lrate-linear-end 0.001" : "";
    train("run", "toy fmb sgd 8 --last-step 4 --lrate-schedule " + schedule + end + SMALL);
    PrintStream err = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true));
    try {
      resume("run", "--last-step 6");
    } finally {
      System.setErr(err);
    }
    String line = said.toString();
    assertTrue(line.matches("(?s).*" + schedule + " schedule .* step 6, not at 4.*"), line);
  }

  @Test
  void anotherNumberOfWorkersIsRejectedWithARemedy() throws IOException {
    train("run", "toy fmb sgd 8 --last-step 4" + SMALL);
    List<String> other =
        List.of(
            "--resume", directory.resolve("run").toString(), "--last-step", "6", "--workers", "2");
    var e = assertThrows(UsageException.class, () -> new TrainCommand().run(other));
    assertTrue(e.getMessage().startsWith("--workers: expected 3"), e.getMessage());
    assertTrue(e.getMessage().contains("--min-workers"), e.getMessage());
  }

  /**
   * An update rule with sums, and what workers have of the parameters. The contracts have schemes
   * and codecs.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "fmb dual-averaging",
        "fmb rms --topology sliced",
        "fmb rms --topology sliced --codec topk:0.1+ef+min=1 --downlink-codec topk:0.2+min=1",
        "fmb sgd --topology sliced --codec dgc:0.1+min=1",
        "fmb rms --codec topk:0.1+ef+min=1 --downlink-codec topk:0.2+min=1"
      })
  void aResumedRunGivesTheParametersOfAWholeOne(String scheme) throws IOException {
    String command =
        "toy "
            + scheme.replaceFirst(" ([\\w-]+)", " $1 16")
            + " --engine sim --workers 3"
            + " --cost-per-example 0.02 --speed 1,0.7,0.5 --evaluate last --last-step ";
    RunDirectory whole = train("whole", command + 9);
    train("part", command + "8 --checkpoint-every 1 --checkpoint-keep 9");
    for (int step : new int[] {1, 4, 8}) {
      copy(directory.resolve("part"), directory.resolve("part-" + step));
      killAfter(step, new RunDirectory(directory.resolve("part-" + step)).checkpoints());
      assertSameEnd(whole, resume("part-" + step, "--last-step 9"));
    }
  }

  /** Their states are in one file. */
  @Test
  void manyWorkersContinueWithTheirStates() throws IOException {
    String command =
        "toy fmb sgd 4 --network logistic-regression --engine sim --workers 70"
            + " --cost-per-example 0.02 --codec topk:0.1+ef+min=1 --evaluate last --last-step ";
    RunDirectory whole = train("whole", command + 9);
    RunDirectory part = train("part", command + "8 --checkpoint-every 1 --checkpoint-keep 9");
    killAfter(4, part.checkpoints());
    assertFalse(Files.exists(part.checkpoints().resolve("step-000000004/worker-1.npz")));
    assertSameEnd(whole, resume("part", "--last-step 9"));
  }

  /** Updates take longer than gradients, so that workers wait to send. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "fmb-dg sgd 8",
        "amb-dg sgd 8 --amb-time-limit 0.1 --amb-num-partitions 8 --async-delay-std 3 --bandwidth 1e6",
      })
  void workersThatWaitToSendContinueSo(String scheme) throws IOException {
    String command =
        "toy "
            + scheme
            + " --engine sim --workers 3 --cost-per-example 0.002 --cost-per-parameter 1e-3"
            + " --network logistic-regression --evaluate last --async-master-batch-min 30 --last-step ";
    RunDirectory whole = train("whole", command + 9);
    RunDirectory part = train("part", command + "8 --checkpoint-every 1 --checkpoint-keep 9");
    killAfter(7, part.checkpoints());
    assertSameEnd(whole, resume("part", "--last-step 9"));
    assertEquals(whole.workerRecords(1), part.workerRecords(1));
    assertTrue(
        LogRecord.of(WorkerRecord.class, whole.workerRecords(1)).stream()
            .anyMatch(record -> record.lastSend() > 0.5));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file)));
      }
    }
  }

  /** Leaves the state of a run that was killed before it wrote its next checkpoint. */
  private static void killAfter(int step, Path checkpoints) throws IOException {
    for (int later = step + 1; later <= 8; later++) {
      Path checkpoint = checkpoints.resolve("step-%09d".formatted(later));
      try (Stream<Path> files = Files.list(checkpoint)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(checkpoint);
    }
  }

  private static void assertSameEnd(RunDirectory whole, RunDirectory resumed) throws IOException {
    assertEquals(9, resumed.read().ending().steps());
    assertEquals(
        whole.read().ending().parametersSha256(), resumed.read().ending().parametersSha256());
    assertEquals(losses(whole), losses(resumed));
  }

  /** The last evaluation, which no step waited for, takes longer than all steps. */
  @Test
  void timeContinuesInAResumedRun() throws IOException {
    String command =
        "toy fmb adm 16 --engine sim --workers 3 --cost-per-example 0.02 --cost-per-test-example 1"
            + " --evaluate last --last-step ";
    RunDirectory whole = train("whole", command + 9);
    train("part", command + 4);
    assertEquals(times(whole), times(resume("part", "--last-step 9")));
  }

  private static List<Double> times(RunDirectory run) throws IOException {
    return stepRecords(run).stream().map(StepRecord::time).toList();
  }

  /**
   * The newest checkpoint is truncated: the one before it counts, and the end of the log is
   * removed.
   */
  @Test
  void aRunResumesFromTheNewestIntactCheckpoint() throws IOException {
    String command = AMB + " --checkpoint-every 2 --last-step ";
    RunDirectory whole = train("whole", command.replace("--last-step 5 ", "") + 9);
    RunDirectory part = train("part", command.replace("--last-step 5 ", "") + 6);
    Path newest = part.checkpoints().resolve("step-000000006/master.npz");
    byte[] bytes = Files.readAllBytes(newest);
    Files.write(newest, Arrays.copyOf(bytes, bytes.length / 2));
    resume("part", "--last-step 9");
    assertEquals(losses(whole), losses(part));
    assertEquals(whole.read().ending().parametersSha256(), part.read().ending().parametersSha256());
    assertEquals("4", part.read().environment().get("resumed_after_step"));
  }

  /** Its encoder is not in the checkpoint, and the master's decoders are those of two workers. */
  @Test
  void codecsBeginAgainIfAWorkerWasRemoved() throws IOException {
    String killed = " --codec topk:0.1+ef21+min=1 --inject kill:rank=1,step=1";
    train("run", "toy fmb sgd 8 --last-step 4" + killed + SMALL);
    List<LogRecord> records = resume("run", "--last-step 6").masterRecords();
    List<MembershipRecord> changes = LogRecord.of(MembershipRecord.class, records);
    assertEquals(
        List.of(List.of(2, 3), List.of(1, 2, 3)),
        changes.stream().map(MembershipRecord::workers).toList());
  }

  /** With faults no messages in transit are saved, and the master has not seen two results. */
  @Test
  void codecsBeginAgainIfWorkersWereAhead() throws IOException {
    String options = " --num-aggregate 1 --codec topk:0.1+ef21+min=1 --inject slow:rank=3,step=1";
    train("run", "toy k-sync sgd 8 --last-step 1" + options + SMALL);
    List<LogRecord> records = resume("run", "--last-step 3").masterRecords();
    assertEquals(List.of(), LogRecord.of(MembershipRecord.class, records));
  }

  /** Killed after the last test, before it was said how the run has ended. */
  @Test
  void theLastTestIsNotRecordedAgain() throws IOException {
    RunDirectory run = train("run", "toy fmb sgd 8 --last-step 4 --evaluate last" + SMALL);
    List<EvaluationRecord> tests = LogRecord.of(EvaluationRecord.class, run.masterRecords());
    run.write(run.read().withEnding(null));
    resume("run", "--last-step 4");
    assertEquals(0, run.read().ending().exitCode());
    assertEquals(1, tests.size());
    assertEquals(tests, LogRecord.of(EvaluationRecord.class, run.masterRecords()));
  }

  @Test
  void missingRecordsBeforeACheckpointAreNamed() throws IOException {
    RunDirectory run = train("run", AMB);
    List<String> lines = Files.readAllLines(run.masterLog());
    lines.removeIf(line -> line.contains("\"step\":4") || line.contains("\"step\":5"));
    Files.write(run.masterLog(), lines);
    List<String> warnings = new ArrayList<>();
    RunOwner owner = new RunOwner(warnings::add, StopRequest::new, lost -> {}, Disk.REAL);
    List<String> words = List.of("--resume", run.path().toString(), "--last-step", "6");
    Settings settings = ResumeOptions.complete(CommandLine.parse(words).settings());
    ResumeOptions.prepare(RunParts.of(settings), owner).close();
    assertEquals(
        run.masterLog()
            + " ends at step 3, before the checkpoint of step 5: tables and figures lack the steps between",
        warnings.get(0));
  }

  @Test
  void whatIsMovedAsideSaysHowItEnded() throws IOException {
    RunDirectory run = train("run", AMB);
    RunInfo before = run.read();
    resume("run", "--resume-from start --last-step 2");
    assertEquals(before, new RunDirectory(run.superseded().resolve("1")).read());
  }

  /** The checkpoint is of the same network and step, but of another seed. */
  @Test
  void aRunDoesNotResumeFromAForeignCheckpoint() throws IOException {
    String command = AMB.replace("--last-step 5", "--checkpoint-every 2") + " --last-step ";
    RunDirectory whole = train("whole", command + 9);
    RunDirectory part = train("part", command + 6);
    RunDirectory other = train("other", command + "6 --seed 2");
    Path newest = part.checkpoints().resolve("step-000000006");
    Files.move(newest, directory.resolve("own"));
    Files.move(other.checkpoints().resolve("step-000000006"), newest);
    resume("part", "--last-step 9");
    assertEquals("4", part.read().environment().get("resumed_after_step"));
    assertEquals(whole.read().ending().parametersSha256(), part.read().ending().parametersSha256());
  }

  /** Options that do not change what is learned may differ each time, such as limits. */
  @Test
  void aRunResumesWhereverItsDirectoryIs() throws IOException {
    String command = AMB.replace(" --last-step 5", "") + " --last-step ";
    RunDirectory whole = train("whole", command + 9);
    train("part", command + 3);
    Files.move(directory.resolve("part"), directory.resolve("moved"));
    resume("moved", "--last-step 6 --checkpoint-every 2");
    RunDirectory moved = resume("moved", "--last-step 9 --min-workers 2");
    assertEquals("6", moved.read().environment().get("resumed_after_step"));
    assertEquals(
        whole.read().ending().parametersSha256(), moved.read().ending().parametersSha256());
  }

  @Test
  void theNextResumeHasTheOptionsOfTheOneBefore() throws IOException {
    RunDirectory run = train("run", AMB.replace("--last-step 5", "--last-step 2"));
    resume("run", "--last-step 8 --checkpoint-every 1 --checkpoint-keep 9 --tag longer");
    assertEquals("longer", run.read().configured("tag", ""));
    killAfter(5, run.checkpoints());
    run.write(run.read().withEnding(null));
    assertEquals(8, resume("run", "--log-freq 1").read().ending().steps());
  }

  @Test
  void aFinishedOrDifferentRunIsNotResumed() throws IOException {
    train("run", AMB);
    assertRejected("found one that finished after 5 steps", "--log-freq 1");
    assertRejected(
        "--seed: expected 1, as in the run to be resumed, found 2", "--last-step 9 --seed 2");
    assertRejected("--workers: expected 3", "--last-step 9 --workers 4");
  }

  private void assertRejected(String message, String more) {
    var error = assertThrows(UsageException.class, () -> resume("run", more));
    assertTrue(error.getMessage().contains(message), error.getMessage());
  }

  @Test
  void aResumedRunKeepsTheCostsThatWereMeasured() throws IOException {
    String command = "toy fmb rms 8 --codec int8+min=1 --engine sim --workers 2 --evaluate last";
    var costs = List.of("example", "partition", "test-example", "encoded-entry", "decoded-entry");
    var first = train("measured", command + " --last-step 2").read();
    var resumed = resume("measured", "--last-step 4").read();
    assertEquals(4, resumed.ending().steps());
    for (String cost : costs) {
      String name = "cost-per-" + cost;
      assertEquals(first.configured(name, ""), resumed.configured(name, ""), name);
    }
  }
}
