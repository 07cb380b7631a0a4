package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A run on real processes continues after a worker's failure; {@link LostRanksMatrixTest} has more.
 */
@Tag("system")
@EnabledOnOs(OS.LINUX)
class RecoveryTest {
  @TempDir Path directory;

  /** The delay is longer than {@code --stall-after}. */
  @Test
  void aSlowWorkerStays() throws Exception {
    AmbProcess amb =
        AmbProcess.run(
            directory,
            "train toy fmb rms 16 --workers 2 --evaluate last --last-step 1 --dead-after 1"
                + " --stall-after 5 --induce 6,0,1");
    assertEquals(0, amb.exitCode(), amb.everythingSaid());
    assertEquals(List.of(), memberships(amb.run()));
  }

  /** The master only notices that a connection broke, and not which. */
  @Test
  void theRecordNamesTheRankThatWasKilled() throws Exception {
    AmbProcess amb =
        AmbProcess.run(
            directory,
            "train toy fmb rms 16 --workers 2 --evaluate last --last-step 10"
                + " --inject kill:rank=2,step=5");
    assertEquals(0, amb.exitCode(), amb.everythingSaid());
    List<String> causes =
        LogRecord.of(MembershipRecord.class, amb.run().masterRecords()).stream()
            .map(MembershipRecord::cause)
            .toList();
    assertEquals(1, causes.size(), causes.toString());
    String killed = "rank 2 \\(pid \\d+\\) was killed by signal 9.*";
    assertTrue(causes.get(0).matches(killed), causes.get(0));
  }

  /** The same file on the virtual cluster and on processes, and the same occurrences. */
  @Test
  void aCampaignMeansTheSameOnBothEngines() throws Exception {
    Path campaign =
        Files.writeString(
            directory.resolve("campaign.yaml"),
            """
            version: 1
            seed: 3
            faults:
              - {kind: slow, incident: power, rank: [1, 2], step: 2-6, steps: 2, factor: 2}
              - {kind: kill, incident: power, rank: 3, step: 2-6}
              - {kind: duplicate-message, rank: any, step: 1-12, probability: 0.3}
              - {kind: stale-result, rank: 2, when: removed 3}
              - {kind: partition, rank: [1, 2], step: 11, seconds: 0.3}
            """);
    String command =
        "train toy fmb rms 16 --workers 3 --evaluate last --last-step 12 --inject " + campaign;
    List<List<String>> journals = new ArrayList<>();
    for (String engine : List.of("", " --engine sim --cost-per-example 0.02")) {
      AmbProcess amb =
          AmbProcess.run(
              Files.createDirectory(directory.resolve("run" + journals.size())), command + engine);
      assertEquals(0, amb.exitCode(), amb.everythingSaid());
      journals.add(
          Files.readAllLines(amb.run().faults()).stream()
              .map(line -> line.replaceFirst(",.time.:[^,}]*", ""))
              .sorted()
              .toList());
    }
    assertEquals(journals.get(1), journals.get(0));
    assertTrue(journals.get(0).size() > 4, journals.toString());
  }

  /** Nearly all time is that of messages, so that the kill meets slices on their way. */
  @ParameterizedTest
  @ValueSource(strings = {"none", "topk:0.01+ef"})
  void aWorkerMayDieWhileSlicesAreOnTheirWay(String codec) throws Exception {
    try (AmbProcess amb =
        AmbProcess.start(
            directory,
            "train digits fmb sgd 1 --network mlp:1024,1024 --workers 4 --topology sliced"
                + " --shared-memory none --evaluate last --max-time 3000 --respawn 1"
                + " --checkpoint-every last --codec "
                + codec)) {
      for (int rank : new int[] {2, 4}) {
        amb.awaitSteps((int) amb.steps() + 5);
        amb.rank(rank).destroyForcibly();
        amb.awaitWhileRunning(() -> memberships(amb.run()).size() >= rank / 2, "a generation");
        amb.awaitSteps((int) amb.steps() + 5);
      }
      amb.terminate();
      assertEquals(130, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      List<Long> steps = steps(amb.run()).stream().map(StepRecord::step).toList();
      assertEquals(LongStream.rangeClosed(1, steps.size()).boxed().toList(), steps);
    }
  }

  @Test
  void aRankThatIsSilentForAWhileIsSaidToBeBack() throws Exception {
    try (AmbProcess amb =
        AmbProcess.start(
            directory,
            "train toy fmb rms 16 --workers 2 --evaluate last --max-time 3000 --dead-after 1"
                + " --stall-after 200")) {
      amb.awaitSteps(5);
      AmbProcess.signal("STOP", amb.rank(1));
      amb.awaitWhileRunning(() -> amb.everythingSaid().contains("rank 1 sent no"), "silence");
      AmbProcess.signal("CONT", amb.rank(1));
      amb.awaitWhileRunning(() -> amb.everythingSaid().contains("rank 1 is back"), "a line");
      amb.terminate();
      assertEquals(130, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
    }
  }

  @Test
  void aWorkerThatStallsWhileTrainingEndsCostsNothing() throws Exception {
    assertCostsNothing(4);
  }

  /** The others know that training is complete, and end, when the worker is killed. */
  @Tag("lab")
  @Test
  void aWorkerThatStallsUntilTheOthersEndCostsNothing() throws Exception {
    assertCostsNothing(9);
  }

  private void assertCostsNothing(int stallAfter) throws Exception {
    AmbProcess amb =
        AmbProcess.run(
            directory,
            "train toy async rms 16 --workers 3 --evaluate last --induce 0.05,0,1 --last-step 30"
                + " --inject stall:rank=2,step=20 --dead-after 1 --min-workers 3 --stall-after "
                + stallAfter);
    assertEquals(0, amb.exitCode(), amb.everythingSaid());
    amb.awaitNoDescendants(AmbProcess.LIMIT);
    List<Long> steps = steps(amb.run()).stream().map(StepRecord::step).toList();
    assertEquals(LongStream.rangeClosed(1, 30).boxed().toList(), steps);
  }

  /** All that it has sent is in updates, and no step is done again. */
  @ParameterizedTest
  @ValueSource(strings = {"fmb", "amb --amb-time-limit 0.05 --amb-num-partitions 8", "async"})
  void aWorkerThatIsAskedToEndLeavesWithoutALoss(String scheme) throws Exception {
    String[] words = scheme.split(" ", 2);
    String command =
        "train toy %s rms 16 --workers 3 --evaluate last --max-time 3000 --induce 0.05,0,1 "
            .formatted(words[0]);
    try (AmbProcess amb =
        AmbProcess.start(directory, (command + (words.length > 1 ? words[1] : "")).strip())) {
      amb.awaitSteps(5);
      ProcessHandle leaver = amb.rank(2);
      AmbProcess.signal("TERM", leaver);
      amb.awaitEnd(leaver, AmbProcess.LIMIT);
      long then = amb.steps();
      amb.awaitSteps((int) then + 5);
      amb.terminate();
      assertEquals(130, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      RunDirectory run = amb.run();
      List<MembershipRecord> changes = LogRecord.of(MembershipRecord.class, run.masterRecords());
      assertEquals(List.of(List.of(1, 3)), memberships(run), amb.everythingSaid());
      assertTrue(changes.get(0).cause().startsWith("rank 2 left"), changes.toString());
      if (!words[0].equals("async")) {
        assertEquals(0, changes.get(0).discarded(), changes.toString());
      }
      List<Integer> sent =
          Files.readAllLines(run.console(2)).stream()
              .filter(line -> line.startsWith("Sending ["))
              .map(line -> Integer.valueOf(line.replaceAll("Sending \\[(\\d+)].*", "$1")))
              .toList();
      List<Integer> counted = results(run, 2);
      assertEquals(sent, counted, amb.everythingSaid());
      List<Long> steps = steps(run).stream().map(StepRecord::step).toList();
      assertEquals(LongStream.rangeClosed(1, steps.size()).boxed().toList(), steps);
    }
  }

  private static List<Integer> results(RunDirectory run, int worker) throws IOException {
    return LogRecord.of(WorkerRecord.class, run.workerRecords(worker)).stream()
        .map(record -> (int) record.numSamples())
        .toList();
  }

  /** However long the replacement takes to start, the run continues meanwhile. */
  @Test
  void aReplacementJoinsAtAStepsEnd() throws Exception {
    try (AmbProcess amb =
        AmbProcess.start(
            directory,
            "train toy fmb rms 16 --workers 2 --evaluate last --max-time 3000 --induce 0.05,0,1"
                + " --inject kill:rank=2,step=5 --respawn 1")) {
      amb.awaitSteps(5);
      amb.awaitWhileRunning(() -> used(amb.run(), 2) > 8, "a replacement");
      amb.terminate();
      assertEquals(130, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      amb.awaitNoDescendants(AmbProcess.LIMIT);
      // A master that saves for longer than a replacement starts never trains with one worker.
      List<List<Integer>> memberships = memberships(amb.run());
      assertTrue(
          List.of(List.of(List.of(1), List.of(1, 2)), List.of(List.of(1, 2))).contains(memberships),
          amb.everythingSaid());
      List<Long> steps = steps(amb.run()).stream().map(StepRecord::step).toList();
      assertEquals(LongStream.rangeClosed(1, steps.size()).boxed().toList(), steps);
    }
  }

  private static List<StepRecord> steps(RunDirectory run) throws IOException {
    return LogRecord.of(StepRecord.class, run.masterRecords());
  }

  private static List<List<Integer>> memberships(RunDirectory run) throws IOException {
    return run.masterRecords().stream()
        .filter(MembershipRecord.class::isInstance)
        .map(record -> ((MembershipRecord) record).workers())
        .toList();
  }

  /** Different steps for which results of a worker came. */
  private static long used(RunDirectory run, int worker) throws IOException {
    return run.workerRecords(worker).stream()
        .map(record -> ((WorkerRecord) record).masterStep())
        .distinct()
        .count();
  }
}
