package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.ExitCode;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.scheme.Schemes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Faults so late that training ends before they are noticed, or while the others are informed of
 * the end. The run then has all its steps, each once, and ends as without a fault. Hundreds of
 * runs: not in the unit tier.
 */
@Tag("lab")
class LateFaultsTest {
  private static final int LAST = 12;

  private static final String CLUSTER =
      " --network logistic-regression --engine sim --workers 3 --cost-per-example 0.02"
          + " --induce 0.05,0,1 --evaluate last --last-step "
          + LAST;

  /** Additional options of schemes. */
  static final Map<String, String> OPTIONS =
      Map.of(
          "amb", " --amb-time-limit 0.2 --amb-num-partitions 8",
          "amb-dg", " --amb-time-limit 0.2 --amb-num-partitions 8",
          "anytime-sgd", " --amb-time-limit 0.2",
          "fedavg", " --local-epochs 0.003",
          "fedprox", " --local-epochs 0.003",
          "fedbuff", " --local-epochs 0.003",
          "scaffold", " --local-epochs 0.003",
          "k-sync", " --num-aggregate 1",
          "ringmaster", " --delay-threshold 2",
          "ssp", " --staleness 2");

  @TempDir Path directory;

  private static String run(String scheme) {
    String rule = scheme.endsWith("-graph") ? " dual-averaging 16" : " sgd 16";
    return "toy "
        + scheme
        + rule
        + OPTIONS.getOrDefault(scheme.replace("-graph", ""), "")
        + CLUSTER;
  }

  /**
   * Every scheme, and every fault of a worker that ends a generation. But coded cannot do the last
   * step without a worker that is removed at once.
   */
  static Stream<Arguments> lateFaults() {
    return Schemes.ALL.all().stream()
        .map(Schemes.Entry::name)
        .filter(scheme -> !scheme.equals("sync"))
        .flatMap(
            scheme ->
                Stream.of("kill", "stall", "drop-message", "late-message", "corrupt-message")
                    .filter(fault -> !scheme.equals("coded") || !fault.equals("corrupt-message"))
                    .map(fault -> Arguments.of(scheme, fault)));
  }

  /**
   * Workers are informed after the last evaluation: before the fault is noticed, or later. Two of
   * the four ends, that differ in both, and the other two for every other case.
   */
  @ParameterizedTest
  @MethodSource("lateFaults")
  void aFaultAtTheEndCostsNoStep(String scheme, String fault) throws IOException {
    int one = Math.floorMod((scheme + fault).hashCode(), 2);
    endsWhole(scheme, fault, "0", LAST - one);
    endsWhole(scheme, fault, "0.02", LAST - 1 + one);
  }

  private void endsWhole(String scheme, String fault, String evaluation, int step)
      throws IOException {
    String command =
        run(scheme)
            + (" --cost-per-test-example " + evaluation)
            + (" --inject " + fault + ":rank=1,step=" + step);
    assertWhole(train("step-" + step + "-" + evaluation, command), command);
  }

  /** Workers that exchange slices wait for each other, too. Slices take time on their links. */
  @ParameterizedTest
  @CsvSource({
    "kill, fmb",
    "kill, amb",
    "kill, fmb --codec topk:0.1+ef+min=1",
    "drop-message, fmb --codec qsgd:4+ef+min=1",
    "stall, fmb",
    "drop-message, fmb",
    "drop-message, amb",
    "late-message, fmb",
    "duplicate-message, fmb",
    "corrupt-message, fmb",
    "wrong-kind, fmb"
  })
  void aFaultCostsNoStepOfSlices(String fault, String scheme) throws IOException {
    for (int step : new int[] {4, LAST - 1, LAST}) {
      String slices = " --topology sliced --bandwidth 1e5 --latency 0.001";
      String codec = scheme.replaceFirst("^\\w+", "");
      String command = run(scheme.split(" ")[0]) + codec + slices;
      command += " --inject " + fault + ":rank=2,step=" + step;
      RunDirectory run = train("step-" + step, command);
      assertWhole(run, command);
      if (scheme.equals("fmb") && !fault.equals("kill") && !fault.equals("stall")) {
        RunDirectory star = train("star-" + step, run(scheme));
        assertEquals(
            star.read().ending().parametersSha256(), run.read().ending().parametersSha256());
      }
    }
  }

  /**
   * Without gradients there are no checkpoints to resume from; steps are done once all the same.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "kill:rank=1,step=4",
        "drop-message:rank=1,step=4",
        "kill:rank=1,step=4 --respawn 1 --dead-after 0.5",
        "kill:rank=1,step=11",
        "drop-message:rank=3,step=11"
      })
  void timingAloneContinuesAfterTheLastStep(String fault) throws IOException {
    for (String scheme : List.of("fmb", "fmb --topology sliced", "async", "amb-dg", "local-sgd")) {
      String none = " --gradients none --parameters 1000 --inject ";
      RunDirectory run = train(scheme, run(scheme) + none + fault);
      assertEquals(LongStream.rangeClosed(1, LAST).boxed().toList(), steps(run), scheme);
      assertEquals(LAST, run.read().ending().steps(), scheme);
    }
  }

  /** The master needs only the last parameters, and no workers. */
  @ParameterizedTest
  @ValueSource(strings = {"async", "ssp", "k-sync", "amb-dg"})
  void noWorkersAreTooFewWhenTrainingIsOver(String scheme) throws IOException {
    String faults = " --min-workers 3 --inject kill:rank=1,step=9;kill:rank=3,step=12";
    RunDirectory run = train("run", run(scheme) + faults);
    assertWhole(run, scheme);
  }

  @Test
  void workersMayAllDieInTheLastStep() throws IOException {
    String faults = "kill:rank=1,step=12;stall:rank=2,step=12;kill:rank=3,step=12";
    RunDirectory run = end(ExitCode.ALL_WORKERS_LOST, "run", run("fmb") + " --inject " + faults);
    assertEquals(LongStream.range(1, LAST).boxed().toList(), steps(run));
    assertNotNull(run.read().ending().parametersSha256());
  }

  /** The replacement joins after any of the steps, including the last one, or after training. */
  @Test
  void aReplacementMayComeWhenTrainingIsOver() throws IOException {
    Set<Long> joined = new TreeSet<>();
    for (int tenths = 1; tenths <= 60; tenths += 6) {
      String command = run("fmb") + " --respawn 1 --dead-after " + tenths / 10.0;
      RunDirectory run = train("run-" + tenths, command + " --inject kill:rank=2,step=7");
      assertWhole(run, command);
      LogRecord.of(MembershipRecord.class, run.masterRecords()).stream()
          .filter(membership -> membership.workers().contains(2))
          .forEach(membership -> joined.add(membership.step()));
    }
    assertTrue(joined.contains((long) LAST), joined.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"async", "k-sync", "amb-dg"})
  void suchARunIsTheSameAgain(String scheme) throws IOException {
    String faults =
        "kill:rank=1,step=4;kill:rank=2,step=10;drop-message:rank=3,step=11 --dead-after 0.5"
            + " --respawn 2";
    RunDirectory first = train("first", run(scheme) + " --inject " + faults);
    RunDirectory second = train("second", run(scheme) + " --inject " + faults);
    assertWhole(first, scheme);
    assertEquals(Files.readString(first.masterLog()), Files.readString(second.masterLog()));
    assertEquals(
        first.read().ending().parametersSha256(), second.read().ending().parametersSha256());
  }

  private RunDirectory train(String name, String command) throws IOException {
    return end(0, name, command);
  }

  private RunDirectory end(int code, String name, String command) throws IOException {
    Path path = directory.resolve(name);
    List<String> arguments = new ArrayList<>(Arrays.asList(command.split(" ")));
    arguments.addAll(List.of("--run-directory", path.toString()));
    int found = new TrainCommand().run(arguments);
    RunDirectory run = new RunDirectory(path);
    assertEquals(code, found, command + ": " + run.read().ending().cause());
    return run;
  }

  private static void assertWhole(RunDirectory run, String what) throws IOException {
    assertEquals(LongStream.rangeClosed(1, LAST).boxed().toList(), steps(run), what);
    assertEquals(LAST, run.read().ending().steps(), what);
    assertNotNull(run.read().ending().parametersSha256(), what);
  }

  private static List<Long> steps(RunDirectory run) throws IOException {
    return run.masterRecords().stream()
        .filter(StepRecord.class::isInstance)
        .map(record -> ((StepRecord) record).step())
        .toList();
  }
}
