package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.DropRecord;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import io.github.amb.runtime.config.CommandLine;
import io.github.amb.runtime.train.part.Calibration;
import io.github.amb.runtime.train.part.RunParts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VirtualTrainingTest extends VirtualRuns {
  @Test
  void theSameCommandGivesTheSameBytes() throws IOException {
    RunDirectory first = train("first", AMB);
    RunDirectory second = train("second", AMB);
    assertEquals(Files.readString(first.masterLog()), Files.readString(second.masterLog()));
    for (int rank = 1; rank <= 3; rank++) {
      assertEquals(
          Files.readString(first.workerLog(rank)), Files.readString(second.workerLog(rank)));
      assertEquals(5, Files.readAllLines(first.console(rank)).size());
    }
    assertNotNull(first.read().ending().parametersSha256());
    assertEquals(
        first.read().ending().parametersSha256(), second.read().ending().parametersSha256());
  }

  @Test
  void theChecksumIsThatOfTheLastCheckpointsParameters() throws Exception {
    RunDirectory run = train("run", AMB);
    Path file = run.checkpoints().resolve("step-000000005/parameters.npy");
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
    assertEquals(HexFormat.of().formatHex(digest), run.read().ending().parametersSha256());
  }

  @ParameterizedTest
  @ValueSource(strings = {AMB, "toy fmb rms 16 --workers 0 --last-step 2 --evaluate last"})
  void recordsAreOnTheDiskBeforeACheckpoint(String command) throws IOException {
    Path events = directory.resolve("events.jfr");
    RunDirectory run;
    try (Recording recording = new Recording()) {
      recording.enable("jdk.FileForce").withThreshold(Duration.ZERO);
      recording.start();
      run = train("run", command);
      recording.stop();
      recording.dump(events);
    }
    List<String> forced =
        RecordingFile.readAllEvents(events).stream()
            .sorted(Comparator.comparing(RecordedEvent::getStartTime))
            .map(event -> event.getString("path"))
            .toList();
    int checkpoint =
        forced.indexOf(
            forced.stream()
                .filter(path -> path.startsWith(run.checkpoints().toString()))
                .findFirst()
                .orElseThrow());
    int records = forced.indexOf(run.masterLog().toString());
    assertTrue(records >= 0 && records < checkpoint, forced.toString());
  }

  @Test
  void aReplayGivesTheRunsParameters() throws IOException {
    RunDirectory original = train("original", AMB + " --seed 4 --speed 1,0.5");
    RunDirectory replay = train("replay", "--replay " + original.path() + " --latency 0.001");
    assertEquals(
        original.read().ending().parametersSha256(), replay.read().ending().parametersSha256());
    assertEquals(4, replay.read().seed());
    assertEquals(5, replay.read().ending().steps());
    assertEquals("0.001", replay.read().configured("latency", ""));
  }

  /** The first update of each interval of virtual time, whatever the steps of the schemes are. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "fmb sgd 8",
        "async sgd 8",
        "amb sgd 8 --amb-time-limit 0.013 --amb-num-partitions 8"
      })
  void testsAreAtTimesThatAllSchemesShare(String scheme) throws IOException {
    RunDirectory run =
        train(
            "run",
            "toy %s --engine sim --workers 3 --cost-per-example 0.001 --speed 1,0.7,0.3"
                    .formatted(scheme)
                + " --last-step 60 --evaluate-every 0.05s");
    SortedMap<Long, Long> first = new TreeMap<>();
    LogRecord.of(StepRecord.class, run.masterRecords())
        .forEach(step -> first.putIfAbsent((long) (step.time() / 0.05), step.step()));
    first.remove(0L);
    first.putIfAbsent(Long.MAX_VALUE, 60L); // The last parameters are always tested.
    List<Long> tested =
        LogRecord.of(EvaluationRecord.class, run.masterRecords()).stream()
            .map(EvaluationRecord::step)
            .toList();
    assertEquals(first.values().stream().distinct().toList(), tested);
    assertTrue(tested.size() > 3, tested.toString());
  }

  /** Only tests do that unseen: limits are options, and a signal has a line of its own. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --target-accuracy 0.001 | the accuracy of a test, .*, has reached the target
          --target-loss 1e6       | the loss of a test, .*, has reached the target
          --patience 100000       | done
          """)
  void testsThatEndARunAreItsCause(String option, String cause) throws IOException {
    RunDirectory run =
        train(
            "run",
            "toy fmb sgd 8 --engine sim --workers 2 --cost-per-example 0.001 --last-step 9"
                + " --learning-rate 0.01 --evaluate-every 2 "
                + option);
    String found = run.read().ending().cause();
    assertTrue(found.matches(cause), found);
    assertEquals(cause.equals("done"), run.lastStep().step() == 9);
  }

  /** A test of the last parameters takes time, in which the last results come. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "k-sync sgd 8 --num-aggregate 2",
        "k-sync sgd 8 --num-aggregate 2 --latency 0.003",
        "coded sgd 9 --coded-stragglers 1 --bandwidth 1e6",
        "async sgd 8 --latency 0.003 --bandwidth 1e6",
        "async sgd 8 --inject slow:rank=1,step=4",
        "async sgd 8 --inject nan:rank=1,step=4 --non-finite drop",
        "fmb-dg sgd 8 --bandwidth 1e8 --latency 0.003",
      })
  void aReplayGivesTheRunsRecords(String scheme) throws IOException {
    String costs =
        " --engine sim --cost-per-example 0.001 --cost-per-test-example 0.000333 --induce cedar"
            + " --speed 1,0.47,0.2311";
    RunDirectory original =
        train("original", "toy " + scheme + costs + " --workers 3 --last-step 30 --evaluate last");
    RunDirectory replay = train("replay", "--replay " + original.path());
    assertEquals(
        original.read().ending().parametersSha256(), replay.read().ending().parametersSha256());
    assertEquals(times(original), times(replay));
    assertEquals(drops(original), drops(replay));
    EvaluationRecord test = LogRecord.of(EvaluationRecord.class, original.masterRecords()).get(0);
    long tested = Clock.nanos(test.time() + test.duration());
    assertTrue(drops(original).stream().allMatch(d -> d.get(0) < 30 || d.get(2) >= tested));
  }

  /** Step, rank and nanoseconds of every dropped result. */
  private static List<List<Long>> drops(RunDirectory run) throws IOException {
    return LogRecord.of(DropRecord.class, run.masterRecords()).stream()
        .map(drop -> List.of(drop.step(), (long) drop.rank(), Clock.nanos(drop.time())))
        .toList();
  }

  private static List<Double> times(RunDirectory run) throws IOException {
    return stepRecords(run).stream().map(StepRecord::time).toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kill:rank=2,step=2",
        "drop-message:rank=1,step=2",
        "late-message:rank=3,step=2",
      })
  void aReplayNeedsWorkersThatStayed(String fault) throws IOException {
    RunDirectory run = train("run", "toy fmb sgd 8 --last-step 5 --inject " + fault + EQUAL);
    assertEquals(1, membershipRecords(run).size());
    expectNoReplay(run, "expected a run whose workers stayed");
  }

  @Test
  void aReplayNeedsMessagesWithoutInducedDelays() throws IOException {
    String delays = "toy fmb-dg sgd 8 --last-step 5 --async-delay-std 0.05";
    expectNoReplay(train("run", delays + EQUAL), "--replay: expected a run without --async-delay");
  }

  /** The remedy that is named works. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "amb-dg sgd 8 --amb-time-limit 0.1 --amb-num-partitions 8",
        "esync sgd 8 --esync-partitions 4",
      })
  void whatWorkersHearWhileTheyComputeNeedsLinksThatTakeNoTime(String scheme) throws IOException {
    String command = "toy " + scheme + " --last-step 5 --latency 0.003";
    RunDirectory run = train("run", command + EQUAL);
    expectNoReplay(run, "--latency 0 --bandwidth inf");
    String free = " --latency 0 --bandwidth inf";
    RunDirectory replay = train("replay", "--replay " + run.path() + free);
    assertEquals(times(run).size(), times(replay).size());
  }

  private void expectNoReplay(RunDirectory run, String problem) {
    Path copy = directory.resolve("replay");
    List<String> command =
        List.of("--replay", run.path().toString(), "--run-directory", copy.toString());
    var e = assertThrows(UsageException.class, () -> new TrainCommand().run(command));
    assertTrue(e.getMessage().contains(problem), e.getMessage());
    assertFalse(Files.exists(copy));
  }

  @Test
  void aReplayMayEndEarlier() throws IOException {
    RunDirectory original = train("original", AMB);
    RunDirectory replay = train("replay", "--replay " + original.path() + " --last-step 3");
    assertEquals(losses(original).subList(0, 3), losses(replay));
    assertEquals(4, resume("replay", "--last-step 4").read().ending().steps());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--last-step 6 | --last-step: expected at most 5, the steps of the run to be replayed, found 6",
        "--induce niagara | --induce: expected cedar, as in the run to be replayed, found niagara;"
            + " leave it out",
        "--cost measured | --cost: expected given, as in the run to be replayed, found measured;"
            + " leave it out",
        "--target-accuracy 0.5 | --target-accuracy: expected none, as in the run to be replayed,"
            + " found 0.5; leave it out"
      })
  void whatIsRecordedIsRejectedWithAReplay(String options, String problem) throws IOException {
    RunDirectory original = train("original", AMB);
    var e =
        assertThrows(
            UsageException.class,
            () -> train("replay", "--replay " + original.path() + " " + options));
    assertEquals(problem, e.getMessage());
  }

  @Test
  void workersThatUpdateLocallyLeaveTheFinalParametersToo() throws IOException {
    RunDirectory run =
        train(
            "local",
            "toy local-sgd sgd 8 --local-steps 2 --engine sim --cost-per-example 0.01 --last-step 3"
                + " --evaluate last");
    assertNotNull(run.read().ending().parametersSha256());
    assertTrue(Files.exists(run.checkpoints().resolve("step-000000003/parameters.npy")));
  }

  /** The test comes after the checkpoint of the last step. */
  @Test
  void theLastTestsParametersAreTheBest() throws IOException {
    RunDirectory run =
        train(
            "best",
            "toy fmb sgd 8 --engine sim --cost-per-example 0.01 --last-step 4 --checkpoint-every 2"
                + " --evaluate last");
    assertTrue(Files.exists(run.checkpoints().resolve("best-000000004/parameters.npy")));
  }

  @Test
  void timingAloneNeedsNoData() throws IOException {
    RunDirectory run =
        train(
            "timing",
            "mnist fmb rms 100 --engine sim --gradients none --workers 20 --cost-per-example 0.01"
                + " --bandwidth 1e9 --last-step 4");
    assertTrue(run.masterRecords().stream().noneMatch(EvaluationRecord.class::isInstance));
    List<StepRecord> steps = stepRecords(run);
    assertEquals(4, steps.size());
    assertTrue(steps.stream().allMatch(step -> Double.isNaN(step.loss())));
    // The default network has 3,274,634 parameters: 21 transmissions a step besides computation.
    double transmission = (4 * 3_274_634 + 192) * 8 / 1e9;
    assertEquals(1 + 21 * transmission, steps.get(3).time() - steps.get(2).time(), 1e-6);
    assertEquals("3274634", run.read().configured("parameters", ""));
    assertNull(run.read().ending().parametersSha256());
    assertFalse(Files.exists(run.checkpoints()));
  }

  @Test
  void costsMeasuredAreRecorded() throws IOException {
    RunDirectory run =
        train("measured", "toy fmb rms 8 --engine sim --workers 2 --last-step 2 --evaluate last");
    var info = run.read();
    assertEquals("measured", info.configured("cost", ""));
    double perExample = Double.parseDouble(info.configured("cost-per-example", ""));
    double perPartition = Double.parseDouble(info.configured("cost-per-partition", ""));
    assertTrue(perExample + perPartition > 0);
    assertEquals(2 * (8 * perExample + perPartition), info.ending().seconds(), 1e-6);
  }

  @Test
  void aCostLineIsNeverBelowZero() {
    assertEquals(new Calibration(0.5, 1, 7), Calibration.line(2, 2, 10, 6, 7));
    assertEquals(new Calibration(0.5, 0, 7), Calibration.line(2, 0.5, 10, 5, 7));
    assertEquals(new Calibration(0, 1, 7), Calibration.line(2, 2, 10, 1, 7));
    assertEquals(new Calibration(3, 0, 7), Calibration.line(1, 3, 1, 3, 7));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "toy fmb rms 4 --latency 1 | --latency: expected --engine sim, found mpj",
        "toy fmb rms 4 --engine sim --workers 0 | --workers: expected at least 1 for --engine sim,"
            + " found 0",
        "toy fmb rms 4 --engine sim --speed 1,2,3 | --speed: expected at most one factor per worker"
            + " (2), found 3",
        "toy fmb rms 4 --engine sim --cost given | --cost given: expected --cost-per-example or"
            + " --cost-per-partition SECONDS, found neither",
        "toy fmb rms 4 --engine sim --cost measured --cost-per-example 1 | --cost measured:"
            + " expected neither --cost-per-example nor --cost-per-partition, found one",
        "toy fmb rms 4 --engine sim --gradients none --target-accuracy 0.5 | --target-accuracy:"
            + " expected --gradients real, found none",
        "toy fmb rms 4 --engine sim --parameters 5 | --parameters: expected --gradients none,"
            + " found real",
        "toy fmb rmss 4 --engine sim --bind lo --remote-shell ssh | --remote-shell: expected --hosts"
            + " FILE beside it, found none%n--bind: expected --hosts FILE beside it, found none%n"
            + "unknown update rule 'rmss', did you mean 'rms'?",
        "toy anytime-sgd sgd 4 --amb-time-limit 1 --engine sim --cost-per-example 0 |"
            + " --cost-per-example: expected more than 0 with scheme anytime-sgd, whose workers"
            + " compute until time has passed, found 0",
        "--replay /nowhere --engine mpj | --replay: expected --engine sim, found mpj",
      })
  void contradictingOptionsAreRejected(String command, String problem) {
    var e =
        assertThrows(
            UsageException.class, () -> new TrainCommand().run(Arrays.asList(command.split(" "))));
    assertEquals(problem.formatted(), e.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "--engine sim --cost-per-example 1, 2, true",
    "--engine sim --cost-per-example 1, , true",
    "--engine sim --cost-per-example 1, 1, false",
    "--workers 0, 4, true",
    "--engine sim --cost-per-example 1 --gradients none --parameters 9, 2, false",
    "--workers 2, 2, false",
  })
  void bitsDependOnTheThreadsOfThisProcess(String options, String threads, boolean expected) {
    List<String> words = List.of(("toy fmb sgd 8 --last-step 2 " + options).split(" "));
    RunParts run = RunParts.of(CommandLine.parse(words).settings());
    assertEquals(expected, !RunSession.threads(run, threads).isEmpty());
  }

  @Test
  void aRunThatIsNotThereCannotBeReplayed() {
    var e =
        assertThrows(
            UsageException.class,
            () -> new TrainCommand().run(List.of("--replay", directory.resolve("x").toString())));
    assertTrue(e.getMessage().startsWith("--replay: expected a run directory, found"));
  }
}
