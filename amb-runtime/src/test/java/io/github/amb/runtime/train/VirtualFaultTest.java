package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.DropRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.runtime.checkpoint.CheckpointDirectory;
import io.github.amb.runtime.checkpoint.Origin;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults and membership on the virtual cluster. */
@Tag("lab")
class VirtualFaultTest extends VirtualRuns {
  /** Options with messages of one worker in every kind of exchange between master and workers. */
  private static final String CLUSTER =
      SMALL + " --last-step 12 --dead-after 2 --stall-after 6 --inject ";

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

  /** Workers continue from their own copy of the parameters, not from the master's. */
  @Test
  void encodedParametersSurviveANewGeneration() throws IOException {
    String command = "toy fmb rms 16" + SMALL + " --last-step 9 --downlink-codec topk:0.2+min=1";
    RunDirectory whole = train("whole", command);
    RunDirectory broken = train("broken", command + " --inject drop-message:rank=2,step=5");
    assertTrue(Files.readString(broken.masterLog()).contains("messages were lost"));
    assertEquals(
        whole.read().ending().parametersSha256(), broken.read().ending().parametersSha256());
  }

  /** What workers remember of a result that was discarded would count twice. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "fmb rms 16 --codec topk:0.01+ef",
        "fmb rms 16 --codec topk:0.01+ef+min=1 --topology sliced",
        "fmb sgd 16 --codec dgc:0.01",
        "fmb sgd 16 --codec qsgd:4+ef",
        "diloco adm 16 --local-steps 3",
        "streaming-diloco adm 16 --local-steps 4 --overlap 0 --codec topk:0.1+ef+min=1",
        "esync mom 16 --codec topk:0.1+ef"
      })
  void aRepeatedStepHasTheBitsOfOneDoneOnce(String scheme) throws IOException {
    String command = "toy " + scheme + SMALL + " --last-step 9";
    RunDirectory whole = train("whole", command);
    RunDirectory broken = train("broken", command + " --inject drop-message:rank=1,step=5");
    assertTrue(Files.readString(broken.masterLog()).contains("messages were lost"));
    assertEquals(
        whole.read().ending().parametersSha256(), broken.read().ending().parametersSha256());
  }

  /** In the second generation, worker 3 is its rank 2. */
  @ParameterizedTest
  @ValueSource(strings = {"drop-message:rank=3,step=6", "drop-message:rank=3,step=8"})
  void aLostMessageNamesTheWorkersNumber(String fault) throws IOException {
    String command = "toy fmb rms 16" + SMALL + " --last-step 8 --inject kill:rank=1,step=3;";
    String cause = membershipRecords(train("run", command + fault)).get(1).cause();
    assertTrue(cause.startsWith("messages were lost: rank 3 has sent"), cause);
  }

  /** The others finish before anybody knows of the failure, and are not lost. */
  @Test
  void aFailureThatIsKnownAfterTheLastStepLeavesNoRecord() throws IOException {
    RunDirectory run =
        train(
            "late",
            "toy async sgd 16"
                + SMALL
                + " --last-step 12 --dead-after 20 --inject kill:rank=2,step=3");
    assertFalse(Files.readString(run.masterLog()).contains("\"workers\":[]"));
  }

  /** A slow worker has results for few of the steps. */
  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5, 6})
  void aWorkerDiesInAStepThatItHasNoResultFor(int step) throws IOException {
    String command =
        "toy async rms 16" + SMALL + " --speed 1,0.3,1 --last-step 40 --inject kill:rank=2,step=";
    RunDirectory run = train("run", command + step);
    assertEquals(
        List.of(List.of(1, 3)),
        membershipRecords(run).stream().map(MembershipRecord::workers).toList());
  }

  /**
   * Worker 2 dies in step 4; from then on there are two, and no example is lost or counted twice.
   */
  @Test
  void aDyingWorkerIsRemovedReproducibly() throws IOException {
    String command = "toy fmb rms 16" + SMALL + " --last-step 8 --inject kill:rank=2,step=4";
    RunDirectory run = train("first", command);
    RunDirectory again = train("second", command);
    assertEquals(Files.readString(run.masterLog()), Files.readString(again.masterLog()));
    List<StepRecord> steps = stepRecords(run);
    assertEquals(List.of(48L, 48L, 48L, 32L, 32L, 32L, 32L, 32L), numSamples(steps));
    assertEquals(1, membershipRecords(run).size());
    MembershipRecord membership = membershipRecords(run).get(0);
    assertEquals(List.of(1, 3), membership.workers());
    assertEquals(3, membership.step());
    assertEquals(2, membership.generation());
    // The death is known five seconds after the others' results have come, and the step is done
    // again: 0.32 s of work each.
    assertEquals(3 * 0.32 + 0.32 + 5 + 0.32, steps.get(3).time(), 1e-6);
  }

  static Stream<Arguments> failures() {
    return Arrays.stream(CONVERSATIONS)
        .flatMap(
            scheme ->
                Stream.of("kill", "throw", "stall", "drop-message", "corrupt-message", "wrong-kind")
                    .map(fault -> Arguments.of(scheme, fault)));
  }

  /** At least one fault of every conversation, and every fault in at least one. */
  static Stream<Arguments> someFailures() {
    List<Arguments> all = failures().toList();
    return IntStream.range(0, all.size()).filter(i -> i % 5 == 0).mapToObj(all::get);
  }

  @ParameterizedTest
  @MethodSource("someFailures")
  void noWorkerIsWaitedForBeyondTheRule(String scheme, String fault) throws IOException {
    assertNoneIsWaitedForBeyondTheRule(scheme, fault);
  }

  @ParameterizedTest
  @MethodSource("failures")
  void noWorkerIsWaitedForAfterAnyFault(String scheme, String fault) throws IOException {
    assertNoneIsWaitedForBeyondTheRule(scheme, fault);
  }

  /**
   * After any fault of a worker, the others wait no longer than the rule of membership says, and
   * all steps are done in order.
   */
  private void assertNoneIsWaitedForBeyondTheRule(String scheme, String fault) throws IOException {
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
    // Besides, the step is repeated; a lost message is noticed within a second or two.
    double rule = Map.of("stall", 6, "corrupt-message", 0, "wrong-kind", 0).getOrDefault(fault, 2);
    assertTrue(longest <= rule + 2.5, scheme + " waited " + longest + " s");
    List<MembershipRecord> generations = membershipRecords(run);
    assertEquals(1, generations.size(), generations.toString());
    assertEquals(
        fault.equals("drop-message") ? List.of(1, 2, 3) : List.of(1, 3),
        generations.get(0).workers());
  }

  /** Results that are repeated after messages were lost are drops, with all that is known. */
  @ParameterizedTest
  @MethodSource("conversations")
  void resultsOfARepeatedStepAreRecordedAsDropped(String scheme) throws IOException {
    String command = "toy " + scheme.replaceFirst(" (\\w+)", " $1 16") + CLUSTER;
    RunDirectory run = train("run", command + "drop-message:rank=2,step=3");
    long used = 0;
    for (int worker = 1; worker <= 3; worker++) {
      used +=
          LogRecord.of(WorkerRecord.class, run.workerRecords(worker)).stream()
              .mapToLong(WorkerRecord::numSamples)
              .sum();
    }
    assertEquals(numSamples(stepRecords(run)).stream().mapToLong(n -> n).sum(), used);
    MembershipRecord change = membershipRecords(run).get(0);
    List<DropRecord> dropped = LogRecord.of(DropRecord.class, run.masterRecords());
    dropped = dropped.stream().filter(drop -> drop.step() == change.step()).toList();
    long examples = dropped.stream().mapToLong(DropRecord::numSamples).sum();
    assertTrue(examples >= change.discarded(), dropped + " of " + change);
    assertTrue(dropped.stream().allMatch(drop -> drop.computeTime() > 0), dropped.toString());
  }

  static Stream<String> conversations() {
    return Arrays.stream(CONVERSATIONS);
  }

  /** Under some schemes the worker owes the next result already when it comes again. */
  @ParameterizedTest
  @MethodSource("conversations")
  void aResultThatComesTwiceCountsOnce(String scheme) throws IOException {
    String command = "toy " + scheme.replaceFirst(" (\\w+)", " $1 16") + CLUSTER;
    RunDirectory twice = train("twice", command + twice("duplicate-message"));
    RunDirectory once = train("once", command + twice("slow").replace(",step=", ",factor=1,step="));
    assertEquals(numSamples(stepRecords(once)), numSamples(stepRecords(twice)));
    assertEquals(once.read().ending().parametersSha256(), twice.read().ending().parametersSha256());
    assertEquals(List.of(), membershipRecords(twice));
  }

  private static String twice(String fault) {
    return fault + ":rank=2,step=3;" + fault + ":rank=3,step=4";
  }

  /**
   * Workers wait for the next parameters here, so only the count of messages can overtake the
   * result.
   */
  @Test
  void aResultThatIsOvertakenIsMadeAgain() throws IOException {
    RunDirectory run = train("run", "toy fmb rms 16" + CLUSTER + "late-message:rank=2,step=5");
    RunDirectory whole = train("whole", "toy fmb rms 16" + CLUSTER + "slow:rank=2,step=5,factor=1");
    assertEquals(whole.read().ending().parametersSha256(), run.read().ending().parametersSha256());
    assertTrue(membershipRecords(run).get(0).cause().startsWith("messages were lost: rank 2"));
  }

  /** The worker sends the next message without waiting, which then shows that one is missing. */
  @Test
  void anOvertakenResultEndsTheGeneration() throws IOException {
    String command = "toy amb-dg rms 16 --amb-time-limit 0.2 --amb-num-partitions 8" + CLUSTER;
    RunDirectory run = train("run", command + "late-message:rank=2,step=5");
    assertEquals(12, stepRecords(run).size());
    MembershipRecord told = membershipRecords(run).get(0);
    assertEquals(5, told.step());
    assertTrue(told.cause().startsWith("messages were lost: rank 2"), told.toString());
  }

  /** Checkpoints are written while the next two steps are done, with workers' states. */
  @Test
  void aDiskThatIsFullForAWhileCostsCheckpointsAlone() throws IOException {
    String command = AMB.replace("--last-step 5", "--last-step 12") + " --checkpoint-every 2";
    // A run with faults keeps another state; this fault changes nothing.
    RunDirectory whole = train("whole", command + " --inject slow:rank=2,step=5,factor=1");
    RunDirectory run =
        train("run", command + " --checkpoint-keep 9 --inject disk-full:step=3,steps=7");
    assertEquals(Files.readString(whole.masterLog()), Files.readString(run.masterLog()));
    assertEquals(Files.readString(whole.workerLog(2)), Files.readString(run.workerLog(2)));
    List<Long> saved = new CheckpointDirectory(run.checkpoints(), Origin.ANY).steps();
    assertFalse(saved.contains(4L) || saved.contains(6L), saved.toString());
    assertTrue(saved.contains(10L) && saved.contains(12L), saved.toString());
  }

  /**
   * The earlier checkpoint is intact, and the run resumes from it when the disk has space again.
   */
  @Test
  void aRunResumesAfterAFullDisk() throws IOException {
    String command = AMB.replace("--last-step 5", "--last-step 9") + " --checkpoint-every 2";
    RunDirectory whole = train("whole", command);
    RunDirectory part = train("part", command + " --inject disk-full:step=5", 1);
    assertTrue(
        part.read()
            .ending()
            .cause()
            .startsWith(
                "cannot save the final parameters: cannot write the checkpoint of step 9: No"),
        part.read().ending().cause());
    assertEquals(4, stepRecords(part).size());
    resume("part", "--log-freq 1");
    assertEquals(whole.read().ending().parametersSha256(), part.read().ending().parametersSha256());
    assertEquals(losses(whole), losses(part));
  }

  /**
   * The received bytes are no message of the codec; the rank is removed, and its replacement has no
   * such fault.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {"fmb rms 16 --codec topk:0.1+ef+min=1", "async sgd 16 --codec int8+min=1"})
  void aRankThatSendsAMalformedMessageIsReplaced(String scheme) throws IOException {
    String command = "toy " + scheme + CLUSTER + "corrupt-message:rank=2,step=3 --respawn 1";
    RunDirectory run = train("run", command.replace("--last-step 12", "--last-step 40"));
    List<MembershipRecord> generations = membershipRecords(run);
    assertEquals(
        List.of(List.of(1, 3), List.of(1, 2, 3)),
        generations.stream().map(MembershipRecord::workers).toList());
    String cause = generations.get(0).cause();
    assertTrue(cause.startsWith("malformed message from rank 2: GRADIENT of step 3: "), cause);
    assertEquals(40, stepRecords(run).size());
  }

  /** The codec would reject the result. */
  @Test
  void aNonFiniteResultIsDroppedBeforeEncoding() throws IOException {
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

  /** No example counts twice, and none is lost, as in a run without interruption. */
  @Test
  void aWorkerMayDieInTheFirstResumedStep() throws IOException {
    String command = "toy fmb adm 16" + CLUSTER;
    String fault = "kill:rank=2,step=5";
    RunDirectory whole = train("whole", command + fault);
    train("part", command.replace("--last-step 12", "--last-step 4").replace(" --inject ", ""));
    RunDirectory resumed = resume("part", "--last-step 12 --inject " + fault);
    assertEquals(losses(whole), losses(resumed));
    assertEquals(
        whole.read().ending().parametersSha256(), resumed.read().ending().parametersSha256());
    assertEquals(
        membershipRecords(whole).toString().replaceAll("cause=[^,]*", ""),
        membershipRecords(resumed).toString().replaceAll("cause=[^,]*", ""));
  }

  /** Whether the cluster is as before or, after the loss of a worker, a new one. */
  @ParameterizedTest
  @ValueSource(strings = {"", " --inject kill:rank=1,step=3"})
  void aResumedRunContinuesTheCountOfBytes(String fault) throws IOException {
    train("run", "toy fmb rms 16 --checkpoint-every 2 --last-step 6" + SMALL + fault);
    List<StepRecord> steps = stepRecords(resume("run", "--last-step 10"));
    long perResult = (steps.get(1).bytesReceived() - steps.get(0).bytesReceived()) / 3;
    for (int i = 6; i < 10; i++) {
      long workers = steps.get(i).numSamples() / 16;
      long received = steps.get(i).bytesReceived() - steps.get(i - 1).bytesReceived();
      assertEquals(workers * perResult, received, steps.get(i).toString());
      assertTrue(steps.get(i).bytesSent() > steps.get(i - 1).bytesSent(), steps.toString());
    }
  }

  @Test
  void aResumedRunRecordsThatAllWorkersAreMembers() throws IOException {
    train("run", "toy fmb rms 16 --last-step 6" + SMALL + " --inject kill:rank=1,step=3");
    RunDirectory run = resume("run", "--last-step 8");
    assertEquals(
        List.of(
            new MembershipRecord(
                stepRecords(run).get(5).time(), 6, 1, List.of(1, 2, 3), "the run was resumed", 0)),
        membershipRecords(run).stream().skip(1).toList());
    assertEquals(2, membershipRecords(resume("run", "--last-step 9")).size());
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

  @Test
  void tooFewWorkersEndTheRun() throws IOException {
    String command =
        "toy fmb rms 16" + SMALL + " --last-step 8 --inject kill:rank=2,step=4 --min-workers 3";
    RunDirectory run = train("few", command, 21);
    assertEquals(3, run.read().ending().steps());
    assertNotNull(run.read().ending().parametersSha256());
  }
}
