package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.record.DropRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import io.github.amb.runtime.checkpoint.CheckpointDirectory;
import io.github.amb.runtime.checkpoint.Origin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.IntRange;

/**
 * On the virtual cluster, a run that was killed and resumed has the bits of one that was not:
 * whatever the scheme, the codec, the links, the interval of checkpoints and the step.
 */
@Tag("system")
class ResumedBitsTest {
  private static final int STEPS = 9;

  private static final List<String> SPEEDS = List.of("1", "0.7", "0.45", "0.3");

  /** Every scheme, with the batch size after the update rule. */
  private static final List<String> SCHEMES =
      List.of(
          "fmb adm 8",
          "amb mom 8 --amb-time-limit auto --amb-num-partitions 4",
          "amb mom 8 --amb-time-limit auto:accuracy --amb-num-partitions 4",
          "k-sync rms 8 --num-aggregate 1",
          "async mom 8",
          "async sgd 8 --gradients-per-update 3",
          "ssp sgd 8 --staleness 1",
          "dcasgd sgd 8",
          "dcasgd sgd 8 --dcasgd-mode adaptive",
          "amb-dg sgd 8 --amb-time-limit 0.1 --amb-num-partitions 8 --async-master-batch-min 2",
          "amb-dg sgd 8 --amb-time-limit 0.1 --amb-num-partitions 8 --async-master time"
              + " --async-master-time-limit 0.07 --async-delay-std 0.05",
          "fmb-dg adm 8 --async-master-batch-min 2 --async-delay-std 0.05",
          "local-sgd sgd 8 --local-steps 2",
          "diloco adm 8 --local-steps 2",
          "streaming-diloco adm 8 --local-steps 6",
          "decoupled-diloco sgd 8 --local-steps 6 --overlap 2 --quorum 1",
          "async-diloco adm 8 --local-steps 4",
          "anytime-sgd rms 8 --amb-time-limit 0.1",
          "esync mom 8 --esync-partitions 4",
          "fedavg adm 8 --local-epochs 0.01 --client-fraction 0.6",
          "fedbuff sgd 8 --local-epochs 0.01 --buffer-size 3 --dispatch 2",
          "scaffold sgd 8 --local-epochs 0.01 --client-fraction 0.6",
          "fedcompass sgd 8 --local-steps-min 2 --local-steps-max 6",
          "coded rms 8 --coded-stragglers 1",
          "ringmaster sgd 8 --delay-threshold 2 --outdated restart --restart-partitions 4",
          "rennala mom 8 --gradients-per-update 2",
          "malenia sgd 8 --outdated restart",
          "ringleader sgd 8",
          "ia2sgd adm 8",
          "rescaled-asgd sgd 8",
          "amb-graph dual-averaging 8 --amb-time-limit 0.1 --amb-num-partitions 4"
              + " --consensus-time 0.05",
          "fmb-graph dual-averaging 8 --graph complete --consensus-rounds 2",
          "noloco adm 8 --local-steps 2");

  private static final List<String> LINKS =
      List.of(
          "",
          " --latency 0.03 --bandwidth 1e7 --induce cedar",
          " --latency 0.03 --cost-per-parameter 1e-6 --cost-per-encoded-entry 1e-6"
              + " --evaluate background --evaluate-every 2"
              + " --lrate-schedule plateau:patience=1,factor=0.5");

  private static final List<String> CODECS =
      List.of(
          "",
          " --codec topk:0.1+ef+min=1 --downlink-codec topk:0.2+min=1",
          " --codec topk:0.1+ef21+min=1+after=2",
          " --codec adacomp:0.1+min=1",
          " --codec powersgd:2+ef+min=1",
          " --codec qsgd:4+min=1 --downlink-codec qsgd:8+min=1");

  /** A command line but for its steps and checkpoints. */
  @Provide
  Arbitrary<String> runs() {
    return Arbitraries.of(SCHEMES)
        .flatMap(
            scheme ->
                Arbitraries.of(LINKS)
                    .flatMap(
                        links ->
                            Arbitraries.of(CODECS)
                                .map(codec -> scheme + links + fitting(codec, scheme))));
  }

  /** A codec that the scheme does not reject. */
  private static String fitting(String codec, String scheme) {
    if (scheme.contains("-graph ")) {
      return codec.contains("qsgd") ? " --codec qsgd:4+min=1" : "";
    }
    boolean changes = scheme.matches("(local-sgd|.*diloco|anytime-sgd|esync|fed.*) .*");
    boolean exact = scheme.matches("(dcasgd|coded|scaffold|noloco) .*");
    return exact || changes && codec.contains("adacomp") ? "" : codec;
  }

  @Tag("lab")
  @Property(tries = 24, shrinking = ShrinkingMode.OFF)
  void resumedRunHasTheBitsOfAWholeOne(
      @ForAll("runs") String run,
      @ForAll @IntRange(min = 2, max = 4) int workers,
      @ForAll @IntRange(min = 1, max = 3) int interval,
      @ForAll @IntRange(min = 1, max = STEPS - 1) int killed)
      throws IOException {
    Path directory = Files.createTempDirectory("resumed-bits");
    try {
      String command =
          "toy %s --network logistic-regression --test-size 50 --engine sim --workers %d --cost-per-example 0.02 --speed %s"
              .formatted(run, workers, String.join(",", SPEEDS.subList(0, workers)));
      RunDirectory whole = train(directory.resolve("whole"), command, STEPS, "");
      String checkpoints = " --checkpoint-every " + interval + " --checkpoint-keep 9";
      RunDirectory part = train(directory.resolve("killed"), command, STEPS, checkpoints);
      killAfter(killed, part);
      train("--resume", part.path().toString(), "--last-step", String.valueOf(STEPS));
      assertEquals(
          whole.read().ending().parametersSha256(), part.read().ending().parametersSha256());
      assertEquals(records(whole), records(part));
    } finally {
      remove(directory);
    }
  }

  /** In its fourth step results come before the master sends anything. */
  @Tag("lab")
  @Example
  void aStepWithoutSendingHasNoTimeOfTheStepBefore() throws IOException {
    String links = LINKS.get(1) + CODECS.get(1);
    resumedRunHasTheBitsOfAWholeOne(
        "fedbuff sgd 8 --local-epochs 0.01 --buffer-size 3 --dispatch 2" + links, 2, 3, 4);
  }

  /** At such a rate no update changes a test, so the first one alone is an improvement. */
  @Example
  void patienceAndPlateausContinueInAResumedRun() throws IOException {
    Path directory = Files.createTempDirectory("resumed-patience");
    String command =
        "toy fmb sgd 8 --network logistic-regression --weight-decay 0 --learning-rate 1e-30"
            + " --init normal --lrate-schedule plateau:patience=2,factor=0.5 --patience 6"
            + " --evaluate blocking --engine sim --workers 2 --cost-per-example 0.02";
    try {
      RunDirectory whole = train(directory.resolve("whole"), command, STEPS, "");
      List<Double> rates = rates(whole);
      assertEquals("6 tests in a row have brought no improvement", whole.read().ending().cause());
      List<Double> expected = new ArrayList<>();
      for (int plateaus : new int[] {0, 0, 0, 1, 1, 2, 2}) {
        expected.add(1e-30 * Math.pow(0.5, plateaus));
      }
      assertEquals(expected, rates);
      for (int killed = 1; killed < 7; killed++) {
        Path path = directory.resolve("killed-" + killed);
        RunDirectory part =
            train(path, command, STEPS, " --checkpoint-every 1 --checkpoint-keep 9");
        killAfter(killed, part);
        train("--resume", path.toString(), "--last-step", "" + STEPS, "--patience", "6");
        assertEquals(expected, rates(part), "killed after step " + killed);
      }
    } finally {
      remove(directory);
    }
  }

  private static List<Double> rates(RunDirectory run) throws IOException {
    return LogRecord.of(StepRecord.class, run.masterRecords()).stream()
        .map(StepRecord::learningRate)
        .toList();
  }

  private static RunDirectory train(Path path, String command, int steps, String more)
      throws IOException {
    train(
        (command + more + " --last-step " + steps + " --run-directory " + path)
            .replaceAll(" +", " ")
            .split(" "));
    return new RunDirectory(path);
  }

  private static void train(String... arguments) throws IOException {
    assertEquals(0, new TrainCommand().run(new ArrayList<>(Arrays.asList(arguments))));
  }

  /** Leaves what a run has written that was killed before it wrote its next checkpoint. */
  private static void killAfter(int step, RunDirectory run) throws IOException {
    List<Long> steps = new CheckpointDirectory(run.checkpoints(), Origin.ANY).steps();
    for (long later : steps) {
      if (later > step && later > steps.get(0)) {
        remove(run.checkpoints().resolve("step-%09d".formatted(later)));
      }
    }
  }

  private static void remove(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** All records up to the last update. What comes later is no longer used. */
  private static List<String> records(RunDirectory run) throws IOException {
    return run.masterRecords().stream()
        .filter(record -> !(record instanceof DropRecord late && late.step() == STEPS))
        .map(LogRecord::toString)
        .toList();
  }
}
