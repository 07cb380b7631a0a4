package io.github.amb.runtime.experiment;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.scheme.context.Budget;
import io.github.amb.runtime.config.ConfigFile;
import io.github.amb.runtime.config.PlacedValue;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.console.StatusLine;
import io.github.amb.runtime.lock.RunLock;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentRunsTest {
  private static final String DIVERGED = "loss is NaN; training has diverged";

  @TempDir Path folder;
  private final List<List<String>> started = new ArrayList<>();
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  /** The last line of a run's output. */
  private String said = "amb: the disk is full";

  private static Settings settings(String... options) {
    Map<String, PlacedValue> placed = new HashMap<>();
    List<String> problems = new ArrayList<>();
    for (int i = 0; i < options.length; i += 2) {
      placed.put(options[i], new PlacedValue("f line 1", options[i + 1], null, null));
    }
    Settings settings = ConfigFile.options(placed, problems);
    assertEquals(List.of(), problems);
    return settings;
  }

  private ExperimentRun run(long seed, Map<String, String> data, String... more) {
    return run(seed, data, Map.of(), more);
  }

  private ExperimentRun run(
      long seed, Map<String, String> data, Map<String, String> program, String... more) {
    Settings settings =
        settings(more).over(settings("data-set", "toy", "scheme", "fmb", "batch-size", "8"));
    ExperimentVariant variant = new ExperimentVariant(Map.of("scheme", "fmb"), settings);
    return ExperimentRun.of(variant, seed, data, program, folder);
  }

  private ExperimentRun run(long seed) {
    return run(seed, Map.of());
  }

  private static void describe(RunDirectory run, RunInfo.Ending ending) throws IOException {
    describe(run, Map.of(), ending);
  }

  private static void describe(RunDirectory run, Map<String, String> data, RunInfo.Ending ending)
      throws IOException {
    Files.createDirectories(run.path());
    run.write(new RunInfo(2, "r", "", null, Map.of("a", 1), 1, null, data, ending));
  }

  private static RunInfo.Ending ending(int code, String cause) {
    return new RunInfo.Ending(code, cause, 1, 1, null);
  }

  /** Notes what is started, and ends each run with a code. */
  private ExperimentRuns.Starter starter(int code) {
    return (arguments, log) -> {
      synchronized (started) {
        started.add(arguments);
      }
      Files.writeString(log, said + "\n");
      Path path = folder.resolve(Path.of(directory(arguments)).getFileName());
      describe(new RunDirectory(path), ending(code, "done"));
      return ExperimentRuns.Started.alone(new EndedProcess(code));
    };
  }

  private static String directory(List<String> arguments) {
    return arguments.get(1).startsWith("--resume=")
        ? arguments.get(1).substring("--resume=".length())
        : arguments.get(arguments.indexOf("--run-directory") + 1);
  }

  private List<String> make(int code, ExperimentRun... runs) throws Exception {
    PrintStream out = new PrintStream(printed, true);
    return new ExperimentRuns(List.of(runs), folder.resolve("logs"), starter(code), out)
        .make(2, true);
  }

  private static String path(ExperimentRun run) {
    return run.directory().path().toString();
  }

  @Test
  void whatWasDoneBeforeDoesNotShortenTheTimeLeft() {
    // Two runs, one of them half done; a quarter of a run takes a minute, and 1.25 are left.
    assertEquals(300, StatusLine.secondsLeft(60, 0.25, 0.375), 1e-9);
    assertEquals(Double.POSITIVE_INFINITY, StatusLine.secondsLeft(60, 0.25, 0.25));
  }

  @Test
  void onlyWhatIsMissingIsMade() throws Exception {
    describe(run(1).directory(), ending(0, "done"));

    assertEquals(List.of(), make(0, run(1), run(2)));
    assertEquals(1, started.size());
    assertEquals(path(run(2)), directory(started.get(0)));

    make(0, run(1), run(2));
    assertEquals(1, started.size());
  }

  @Test
  void anInterruptedRunIsResumedFromItsCheckpoint() throws Exception {
    describe(run(1).directory(), ending(130, "stopped from outside"));
    Files.createDirectories(run(1).directory().checkpoints().resolve("step-000000020"));

    make(0, run(1));

    assertEquals(List.of(List.of("train", "--resume=" + path(run(1)))), started);
  }

  @Test
  void aRunKilledBeforeACheckpointStartsOver() throws Exception {
    describe(run(1).directory(), null);
    Path left = Files.writeString(run(1).directory().masterLog(), "");

    make(0, run(1));

    assertEquals(run(1).start(), started.get(0));
    assertTrue(Files.notExists(left));
  }

  @Test
  void aRunThatIsBeingWrittenIsLeftAsItIs() throws Exception {
    RunDirectory run = run(1).directory();
    Files.createDirectories(run.path());
    try (RunLock lock = RunLock.training(run)) {
      Path log = Files.writeString(lock.run().masterLog(), "");

      List<String> failures = make(0, run(1), run(2));

      assertEquals(1, failures.size());
      assertTrue(
          failures.get(0).contains("expected a run that no other process writes to"),
          failures.get(0));
      assertTrue(Files.exists(log));
      assertEquals(List.of(run(2).start()), started);
    }
  }

  @Test
  void anUnreadableRunIsAFailureOfItsOwn() throws Exception {
    RunDirectory run = run(1).directory();
    Files.createDirectories(run.path());
    Files.writeString(run.info(), "{");

    List<String> failures = make(0, run(1), run(2));

    assertEquals(1, failures.size());
    assertTrue(
        failures.get(0).startsWith("fmb, seed 1: " + run.info() + " line 1: expected "),
        failures.get(0));
    assertTrue(failures.get(0).endsWith("; move " + run.path() + " away"), failures.get(0));
    assertEquals("{", Files.readString(run.info()));
    assertTrue(printed.toString().contains("1 of 2 runs done, 1 failed\n"), printed.toString());
  }

  @Test
  void runsOfOtherOptionsAreCounted() throws Exception {
    describe(run(7).directory(), ending(0, "done"));
    ByteArrayOutputStream text = new ByteArrayOutputStream();

    new ExperimentRuns(
            List.of(run(1)), folder.resolve("logs"), starter(0), new PrintStream(text, true))
        .make(1, true);

    assertEquals(
        "ignored: 1 runs of the directory, whose options, data or build of AMB differ",
        text.toString().lines().skip(1).findFirst().orElseThrow());
  }

  @Test
  void aRunThatDivergedIsNotRepeated() throws Exception {
    describe(run(1).directory(), ending(1, DIVERGED));

    assertEquals(List.of(), make(0, run(1)));
    assertEquals(List.of(), started);
  }

  @Test
  void aRunThatFailsIsReportedWithItsLastLine() throws Exception {
    List<String> failures = make(3, run(1));

    assertEquals(1, failures.size());
    assertTrue(
        failures.get(0).startsWith("fmb, seed 1: exit code 3: amb: the disk is full; see "),
        failures.get(0));
    assertTrue(printed.toString().contains(failures.get(0) + "\n"), printed.toString());
  }

  @Test
  void aRunWithoutMemorySaysWhatToChange() throws Exception {
    said = "Terminating due to java.lang.OutOfMemoryError: Java heap space";

    String failure = make(3, run(1)).get(0);

    assertTrue(failure.contains(said + "; raise heap in the experiment's file; see "), failure);
  }

  @Test
  void aRunThatEndsIsSaidToBeDone() throws Exception {
    make(0, run(1));

    assertTrue(printed.toString().contains("fmb, seed 1: done\n"), printed.toString());
  }

  @Test
  void onlyRunsThatAreDoneHaveNumbers() throws Exception {
    RunMeasure time =
        new RunMeasure("time", RunQuantity.TIME, Double.NaN, Double.NaN, "", 1, 1, 0, 0, false);
    ExperimentRun run = run(1);
    Experiment experiment =
        new Experiment(
            new Experiment.About("e", "", "", ""),
            "1g",
            List.of(run.variant()),
            List.of(1L),
            List.of(time),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            Budget.NONE,
            null);
    describe(run.directory(), ending(130, "stopped from outside"));
    Files.writeString(
        run.directory().masterLog(),
        """
        {"type":"step","time":7.5,"step":2,"loss":0.9,"learning_rate":0.1,"num_samples":8,\
        "total_samples":16,"update_time":0.0,"send_time":0.0,"bytes_sent":0,"bytes_received":0}
        """);
    assertArrayEquals(
        new double[] {Double.NaN},
        ExperimentResults.read(experiment, List.of(run)).of(time, run.variant()));

    describe(run.directory(), ending(1, DIVERGED));
    ExperimentResults diverged = ExperimentResults.read(experiment, List.of(run));
    assertArrayEquals(new double[] {Double.NaN}, diverged.of(time, run.variant()));
    assertEquals("diverged, 1 of 1", diverged.undone(run.variant()));
    assertEquals(
        "point,seed,time,state\nfmb,1,,diverged\n",
        ExperimentData.csv(experiment, diverged).replaceFirst("[a-z]+,seed", "point,seed"));

    describe(run.directory(), ending(0, "done"));
    assertArrayEquals(
        new double[] {7.5},
        ExperimentResults.read(experiment, List.of(run)).of(time, run.variant()));
  }

  @Test
  void anotherOptionDataSetOrProgramIsAnotherRun() {
    assertNotEquals(path(run(1)), path(run(2)));
    assertNotEquals(path(run(1)), path(run(1, Map.of(), Map.of("amb", "2"))));
    assertNotEquals(path(run(1)), path(run(1, Map.of("images", "abc"))));
    assertNotEquals(path(run(1)), path(run(1, Map.of(), "learning-rate", "0.1")));
  }

  @Test
  void aRunOfAnotherBuildCountsOnRequest() throws Exception {
    ExperimentRun older = run(1, Map.of(), Map.of("amb", "1"));
    assertEquals(path(run(1)), path(run(1).orOfAnotherBuild()));
    describe(older.directory(), ending(130, "stopped from outside"));
    assertEquals(path(run(1)), path(run(1).orOfAnotherBuild()));
    describe(older.directory(), ending(0, "done"));
    assertEquals(path(older), path(run(1).orOfAnotherBuild()));

    assertEquals(path(run(2)), path(run(2).orOfAnotherBuild()));
    ExperimentRun otherData = run(1, Map.of("images", "abc"));
    assertEquals(path(otherData), path(otherData.orOfAnotherBuild()));
    describe(run(1).directory(), ending(0, "done"));
    assertEquals(path(run(1)), path(run(1).orOfAnotherBuild()));
  }

  @Test
  void namesNotesAndPagesMakeNoOtherRun() {
    String[] options = {
      "name",
      "a",
      "tag",
      "b",
      "note",
      "c",
      "progress",
      "json",
      "dashboard",
      "1",
      "metrics-port",
      "2"
    };

    assertEquals(path(run(1)), path(run(1, Map.of(), options)));
  }

  @Test
  void checkpointsAndPlacesMakeNoOtherRun() {
    ExperimentRun other =
        run(1, Map.of(), "checkpoint-every", "20", "data-dir", "/data", "log-freq", "9");

    assertEquals(path(run(1)), path(other));
  }

  @Test
  void aReportDescribesRunsThatAreDone() throws IOException {
    describe(run(1).directory(), Map.of("file 1", "checksum"), ending(0, "done"));
    describe(run(2).directory(), Map.of("file 2", "checksum"), ending(143, "interrupted"));

    RecordedRuns recorded = RecordedRuns.read(List.of(run(1), run(2)));

    assertEquals(Map.of("file 1", "checksum"), recorded.data());
  }
}
