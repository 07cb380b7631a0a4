package io.github.amb.runtime.evaluate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.file.NpyArray;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import io.github.amb.runtime.command.Arguments;
import io.github.amb.runtime.command.OptionsCommand;
import io.github.amb.runtime.launch.ParentWatch;
import io.github.amb.runtime.train.TrainCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class EvaluateCommandTest {
  @TempDir Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private RunDirectory run;

  @BeforeEach
  void train() throws IOException {
    run = new RunDirectory(folder.resolve("run"));
    String options =
        "digits fmb rms 16 --workers 0 --network sigmoid-mlp --last-step 3 --evaluate last"
            + " --checkpoint-every 1 --checkpoint-keep 9 --run-directory ";
    assertEquals(0, new TrainCommand().run(List.of((options + run.path()).split(" "))));
  }

  @Test
  void everyCheckpointIsEvaluatedOnce() throws Exception {
    evaluate(run.path().toString());

    List<EvaluationRecord> found = evaluations(run.evaluatorRecords());
    EvaluationRecord last = found.get(found.size() - 1);
    EvaluationRecord own = evaluations(run.masterRecords()).get(0);
    assertEquals(own.step(), last.step());
    assertEquals(own.testLoss(), last.testLoss(), 1e-12);
    assertEquals(own.accuracy(), last.accuracy(), 1e-12);
    assertEquals(own.testSize(), last.testSize());
    StepRecord step = LogRecord.of(StepRecord.class, run.masterRecords()).get(2);
    assertEquals(step.time(), last.time());
    assertEquals(found.size(), out.toString(UTF_8).lines().count());

    String said = out.toString(UTF_8);
    out.reset();
    evaluate(run.path().toString());
    assertEquals(found.size(), run.evaluatorRecords().size());
    assertEquals(said, out.toString(UTF_8), "earlier results are repeated");
  }

  @Test
  void moreThreadsAreSaidAsByTrain() throws Exception {
    RunInfo info = run.read();
    assertEquals(List.of(), EvaluateCommand.notes(info, "1"));
    assertEquals(1, EvaluateCommand.notes(info, "2").size());
    assertEquals(1, EvaluateCommand.notes(info, null).size());
    RunInfo same = info.withConfiguration(Map.of("reproducible", "avx2"));
    assertThrows(UsageException.class, () -> EvaluateCommand.notes(same, "2"));
  }

  @Test
  void anotherNumberOfExamplesIsAnotherTest() throws Exception {
    evaluate(run.path().toString());
    int tests = run.evaluatorRecords().size();

    evaluate(run.path().toString(), "--test-size", "50");
    assertEquals(2 * tests, run.evaluatorRecords().size());
  }

  /** The accuracy of all is the mean of those of the classes, by their examples. */
  @Test
  void scoresByClassAddUpToThoseOfAll() throws Exception {
    evaluate(run.path().toString(), "--by", "class");
    List<EvaluationRecord> found = evaluations(run.evaluatorRecords());
    EvaluationRecord last = found.get(found.size() - 1);
    double right = 0;
    double f1 = 0;
    List<String[]> rows = rows();
    assertEquals(10, rows.size());
    for (String[] row : rows) {
      right += Double.parseDouble(row[1]) * Double.parseDouble(row[2]);
      f1 += row[4].equals("NaN") ? 0 : Double.parseDouble(row[4]) / 10;
    }
    double rounding = 0.5e-4;
    assertEquals(last.accuracy(), right / last.testSize(), rounding);
    assertEquals(last.metrics().get("macro_f1"), f1, rounding);
  }

  @Test
  void scoresByWorkerAddUpToThoseOfTheTrainingExamples() throws Exception {
    evaluate(run.path().toString(), "--by", "worker");
    assertEquals(1, rows().size());
    assertTrue(Integer.parseInt(rows().get(0)[1]) > 1000);
    assertThrows(UsageException.class, () -> evaluate(run.path().toString(), "--by", "label"));
  }

  @Test
  void aRunWithoutAccuracyHasNoneByWorker() throws Exception {
    Path other = folder.resolve("quadratic");
    String command = "quadratic:d=9 fmb sgd 1 --workers 0 --last-step 2 --run-directory " + other;
    assertEquals(0, new TrainCommand().run(List.of(command.split(" "))));
    evaluate(other.toString(), "--by", "worker");
    assertEquals("–", rows().get(0)[3]);
  }

  /** The rows of the table, in words. */
  private List<String[]> rows() {
    return out.toString(UTF_8)
        .lines()
        .map(String::strip)
        .filter(line -> line.matches("\\d+ .*"))
        .map(line -> line.split(" +"))
        .toList();
  }

  @Test
  void aRunWithoutCheckpointsIsRejected() throws Exception {
    for (Path file : files(run.checkpoints())) {
      Files.delete(file);
    }

    UsageException error =
        assertThrows(UsageException.class, () -> evaluate(run.path().toString()));
    assertEquals(
        run.path()
            + ": expected a checkpoint that can be read, found none; train with --checkpoint-every",
        error.getMessage());
  }

  /** Deepest first. */
  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> !file.equals(folder)).sorted(Comparator.reverseOrder()).toList();
    }
  }

  /**
   * A link to nothing is listed, and gone when looked at, as a best checkpoint that is replaced.
   */
  @Test
  void aVanishingCheckpointIsSkipped() throws Exception {
    Path gone = run.checkpoints().resolve("best-000000002");
    Files.createSymbolicLink(gone, run.checkpoints().resolve("gone"));
    evaluate(run.path().toString());
    List<EvaluationRecord> found = evaluations(run.evaluatorRecords());
    assertEquals(
        evaluations(run.masterRecords()).get(0).step(), found.get(found.size() - 1).step());
  }

  @Test
  void oneCheckpointIsEvaluatedOnTheExamplesAskedFor() throws Exception {
    evaluate(run.checkpoints().resolve("step-000000003").toString(), "--test-size", "50");

    EvaluationRecord only = evaluations(run.evaluatorRecords()).get(0);
    assertEquals(3, only.step());
    assertEquals(50, only.testSize());
  }

  @Test
  void watchEndsWithTheRun() throws Exception {
    evaluate("--watch", run.path().toString(), "--poll", "0.01");

    assertTrue(run.evaluatorRecords().size() >= 1);
  }

  @Test
  void watchOfARunThatWasKilledEndsWhenNothingComes() throws Exception {
    run.write(run.read().withEnding(null));

    evaluate("--watch", run.path().toString(), "--poll", "0.01", "--idle-limit", "0.05");

    assertTrue(err.toString(UTF_8).contains("no new checkpoint"), err.toString(UTF_8));
  }

  @Test
  void anEvaluatorOfATrainingWaitsForItsEnd() {
    Arguments none = Arguments.parse(command().options(), List.of());
    Arguments typed = Arguments.parse(command().options(), List.of("--idle-limit", "5"));
    assertEquals(600, EvaluateCommand.idleLimit(none));
    System.setProperty(ParentWatch.PROPERTY, "true");
    try {
      assertEquals(Double.POSITIVE_INFINITY, EvaluateCommand.idleLimit(none));
      assertEquals(5, EvaluateCommand.idleLimit(typed));
    } finally {
      System.clearProperty(ParentWatch.PROPERTY);
    }
  }

  @Test
  void aDamagedCheckpointIsSkipped() throws Exception {
    Path file = run.checkpoints().resolve("step-000000003/parameters.npy");
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 1] ^= 1;
    Files.write(file, bytes);

    evaluate(run.path().toString());

    assertTrue(err.toString(UTF_8).contains("skipped a checkpoint"), err.toString(UTF_8));
    assertTrue(
        evaluations(run.evaluatorRecords()).stream().noneMatch(record -> record.step() == 3));
  }

  @Test
  void aCheckpointOfAnotherRunIsSkipped() throws Exception {
    assertForeign("--network sigmoid-mlp --seed 2", "--seed: expected 1, as in the run, found 2");
    assertForeign("--network lenet", "parameters, as the run's network has, found 431080");
  }

  /** Puts a checkpoint of a run with other options in place of the run's own. */
  private void assertForeign(String options, String message) throws Exception {
    Path other = Files.createTempDirectory(folder, "other").resolve("run");
    String command =
        "digits fmb rms 16 --workers 0 --last-step 3 --evaluate last --test-size 8 %s --run-directory %s"
            .formatted(options, other);
    assertEquals(0, new TrainCommand().run(List.of(command.split(" "))));
    Path checkpoint = run.checkpoints().resolve("step-000000003");
    Files.move(checkpoint, other.resolve("own"));
    Files.move(other.resolve("checkpoints/step-000000003"), checkpoint);
    assertEquals(1, command().run(List.of(checkpoint.toString())));
    String said = err.toString(UTF_8);
    assertTrue(said.startsWith("amb: skipped a checkpoint: " + checkpoint + ": "), said);
    assertTrue(said.strip().endsWith(message), said);
    assertEquals(1, said.lines().count());
    err.reset();
  }

  @Test
  void timesAreThoseOfTheCheckpoints() throws Exception {
    Map<Long, Double> times = new HashMap<>();
    for (StepRecord step : LogRecord.of(StepRecord.class, run.masterRecords())) {
      times.put(step.step(), step.time());
    }
    Files.delete(run.masterLog());

    evaluate(run.path().toString());

    List<EvaluationRecord> tests = evaluations(run.evaluatorRecords());
    assertEquals(3, tests.get(tests.size() - 1).step());
    tests.forEach(test -> assertEquals(times.getOrDefault(test.step(), 0.0), test.time()));
  }

  @Test
  void parametersOfAnotherTypeAreSkipped() throws Exception {
    Path longs = run.checkpoints().resolve("parameters-4.npy");
    try (OutputStream file = Files.newOutputStream(longs)) {
      NpyArray.write(file, new long[] {1, 2});
    }

    evaluate(run.path().toString());

    assertEquals(
        "amb: skipped a checkpoint: " + longs + ": expected floats, found longs",
        err.toString(UTF_8).strip());
  }

  @Test
  void aNumberThatNoStepHasIsNoCheckpoint() throws Exception {
    String number = "9".repeat(20);
    Files.createDirectory(run.checkpoints().resolve("step-" + number));
    Files.createFile(run.checkpoints().resolve("parameters-" + number + ".npy"));

    evaluate(run.path().toString());

    assertEquals("", err.toString(UTF_8));
  }

  @Test
  void lineThatACrashCutShortIsReplaced() throws Exception {
    Files.writeString(run.evaluatorLog(), "{\"type\":\"evalu", StandardOpenOption.CREATE);

    evaluate(run.path().toString());

    assertTrue(run.evaluatorRecords().size() >= 1);
  }

  @Test
  void otherPathsAreExplained() {
    for (String path :
        Stream.of(folder, run.info(), folder.resolve("x")).map(Path::toString).toList()) {
      assertTrue(
          assertThrows(UsageException.class, () -> evaluate(path))
              .getMessage()
              .contains("expected a run directory or a checkpoint"));
    }
  }

  private static List<EvaluationRecord> evaluations(List<LogRecord> records) {
    return LogRecord.of(EvaluationRecord.class, records);
  }

  private void evaluate(String... arguments) throws Exception {
    assertEquals(0, command().run(List.of(arguments)));
  }

  private OptionsCommand command() {
    return new EvaluateCommand()
        .printingTo(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));
  }
}
