package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import io.github.amb.runtime.checkpoint.CheckpointDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class VirtualRunTest {
  private static final String AMB =
      "toy amb rms 16 --amb-time-limit 0.2 --amb-num-partitions 8 --induce cedar --engine sim"
          + " --workers 3 --cost-per-example 0.02 --last-step 5 --evaluate-every 2 --test-size 50";

  @TempDir Path directory;

  private RunDirectory train(String name, String command) throws IOException {
    Path path = directory.resolve(name);
    List<String> arguments = new ArrayList<>(Arrays.asList(command.split(" ")));
    arguments.addAll(List.of("--run-directory", path.toString()));
    assertEquals(0, new TrainCommand().run(arguments));
    return new RunDirectory(path);
  }

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

  /**
   * Schemes with every kind of state: place in the data, moments, outer momentum, batches; and
   * codecs: residuals, velocities, warm starts, what workers have of the parameters.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "fmb adm",
        "amb rms --amb-time-limit 0.2 --amb-num-partitions 8",
        "amb mom --amb-time-limit auto --amb-num-partitions 4",
        "diloco adm --local-steps 3",
        "coded rms --coded-stragglers 1",
        "fmb rms --codec topk:0.1+ef+min=1 --downlink-codec topk:0.2+min=1",
        "fmb sgd --codec dgc:0.1,warmup=6+min=1",
        "fmb sgd --codec powersgd:2+ef+min=1",
        "fmb sgd --codec threshold:0.1+ef+min=1",
        "fmb sgd --codec adacomp:0.1+min=1"
      })
  void aRunThatIsTakenUpGivesTheParametersOfOneThatWasNotInterrupted(String scheme)
      throws IOException {
    String command =
        "toy "
            + scheme.replaceFirst(" (\\w+)", " $1 16")
            + " --engine sim --workers 3"
            + " --cost-per-example 0.02 --speed 1,0.7,0.5 --evaluate last --last-step ";
    RunDirectory whole = train("whole", command + 9);
    train("part", command + 4);
    RunDirectory resumed = resume("part", "--last-step 9");
    assertEquals(9, resumed.read().ending().steps());
    assertEquals(
        whole.read().ending().parametersSha256(), resumed.read().ending().parametersSha256());
    assertEquals(steps(whole), steps(resumed));
  }

  /** Workers go on from what they had of the parameters, not from the parameters. */
  @Test
  void compressedParametersAreTheSameAfterANewWorld() throws IOException {
    String command =
        "toy fmb rms 16 --engine sim --workers 3 --cost-per-example 0.02 --last-step 9"
            + " --evaluate last --downlink-codec topk:0.2+min=1";
    RunDirectory whole = train("whole", command);
    RunDirectory broken = train("broken", command + " --inject drop-frame:rank=2,step=5");
    assertTrue(Files.readString(broken.masterLog()).contains("frames were lost"));
    assertEquals(
        whole.read().ending().parametersSha256(), broken.read().ending().parametersSha256());
  }

  /** The last evaluation, which no step waited for, takes longer than all steps. */
  @Test
  void timeGoesOnFromTheLastStepOfARunThatIsTakenUp() throws IOException {
    String command =
        "toy fmb adm 16 --engine sim --workers 3 --cost-per-example 0.02 --cost-per-test-example 1"
            + " --evaluate last --last-step ";
    RunDirectory whole = train("whole", command + 9);
    train("part", command + 4);
    assertEquals(times(whole), times(resume("part", "--last-step 9")));
  }

  private static List<Double> times(RunDirectory run) throws IOException {
    return run.masterRecords().stream()
        .filter(StepRecord.class::isInstance)
        .map(LogRecord::time)
        .toList();
  }

  private RunDirectory resume(String name, String more) throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of("--resume", directory.resolve(name).toString()));
    arguments.addAll(Arrays.asList(more.split(" ")));
    assertEquals(0, new TrainCommand().run(arguments));
    return new RunDirectory(directory.resolve(name));
  }

  private static List<Double> steps(RunDirectory run) throws IOException {
    return run.masterRecords().stream()
        .filter(StepRecord.class::isInstance)
        .map(step -> ((StepRecord) step).loss())
        .toList();
  }

  /** The newest checkpoint is cut in half: the one before it counts, and its log's end goes. */
  @Test
  void aRunGoesOnFromTheNewestCheckpointThatIsWhole() throws IOException {
    String command = AMB + " --checkpoint-every 2 --last-step ";
    RunDirectory whole = train("whole", command.replace("--last-step 5 ", "") + 9);
    RunDirectory part = train("part", command.replace("--last-step 5 ", "") + 6);
    Path newest = part.checkpoints().resolve("step-000000006/master.npz");
    byte[] bytes = Files.readAllBytes(newest);
    Files.write(newest, Arrays.copyOf(bytes, bytes.length / 2));
    resume("part", "--last-step 9");
    assertEquals(steps(whole), steps(part));
    assertEquals(whole.read().ending().parametersSha256(), part.read().ending().parametersSha256());
    assertEquals("4", part.read().environment().get("resumed_after_step"));
  }

  /** It is of the same network and step, but of another seed. */
  @Test
  void aRunDoesNotGoOnFromAnothersCheckpoint() throws IOException {
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

  /** And may be told each time how far it goes, and what else does not change what is learnt. */
  @Test
  void aRunGoesOnWhereverItsDirectoryIs() throws IOException {
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
  void aRunThatIsDoneOrDifferentIsNotTakenUp() throws IOException {
    train("run", AMB);
    assertRefused("found one that is done after 5 steps", "--log-freq 1");
    assertRefused(
        "--seed: expected 1, as in the run to be resumed, found 2", "--last-step 9 --seed 2");
    assertRefused("--workers: expected 3", "--last-step 9 --workers 4");
  }

  private void assertRefused(String message, String more) {
    var error = assertThrows(UsageException.class, () -> resume("run", more));
    assertTrue(error.getMessage().contains(message), error.getMessage());
  }

  /** A slow worker has results for few of the steps. */
  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5, 6})
  void aWorkerDiesInAStepThatItHasNoResultFor(int step) throws IOException {
    String command =
        "toy async rms 16 --engine sim --workers 3 --cost-per-example 0.02 --evaluate last"
            + " --speed 1,0.3,1 --last-step 40 --inject kill:rank=2,step=";
    RunDirectory run = train("run", command + step);
    assertEquals(
        List.of(List.of(1, 3)),
        run.masterRecords().stream()
            .filter(MembershipRecord.class::isInstance)
            .map(record -> ((MembershipRecord) record).workers())
            .toList());
  }

  /**
   * Worker 2 dies in step 4; from then on there are two, and no example is lost or counted twice.
   */
  @Test
  void aWorkerThatDiesIsExcludedAndTheSameAgain() throws IOException {
    String command =
        "toy fmb rms 16 --engine sim --workers 3 --cost-per-example 0.02 --evaluate last"
            + " --last-step 8 --inject kill:rank=2,step=4";
    RunDirectory run = train("first", command);
    RunDirectory again = train("second", command);
    assertEquals(Files.readString(run.masterLog()), Files.readString(again.masterLog()));
    List<StepRecord> steps =
        run.masterRecords().stream()
            .filter(StepRecord.class::isInstance)
            .map(StepRecord.class::cast)
            .toList();
    assertEquals(List.of(48L, 48L, 48L, 32L, 32L, 32L, 32L, 32L), numSamples(steps));
    MembershipRecord membership =
        run.masterRecords().stream()
            .filter(MembershipRecord.class::isInstance)
            .map(MembershipRecord.class::cast)
            .reduce((a, b) -> fail("more than one"))
            .orElseThrow();
    assertEquals(List.of(1, 3), membership.workers());
    assertEquals(3, membership.step());
    assertEquals(2, membership.epoch());
    // The death is known five seconds after the others' results have come, and the step is done
    // again: 0.32 s of work each.
    assertEquals(3 * 0.32 + 0.32 + 5 + 0.32, steps.get(3).time(), 1e-6);
  }

  /** Frames of one worker in every kind of conversation between master and workers. */
  private static final String CLUSTER =
      " --engine sim --workers 3 --cost-per-example 0.02 --evaluate last --last-step 12"
          + " --dead-after 2 --stall-after 6 --inject ";

  private static final String[] CONVERSATIONS = {
    "fmb rms",
    "amb rms --amb-time-limit 0.2 --amb-num-partitions 8",
    "k-sync rms --num-aggregate 2",
    "async sgd",
    "ssp sgd --staleness 1",
    "amb-dg rms --amb-time-limit 0.2 --amb-num-partitions 8",
    "local-sgd sgd --local-steps 2",
    "esync sgd"
  };

  static Stream<Arguments> failures() {
    return Arrays.stream(CONVERSATIONS)
        .flatMap(
            scheme ->
                Stream.of("kill", "throw", "stall", "drop-frame", "corrupt-frame", "wrong-kind")
                    .map(fault -> Arguments.of(scheme, fault)));
  }

  /**
   * Whatever happens to a worker, the others wait for it no longer than the rule of membership
   * says, and all steps are done, in order.
   */
  @ParameterizedTest
  @MethodSource("failures")
  void noWorkerIsWaitedForBeyondTheRule(String scheme, String fault) throws IOException {
    RunDirectory run =
        train(
            "run",
            "toy "
                + scheme.replaceFirst(" (\\w+)", " $1 16")
                + CLUSTER
                + fault
                + ":rank=2,step="
                + (scheme.startsWith("amb-dg") ? "1" : "3"));
    List<StepRecord> steps = stepRecords(run);
    assertEquals(
        LongStream.rangeClosed(1, 12).boxed().toList(),
        steps.stream().map(StepRecord::step).toList());
    double longest = 0;
    for (int i = 1; i < steps.size(); i++) {
      longest = Math.max(longest, steps.get(i).time() - steps.get(i - 1).time());
    }
    // Besides, the step is done again; a lost frame is noticed within a second or two.
    double rule = Map.of("stall", 6, "corrupt-frame", 0, "wrong-kind", 0).getOrDefault(fault, 2);
    assertTrue(longest <= rule + 2.5, scheme + " waited " + longest + " s");
    List<MembershipRecord> epochs = membershipRecords(run);
    assertEquals(1, epochs.size(), epochs.toString());
    assertEquals(
        fault.equals("drop-frame") ? List.of(1, 2, 3) : List.of(1, 3), epochs.get(0).workers());
  }

  static Stream<String> conversations() {
    return Arrays.stream(CONVERSATIONS);
  }

  /** Under some schemes the worker owes the next result already when it comes again. */
  @ParameterizedTest
  @MethodSource("conversations")
  void aResultThatComesTwiceCountsOnce(String scheme) throws IOException {
    String command = "toy " + scheme.replaceFirst(" (\\w+)", " $1 16") + CLUSTER;
    RunDirectory twice = train("twice", command + twice("duplicate-frame"));
    RunDirectory once = train("once", command + twice("slow").replace(",step=", ",factor=1,step="));
    assertEquals(numSamples(stepRecords(once)), numSamples(stepRecords(twice)));
    assertEquals(once.read().ending().parametersSha256(), twice.read().ending().parametersSha256());
    assertEquals(List.of(), membershipRecords(twice));
  }

  private static String twice(String fault) {
    return fault + ":rank=2,step=3;" + fault + ":rank=3,step=4";
  }

  /** Workers wait for the next parameters here, so only the count of frames can overtake it. */
  @Test
  void aResultThatIsOvertakenIsMadeAgain() throws IOException {
    RunDirectory run = train("run", "toy fmb rms 16" + CLUSTER + "late-frame:rank=2,step=5");
    RunDirectory whole = train("whole", "toy fmb rms 16" + CLUSTER + "slow:rank=2,step=5,factor=1");
    assertEquals(whole.read().ending().parametersSha256(), run.read().ending().parametersSha256());
    assertTrue(membershipRecords(run).get(0).cause().startsWith("frames were lost: rank 2"));
  }

  /** The next frame overtakes it, and the worker goes on; in the end the count is short of it. */
  @Test
  void aResultThatIsOvertakenByAnotherIsLeftOut() throws IOException {
    String command = "toy amb-dg rms 16 --amb-time-limit 0.2 --amb-num-partitions 8" + CLUSTER;
    RunDirectory run = train("run", command + "late-frame:rank=2,step=5");
    assertEquals(12, stepRecords(run).size());
    MembershipRecord told = membershipRecords(run).get(0);
    assertEquals(12, told.step());
    assertTrue(told.cause().startsWith("frames were lost: rank 2"), told.toString());
  }

  /** Checkpoints are written while the next two steps are done, with workers' states. */
  @Test
  void aDiskThatIsFullForAWhileCostsCheckpointsAlone() throws IOException {
    String command = AMB.replace("--last-step 5", "--last-step 12") + " --checkpoint-every 2";
    RunDirectory whole = train("whole", command);
    RunDirectory run =
        train("run", command + " --checkpoint-keep 9 --inject disk-full:step=3,steps=7");
    assertEquals(Files.readString(whole.masterLog()), Files.readString(run.masterLog()));
    assertEquals(Files.readString(whole.workerLog(2)), Files.readString(run.workerLog(2)));
    List<Long> saved = new CheckpointDirectory(run.checkpoints()).steps();
    assertFalse(saved.contains(4L) || saved.contains(6L), saved.toString());
    assertTrue(saved.contains(10L) && saved.contains(12L), saved.toString());
  }

  /** The earlier checkpoint is whole, and the run goes on from there when there is room again. */
  @Test
  void aDiskThatStaysFullIsAFailureFromWhichARunIsTakenUp() throws IOException {
    String command = AMB.replace("--last-step 5", "--last-step 9") + " --checkpoint-every 2";
    RunDirectory whole = train("whole", command);
    List<String> arguments =
        new ArrayList<>(Arrays.asList((command + " --inject disk-full:step=5").split(" ")));
    arguments.addAll(List.of("--run-directory", directory.resolve("part").toString()));
    assertEquals(1, new TrainCommand().run(arguments));
    RunDirectory part = new RunDirectory(directory.resolve("part"));
    assertTrue(
        part.read()
            .ending()
            .cause()
            .startsWith("the final parameters are not saved: checkpoint of step 9 not written: No"),
        part.read().ending().cause());
    assertEquals(4, stepRecords(part).size());
    resume("part", "--log-freq 1");
    assertEquals(whole.read().ending().parametersSha256(), part.read().ending().parametersSha256());
    assertEquals(steps(whole), steps(part));
  }

  /** What comes is no message of the codec; the rank goes, its replacement has no such fault. */
  @ParameterizedTest
  @ValueSource(
      strings = {"fmb rms 16 --codec topk:0.1+ef+min=1", "async sgd 16 --codec int8+min=1"})
  void aRankThatSendsAMalformedFrameIsReplaced(String scheme) throws IOException {
    String command = "toy " + scheme + CLUSTER + "corrupt-frame:rank=2,step=3 --respawn 1";
    RunDirectory run = train("run", command.replace("--last-step 12", "--last-step 40"));
    List<MembershipRecord> epochs = membershipRecords(run);
    assertEquals(
        List.of(List.of(1, 3), List.of(1, 2, 3)),
        epochs.stream().map(MembershipRecord::workers).toList());
    String cause = epochs.get(0).cause();
    assertTrue(cause.startsWith("malformed frame from rank 2: GRADIENT of step 3: "), cause);
    assertEquals(40, stepRecords(run).size());
  }

  /** The codec would refuse it. */
  @Test
  void aResultThatIsNotANumberIsLeftOutBeforeItIsEncoded() throws IOException {
    RunDirectory run =
        train(
            "run",
            "toy fmb rms 16 --codec topk:0.1+ef+min=1"
                + CLUSTER
                + "nan:rank=2,step=3 --non-finite drop");
    assertEquals(List.of(48L, 48L, 32L, 48L), numSamples(stepRecords(run)).subList(0, 4));
    assertEquals(12, stepRecords(run).size());
    assertEquals(List.of(), membershipRecords(run));
  }

  /** No example counts twice, and none is lost, as if the run had not been taken up. */
  @Test
  void aWorkerMayDieInTheFirstStepOfARunThatIsTakenUp() throws IOException {
    String command = "toy fmb adm 16" + CLUSTER;
    String fault = "kill:rank=2,step=5";
    RunDirectory whole = train("whole", command + fault);
    train("part", command.replace("--last-step 12", "--last-step 4").replace(" --inject ", ""));
    RunDirectory resumed = resume("part", "--last-step 12 --inject " + fault);
    assertEquals(steps(whole), steps(resumed));
    assertEquals(
        whole.read().ending().parametersSha256(), resumed.read().ending().parametersSha256());
    assertEquals(
        membershipRecords(whole).toString().replaceAll("cause=[^,]*", ""),
        membershipRecords(resumed).toString().replaceAll("cause=[^,]*", ""));
  }

  @Test
  void aReplacementJoinsTheVirtualClusterAtAStepsEndToo() throws IOException {
    String command = "toy fmb rms 16" + CLUSTER + "kill:rank=2,step=3 --respawn 1";
    RunDirectory run = train("run", command);
    assertEquals(
        List.of(List.of(1, 3), List.of(1, 2, 3)),
        membershipRecords(run).stream().map(MembershipRecord::workers).toList());
    // Two seconds for a replacement to start, 0.32 s a step.
    long few = stepRecords(run).stream().filter(step -> step.numSamples() == 32).count();
    assertTrue(few >= 6 && few <= 7, few + " steps with two workers");
    RunDirectory again = train("again", command);
    assertEquals(Files.readString(run.masterLog()), Files.readString(again.masterLog()));
    assertEquals(run.read().ending().parametersSha256(), again.read().ending().parametersSha256());
  }

  private static List<StepRecord> stepRecords(RunDirectory run) throws IOException {
    return run.masterRecords().stream()
        .filter(StepRecord.class::isInstance)
        .map(StepRecord.class::cast)
        .toList();
  }

  private static List<MembershipRecord> membershipRecords(RunDirectory run) throws IOException {
    return run.masterRecords().stream()
        .filter(MembershipRecord.class::isInstance)
        .map(MembershipRecord.class::cast)
        .toList();
  }

  private static List<Long> numSamples(List<StepRecord> steps) {
    return steps.stream().map(StepRecord::numSamples).toList();
  }

  @Test
  void tooFewWorkersEndTheRun() throws IOException {
    List<String> arguments =
        new ArrayList<>(
            Arrays.asList(
                ("toy fmb rms 16 --engine sim --workers 3 --cost-per-example 0.02 --evaluate last"
                        + " --last-step 8 --inject kill:rank=2,step=4 --min-workers 3")
                    .split(" ")));
    arguments.addAll(List.of("--run-directory", directory.resolve("few").toString()));
    assertEquals(21, new TrainCommand().run(arguments));
    RunDirectory run = new RunDirectory(directory.resolve("few"));
    assertEquals(3, run.read().ending().steps());
    assertNotNull(run.read().ending().parametersSha256());
  }

  @Test
  void aReplayTakesTheRunsOptionsAndGivesItsParameters() throws IOException {
    RunDirectory original = train("original", AMB + " --seed 4 --speed 1,0.5");
    RunDirectory replay = train("replay", "--replay " + original.path() + " --latency 0.001");
    assertEquals(
        original.read().ending().parametersSha256(), replay.read().ending().parametersSha256());
    assertEquals(4, replay.read().seed());
    assertEquals(5, replay.read().ending().steps());
    assertEquals("0.001", replay.read().configured("latency", ""));
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

  @Test
  void timingAloneNeedsNoDataAndHasNoLosses() throws IOException {
    RunDirectory run =
        train(
            "timing",
            "mnist fmb rms 100 --engine sim --gradients none --workers 20 --cost-per-example 0.01"
                + " --bandwidth 1e9 --last-step 4");
    var records = run.masterRecords();
    assertTrue(records.stream().noneMatch(EvaluationRecord.class::isInstance));
    List<StepRecord> steps =
        records.stream().filter(StepRecord.class::isInstance).map(StepRecord.class::cast).toList();
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

  @Test
  void aLineGoesThroughTheMediansAndNeverBelowZero() {
    assertEquals(new Calibration(0.5, 1, 7), Calibration.line(2, 2, 10, 6, 7));
    assertEquals(new Calibration(0.5, 0, 7), Calibration.line(2, 0.5, 10, 5, 7));
    assertEquals(new Calibration(0, 1, 7), Calibration.line(2, 2, 10, 1, 7));
    assertEquals(new Calibration(3, 0, 7), Calibration.line(1, 3, 1, 3, 7));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "toy fmb rms 4 --latency 1 | --latency: expected --engine sim with it, found engine mpj",
        "toy fmb rms 4 --engine sim --workers 0 | --workers: expected at least 1 with --engine sim,"
            + " found 0",
        "toy fmb rms 4 --engine sim --speed 1,2,3 | --speed: expected at most one factor per worker"
            + " (2), found 3",
        "toy fmb rms 4 --engine sim --cost given | --cost given: expected --cost-per-example or"
            + " --cost-per-partition SECONDS, found neither",
        "toy fmb rms 4 --engine sim --cost measured --cost-per-example 1 | --cost measured:"
            + " expected no --cost-per-example and no --cost-per-partition, found one",
        "toy fmb rms 4 --engine sim --gradients none --target-accuracy 0.5 | --target-accuracy:"
            + " expected --gradients real with it, found none",
        "toy fmb rms 4 --engine sim --parameters 5 | --parameters: expected --gradients none with"
            + " it, found real",
        "--replay /nowhere --engine mpj | --replay: expected --engine sim with it, found engine"
            + " mpj",
      })
  void whatDoesNotGoTogetherIsRefused(String command, String problem) {
    var e =
        assertThrows(
            UsageException.class, () -> new TrainCommand().run(Arrays.asList(command.split(" "))));
    assertEquals(problem, e.getMessage());
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
