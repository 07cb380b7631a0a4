package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.ExitCode;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs of workers that agree with their neighbors, or meet in pairs, on the virtual cluster. */
@Tag("system")
@Timeout(120)
class GraphRunsTest extends VirtualRuns {
  private static final String CLUSTER =
      " --network logistic-regression --engine sim --workers 5 --cost-per-example 0.01"
          + " --evaluate last";

  private static final String RING = "toy fmb-graph dual-averaging 8 --learning-rate 0.5" + CLUSTER;

  private static final String PAIRS = "toy noloco adm 8 --local-steps 2" + CLUSTER;

  private static List<List<Integer>> members(RunDirectory run) throws IOException {
    return membershipRecords(run).stream().map(MembershipRecord::workers).toList();
  }

  private static List<Long> lastSamples(RunDirectory run) throws IOException {
    List<StepRecord> steps = stepRecords(run);
    return numSamples(steps.subList(steps.size() - 1, steps.size()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " --codec qsgd:4+min=1"})
  void theOthersContinueWithoutANode(String codec) throws IOException {
    RunDirectory run = train("run", RING + codec + " --last-step 9 --inject kill:rank=2,step=4");
    assertEquals(List.of(List.of(1, 3, 4, 5)), members(run));
    assertEquals(List.of(32L), lastSamples(run));
  }

  @Test
  void aReplacementJoins() throws IOException {
    String steps = " --graph complete --consensus-rounds 1 --last-step 150";
    RunDirectory run = train("run", RING + steps + " --respawn 1 --inject kill:rank=2,step=4");
    assertEquals(List.of(List.of(1, 3, 4, 5), List.of(1, 2, 3, 4, 5)), members(run));
    assertEquals(List.of(40L), lastSamples(run));
  }

  /** One of five nodes meets itself, and none of four does; the last of all has no message. */
  @Test
  void theOthersMeetWithoutANodeUntilItIsReplaced() throws IOException {
    String faults = " --last-step 6 --inject kill:rank=2,step=3;kill:rank=4,step=4";
    RunDirectory run = train("run", PAIRS + faults);
    assertEquals(List.of(List.of(1, 3, 4, 5), List.of(1, 3, 5)), members(run));
    assertEquals(List.of(48L), lastSamples(run));
    String replaced = " --last-step 150 --respawn 1 --inject kill:rank=2,step=4";
    RunDirectory whole = train("whole", PAIRS + replaced);
    assertEquals(List.of(List.of(1, 3, 4, 5), List.of(1, 2, 3, 4, 5)), members(whole));
    assertEquals(List.of(80L), lastSamples(whole));
  }

  /** A worker's checkpoint has its parameters, its outer momentum and its own rule. */
  @Test
  void aResumedRunOfPairsHasTheBitsOfAWholeOne() throws IOException {
    RunDirectory whole = train("whole", PAIRS + " --last-step 8");
    train("part", PAIRS + " --last-step 5 --checkpoint-every 5");
    RunDirectory resumed = resume("part", "--last-step 8");
    assertEquals(
        whole.read().ending().parametersSha256(), resumed.read().ending().parametersSha256());
  }

  @Test
  void oneNodeIsEnough() throws IOException {
    String two = PAIRS.replace("--workers 5", "--workers 2");
    String faults = " --last-step 6 --inject kill:rank=2,step=3";
    assertEquals(List.of(16L), lastSamples(train("run", two + faults)));
  }

  /**
   * A pair waits for the slower one, and for one message; what the observer is sent takes no time.
   */
  @Test
  void roundsTakeTheTimeOfLocalStepsAndOneMessage() throws IOException {
    String four = PAIRS.replace("--workers 5", "--workers 4 --speed 1,1,1,0.5");
    List<StepRecord> steps = stepRecords(train("run", four + " --latency 0.001 --last-step 4"));
    for (int i = 0; i < 4; i++) {
      assertEquals((2 * 8 * 0.02 + 0.001) * (i + 1), steps.get(i).time(), 1e-8);
    }
  }

  @Test
  void twoLossesThatCutTheRingEndTheRun() throws IOException {
    String faults = " --last-step 9 --inject kill:rank=2,step=3;kill:rank=4,step=6";
    RunDirectory run = train("run", RING + faults, ExitCode.TOO_FEW_WORKERS);
    assertEquals(5, stepRecords(run).size());
    String cause = Files.readString(directory.resolve("run").resolve("run.json"));
    assertTrue(cause.contains("--graph ring") && cause.contains("ranks 1, 5"), cause);
  }

  /**
   * What the observer is sent takes no time, so that each epoch takes as long as the first one: its
   * computation, and three rounds of a latency and two transmissions.
   */
  @Test
  void observationTakesNoTime() throws IOException {
    String links = " --latency 0.001 --bandwidth 1e9 --consensus-rounds 3 --last-step 4";
    List<StepRecord> steps = stepRecords(train("run", RING + links));
    List<StepRecord> free = stepRecords(train("free", RING + " --last-step 4"));
    double round = steps.get(0).time() - free.get(0).time();
    for (int i = 0; i < 4; i++) {
      assertEquals(0.08 * (i + 1), free.get(i).time(), 1e-9);
      assertEquals((0.08 + round) * (i + 1), steps.get(i).time(), 1e-8);
    }
    assertTrue(round > 0.003 && round < 0.006, "seconds of three rounds: " + round);
  }

  @Test
  void allProblemsAreNamedAtOnce() {
    String command =
        "toy amb-graph rms 8 --workers 7 --graph hypercube --amb-time-limit auto"
            + " --amb-num-partitions 2 --clip-norm 1 --codec topk+ef --downlink-codec int8";
    var wrong = assertThrows(UsageException.class, () -> train("run", command, ExitCode.USAGE));
    for (String option : List.of("--graph hypercube", "--amb-time-limit")) {
      assertTrue(wrong.getMessage().contains(option), wrong.getMessage());
    }
    String codecs = command.replace("hypercube", "ring").replace("auto", "1");
    var others = assertThrows(UsageException.class, () -> train("run", codecs, ExitCode.USAGE));
    for (String option :
        List.of("dual-averaging", "--clip-norm", "--codec topk+ef", "--downlink-codec")) {
      assertTrue(others.getMessage().contains(option), others.getMessage());
    }
  }
}
