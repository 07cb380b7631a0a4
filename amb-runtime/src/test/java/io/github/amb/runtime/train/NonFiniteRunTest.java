package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import io.github.amb.models.network.Networks;
import io.github.amb.runtime.checkpoint.Checkpoint;
import io.github.amb.runtime.checkpoint.CheckpointDirectory;
import io.github.amb.runtime.checkpoint.Origin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs in which results are not finite. */
@Tag("lab")
class NonFiniteRunTest {
  private static final String CLUSTER =
      " --engine sim --workers 3 --cost-per-example 0.02 --evaluate last";

  @TempDir Path directory;

  private RunDirectory train(int exitCode, String name, String command) throws IOException {
    Path path = directory.resolve(name);
    List<String> arguments = new ArrayList<>(Arrays.asList(command.split(" ")));
    arguments.addAll(List.of("--run-directory", path.toString()));
    assertEquals(exitCode, new TrainCommand().run(arguments));
    return new RunDirectory(path);
  }

  private static String cause(RunDirectory run) throws IOException {
    return run.read().ending().cause();
  }

  /** The checkpoint equals that of a run that ends normally with the step before. */
  @ParameterizedTest
  @CsvSource({
    "fmb adm 16, ', examples 80 to 95 of its order'",
    "fmb adm 16 --codec int8, ', examples 80 to 95 of its order'",
    "amb rms 16 --amb-time-limit 0.2 --amb-num-partitions 8, ', examples 50 to 59 of its order'",
    "diloco sgd 16 --local-steps 3, ', examples 240 to 287 of its order'",
    "coded rms 16, ''",
    "k-sync adm 16 --num-aggregate 3, ', examples 80 to 95 of its order'"
  })
  void trainingResumesFromTheLastGoodStep(String scheme, String batch) throws IOException {
    String command = "toy " + scheme + CLUSTER + " --last-step ";
    RunDirectory bad = train(1, "bad", command + "9 --inject nan:rank=2,step=6");
    assertTrue(
        cause(bad)
            .matches(
                "step 6: gradient of rank 2"
                    + batch
                    + ", block conv1.b, entry 0: expected a finite number, found NaN; training has diverged, try a smaller learning rate, or drop"
                    + " such results with --non-finite drop"),
        cause(bad));
    RunDirectory good = train(0, "good", command + 5);
    Checkpoint last = new CheckpointDirectory(good.checkpoints(), Origin.ANY).open(5);
    Checkpoint saved =
        new CheckpointDirectory(bad.checkpoints(), Origin.ANY).latest(told -> {}).orElseThrow();
    assertEquals(5, saved.step());
    assertSameState(last, saved);
    assertEquals(0, resume(bad, "--last-step 9"));
    assertEquals(9, bad.read().ending().steps());
    RunDirectory whole = train(0, "whole", command + 9);
    assertEquals(whole.read().ending().parametersSha256(), bad.read().ending().parametersSha256());
  }

  /**
   * Equal except for the time and the traffic, which include the failed step, and the state of the
   * virtual cluster, which a run with faults does not keep.
   */
  private static void assertSameState(Checkpoint expected, Checkpoint found) throws IOException {
    Map<String, Object> state = withoutCosts(expected);
    state.keySet().removeIf(name -> name.startsWith("cluster/") || name.startsWith("round-links/"));
    Map<String, Object> other = withoutCosts(found);
    assertEquals(state.keySet(), other.keySet());
    state.forEach(
        (name, value) ->
            assertTrue(
                Arrays.deepEquals(new Object[] {value}, new Object[] {other.get(name)}), name));
  }

  private static Map<String, Object> withoutCosts(Checkpoint checkpoint) throws IOException {
    Map<String, Object> state = new LinkedHashMap<>(checkpoint.master().entries());
    state.keySet().removeIf(name -> name.equals("progress/seconds") || name.startsWith("traffic/"));
    return state;
  }

  private static int resume(RunDirectory run, String more) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("--resume", run.path().toString()));
    arguments.addAll(Arrays.asList(more.split(" ")));
    return new TrainCommand().run(arguments);
  }

  /** Results that are older than the parameters are found in a later step. */
  @ParameterizedTest
  @ValueSource(strings = {"async adm 16", "dcasgd sgd 16", "fmb-dg adm 16"})
  void asynchronousTrainingResumesFromItsLastGoodStep(String scheme) throws IOException {
    String command = "toy " + scheme + CLUSTER + " --last-step 30";
    RunDirectory run = train(1, "run", command + " --inject nan:rank=2,step=8");
    Checkpoint saved =
        new CheckpointDirectory(run.checkpoints(), Origin.ANY).latest(told -> {}).orElseThrow();
    assertTrue(
        cause(run)
            .matches(
                "step %d: gradient of rank 2, examples \\d+ to \\d+ of its order, .*"
                    .formatted(saved.step() + 1)),
        cause(run));
    assertEquals(saved.step(), run.read().ending().steps());
    assertEquals(0, resume(run, "--last-step 30"));
  }

  @Test
  void trainingInOneProcessSavesItsLastGoodStep() throws IOException {
    RunDirectory run =
        train(1, "run", "toy fmb sgd 16 --workers 0 --learning-rate 1e30 --last-step 5");
    assertTrue(cause(run).startsWith("step 2: "), cause(run));
    assertEquals(
        1,
        new CheckpointDirectory(run.checkpoints(), Origin.ANY)
            .latest(told -> {})
            .orElseThrow()
            .step());
  }

  /** Otherwise the run would end successfully with a network that guesses. */
  @ParameterizedTest
  @ValueSource(
      strings = {"fmb sgd 16 --workers 0", "fmb sgd 16" + CLUSTER, "local-sgd sgd 16" + CLUSTER})
  void nonFiniteInitialParametersAreRejected(String scheme) throws IOException {
    Path network = directory.resolve("nan.json");
    String json = Networks.json("toy-conv");
    String bad = json.replaceFirst("\"biasInit\" : [0-9.E-]+", "\"biasInit\" : \"NaN\"");
    assertNotEquals(json, bad);
    Files.writeString(network, bad);
    RunDirectory run = train(1, "run", "toy " + scheme + " --last-step 5 --network " + network);
    assertEquals(
        "parameters before step 1, block conv1.b, entry 0: expected a finite number, found NaN;"
            + " begin with finite ones, as in the file that --network names",
        cause(run));
  }

  /** A checkpoint of the overflowed parameters would be useless; the one before is not. */
  @ParameterizedTest
  @CsvSource({"fmb, 0", "async, 0", "coded, 0", "diloco, [1-3]"})
  void parametersThatOverflowAreNotSaved(String scheme, String rank) throws IOException {
    String command = "toy " + scheme + " sgd 16 --learning-rate 1e39 --last-step 5";
    RunDirectory run = train(1, "run", command + CLUSTER);
    assertTrue(
        cause(run)
            .matches(
                "step 1: parameters of rank "
                    + rank
                    + " after the update, block \\S+, entry \\d+: expected a finite number, found \\S+; training has diverged, try a smaller learning rate"),
        cause(run));
    assertEquals(List.of(), new CheckpointDirectory(run.checkpoints(), Origin.ANY).steps());
  }

  /** In one process, and with local steps, no master can drop a result. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "fmb" + CLUSTER,
        "fmb --codec int8" + CLUSTER,
        "local-sgd --local-steps 3" + CLUSTER,
        "fmb --workers 0"
      })
  void trainingThatHasDivergedEndsThoughResultsAreDropped(String scheme) throws IOException {
    RunDirectory run =
        train(
            1,
            "run",
            "toy "
                + scheme.replaceFirst(" ", " sgd 16 ")
                + " --learning-rate 1e30 --non-finite drop --last-step 50");
    assertEquals(
        "step 11: expected a finite result in 10 steps, found none; training has diverged,"
            + " try a smaller learning rate",
        cause(run));
    assertEquals(
        11,
        new CheckpointDirectory(run.checkpoints(), Origin.ANY)
            .latest(told -> {})
            .orElseThrow()
            .step());
  }

  /** Dropping exists for a single worker whose results are never finite. */
  @Test
  void oneWorkerWithoutResultsDoesNotEndTheRun() throws IOException {
    StringBuilder faults = new StringBuilder("nan:rank=2,step=1");
    for (int step = 2; step <= 30; step++) {
      faults.append(";nan:rank=2,step=").append(step);
    }
    RunDirectory run =
        train(
            0,
            "run",
            "toy fmb rms 16 --non-finite drop --last-step 30 --inject " + faults + CLUSTER);
    assertTrue(
        run.masterRecords().stream()
            .filter(StepRecord.class::isInstance)
            .allMatch(step -> ((StepRecord) step).numSamples() == 32));
  }

  /** Otherwise a resumed run would have one empty step too many before it ends. */
  @Test
  void aCheckpointCountsItsOwnEmptyStep() throws IOException {
    RunDirectory run =
        train(
            0,
            "run",
            "toy fmb sgd 16 --non-finite drop --last-step 4 --checkpoint-every 1"
                + " --checkpoint-keep 9 --inject nan:rank=1,step=3;nan:rank=2,step=3;nan:rank=3,step=3"
                + CLUSTER);
    CheckpointDirectory checkpoints = new CheckpointDirectory(run.checkpoints(), Origin.ANY);
    for (int step = 2; step <= 4; step++) {
      long[] empty = (long[]) checkpoints.open(step).master().get("progress/empty");
      assertEquals(step == 3 ? 1 : 0, empty[0], "step " + step);
    }
  }

  /** The count is beyond the limit then. */
  @Test
  void aResumedRunEndsWithItsNextEmptyStep() throws IOException {
    RunDirectory run =
        train(
            1,
            "run",
            "toy fmb sgd 16 --learning-rate 1e30 --non-finite drop --last-step 50" + CLUSTER);
    assertEquals(1, resume(run, "--last-step 50"));
    assertEquals(12, run.read().ending().steps());
  }

  /** What has no examples is not encoded, and the others' results are decoded as ever. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "fmb sgd 16 --codec topk:0.1+ef+min=1+zstd",
        "fmb sgd 16 --codec signsgd",
        "fmb sgd 16 --codec powersgd:1+ef+min=1 --downlink-codec int8",
        "sync sgd 16 --codec dgc:0.1+min=1"
      })
  void aStepWithCodecsIsMadeOfTheOthersResults(String scheme) throws IOException {
    String faults = "nan:rank=1,step=4;nan:rank=2,step=5;nan:rank=3,step=7";
    RunDirectory run =
        train(
            0,
            "run",
            "toy " + scheme + " --non-finite drop --last-step 9 --inject " + faults + CLUSTER);
    assertEquals(
        List.of(48L, 48L, 48L, 32L, 32L, 48L, 32L, 48L, 48L),
        LogRecord.of(StepRecord.class, run.masterRecords()).stream()
            .map(StepRecord::numSamples)
            .toList());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "async sgd 16 --codec adacomp:0.1",
        "dcasgd sgd 16 --codec topk:0.1+ef+min=1",
        "fmb-dg sgd 16 --codec dgc:0.1+min=1",
        "k-sync sgd 16 --num-aggregate 2 --codec onebit+min=1"
      })
  void runsWithCodecsContinueAfterDroppedResults(String scheme) throws IOException {
    String faults = "nan:rank=2,step=4;nan:rank=2,step=5;nan:rank=3,step=6";
    train(
        0,
        "run",
        "toy " + scheme + " --non-finite drop --last-step 40 --inject " + faults + CLUSTER);
  }

  /** What a scheme remembers of results is as if the dropped one had not come. */
  @Test
  void adaptiveCompensationSurvivesADroppedResult() throws IOException {
    train(
        0,
        "run",
        "toy dcasgd sgd 16 --dcasgd-mode adaptive --non-finite drop --last-step 30"
            + " --inject nan:rank=2,step=8"
            + CLUSTER);
  }
}
