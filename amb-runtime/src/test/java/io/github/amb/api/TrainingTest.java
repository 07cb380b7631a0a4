package io.github.amb.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.EvaluatorLog;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.scheme.Scheme;
import io.github.amb.core.scheme.SchemeOptions;
import io.github.amb.core.scheme.SchemeSettings;
import io.github.amb.core.scheme.Schemes;
import io.github.amb.core.scheme.context.BatchPolicy;
import io.github.amb.core.scheme.context.Master;
import io.github.amb.core.scheme.context.Worker;
import io.github.amb.runtime.train.TrainCommand;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.ViewIterator;
import org.nd4j.linalg.factory.Nd4j;

class TrainingTest {
  private static final String COMMAND =
      "toy amb rms 16 --amb-time-limit 0.2 --amb-num-partitions 8 --induce cedar --engine sim"
          + " --workers 3 --cost-per-example 0.02 --last-step 5 --test-size 50";

  @TempDir Path folder;

  private static Training.Builder likeTheCommand() {
    return Training.builder()
        .data("toy")
        .scheme("amb")
        .updateRule("rms")
        .batchSize(16)
        .workers(3)
        .onVirtualCluster()
        .option(SchemeSettings.AMB_TIME_LIMIT, 0.2)
        .option("amb_num_partitions", 8)
        .option("induce", "cedar")
        .option("cost-per-example", 0.02)
        .option("last-step", 5)
        .option("test-size", 50);
  }

  private TrainingResult command(String command) throws Exception {
    Path run = folder.resolve("command");
    List<String> words = new ArrayList<>(List.of(command.split(" ")));
    words.addAll(List.of("--run-directory", run.toString()));
    assertEquals(0, new TrainCommand().run(words));
    return TrainingResult.read(run);
  }

  private static void assertSame(TrainingResult expected, TrainingResult found) {
    assertArrayEquals(expected.parameters(), found.parameters());
    assertEquals(expected.steps(), found.steps());
    assertEquals(expected.tests(), found.tests());
    assertEquals(expected.examplesPerWorker(), found.examplesPerWorker());
    assertTrue(found.parameters().length > 0);
  }

  @Test
  void everyOptionOfASchemeHasAType() throws IllegalAccessException {
    Set<String> typed = new TreeSet<>();
    for (Field field : SchemeSettings.class.getFields()) {
      Setting<?> option = (Setting<?>) field.get(null);
      assertEquals(option.name().toUpperCase(Locale.ROOT).replace('-', '_'), field.getName());
      typed.add(option.name());
    }
    Set<String> all = new TreeSet<>();
    Schemes.ALL.all().forEach(scheme -> scheme.options().forEach(one -> all.add(one.name())));
    assertEquals(all, typed);
  }

  @Test
  void theBitsAreThoseOfTheCommand() throws Exception {
    TrainingResult found = likeTheCommand().run();
    assertSame(command(COMMAND), found);
    assertEquals(5, found.steps().size());
    assertEquals(Set.of(1, 2, 3), found.examplesPerWorker().keySet());
    assertEquals(
        found.steps().get(4).totalSamples(),
        found.examplesPerWorker().values().stream().mapToLong(n -> n).sum());
    List<Double> accuracies = found.tests().stream().map(EvaluationRecord::accuracy).toList();
    assertEquals(Collections.max(accuracies), found.bestAccuracy());
    assertEquals(accuracies.get(accuracies.size() - 1), found.finalAccuracy());
    assertFalse(found.isCancelled());
  }

  /** Choosing the class with the nearest mean image is right for 306 of 360, counted by Python. */
  @Test
  void theProgramsOwnImagesAreLearned() {
    TrainingResult found =
        Training.builder()
            .data("optdigits")
            .scheme("fmb")
            .workers(2)
            .onVirtualCluster()
            .option("cost-per-example", 0.001)
            .option("lr", 0.01)
            .option("last-step", 200)
            .run();
    double nearest = 306 / 360.0;
    double deviation = Math.sqrt(nearest * (1 - nearest) / 360);
    assertTrue(found.finalAccuracy() > nearest - 4 * deviation, "" + found.finalAccuracy());
  }

  @Test
  void aRunDirectoryHoldsTheSame() throws Exception {
    Path run = folder.resolve("run");
    TrainingResult found = RingTraining.training().runDirectory(run).run();
    assertEquals(run, found.directory().orElseThrow());
    assertSame(RingTraining.training().run(), found);
    assertSame(found, command("--config " + run.resolve("run.json")));
  }

  @Test
  void damagedFinalParametersAreNotReplacedByOlder() throws Exception {
    Path run = folder.resolve("command");
    command(COMMAND + " --checkpoint-every 1");
    Path parameters = run.resolve("checkpoints/step-000000005/parameters.npy");
    byte[] bytes = Files.readAllBytes(parameters);
    bytes[bytes.length - 1] ^= 1;
    Files.write(parameters, bytes);
    var error = assertThrows(IOException.class, () -> TrainingResult.read(run));
    assertTrue(error.getMessage().contains("found those of step 4"), error.getMessage());
  }

  @Test
  void testsByASeparateEvaluatorCount() throws Exception {
    command(COMMAND + " --evaluate last");
    Path run = folder.resolve("command");
    try (EvaluatorLog log = new EvaluatorLog(new RunDirectory(run))) {
      log.append(new EvaluationRecord(1, 3, 2, 1, 50, 0.1));
    }
    TrainingResult result = TrainingResult.read(run);
    assertEquals(List.of(3L, 5L), result.tests().stream().map(EvaluationRecord::step).toList());
    assertEquals(1, result.bestAccuracy());
  }

  @Test
  void anExistingRunDirectoryIsRejectedAtTheStart() {
    Training.Builder training = RingTraining.training().runDirectory(folder);
    var error = assertThrows(UsageException.class, training::start);
    assertEquals(
        "--run-directory: expected a new directory, found the existing " + folder,
        error.getMessage());
  }

  @Test
  void noFileIsWrittenUnlessAsked() throws Exception {
    TrainingResult found = RingTraining.training().run();
    assertTrue(found.directory().isEmpty());
    assertFalse(Files.exists(Path.of("runs")));
  }

  @Test
  void twoAtATimeHaveTheBitsOfEachAlone() throws Exception {
    TrainingResult one = likeTheCommand().run();
    TrainingResult other = RingTraining.training().run();
    Running first = likeTheCommand().start();
    Running second = RingTraining.training().start();
    Running third = likeTheCommand().start();
    assertSame(one, first.result());
    assertTrue(first.isDone());
    assertSame(other, second.future().get());
    assertSame(one, third.result());
  }

  @Test
  void anIteratorIsAsGoodAsArrays() {
    float[][] features = {{0.5f, 1.5f}, {2.5f, 3.5f}, {4.5f, 5.5f}};
    float[][] labels = {{1, 0}, {0, 1}, {1, 0}};
    DataSet all = new DataSet(Nd4j.createFromArray(features), Nd4j.createFromArray(labels));
    TrainingData iterated = TrainingData.of(new ViewIterator(all, 2));
    TrainingData arrays =
        TrainingData.of(new float[] {0.5f, 1.5f, 2.5f, 3.5f, 4.5f, 5.5f}, new int[] {0, 1, 0}, 2);
    assertSame(
        RingTraining.training().data(arrays, arrays).workers(1).run(),
        RingTraining.training().data(iterated, iterated).workers(1).run());
  }

  @Test
  void aGraphIsAsGoodAsASequence() {
    assertSame(
        RingTraining.training().run(), RingTraining.training().network(RingTraining.graph()).run());
  }

  @Test
  void aWarningIsHandedOn() {
    List<String> warnings = Collections.synchronizedList(new ArrayList<>());
    likeTheCommand().option("amb-time-limit", 9).onWarning(warnings::add).run();
    assertEquals(1, warnings.size(), warnings::toString);
    assertTrue(warnings.get(0).contains("before the time limit"), warnings::toString);
  }

  @Test
  void trainsInThisProcessWithoutWorkers() {
    TrainingResult found = local().option("last-step", 7).run();
    assertEquals(7, found.steps().size());
    assertEquals(7 * 16L, found.examplesPerWorker().get(1));
    assertEquals(20, found.tests().get(found.tests().size() - 1).testSize());
  }

  @Test
  void theLastPlaceCounts() {
    TrainingResult here = local().workers(2).option("last-step", 2).run();
    assertEquals(Set.of(1), here.examplesPerWorker().keySet());
    TrainingResult virtual =
        RingTraining.training().workers(3).inThisProcess().onVirtualCluster().run();
    assertEquals(Set.of(1, 2, 3), virtual.examplesPerWorker().keySet());
  }

  @Test
  void anAliasReplacesAnEarlierValue() {
    TrainingResult found =
        local()
            .option("learning-rate", 0.5)
            .option("lr", 0.25)
            .option("learning_rate", 0.125)
            .option("last-step", 1)
            .run();
    assertEquals(0.125, found.steps().get(0).learningRate());
  }

  @Test
  void anOptionReplacesAnObject() {
    Scheme failing = new Cancelling(fmb(2), 3, CompletableFuture.failedFuture(new Failure()));
    TrainingResult expected = fewSteps().data("toy").network("toy-conv").scheme("fmb").run();
    TrainingResult found =
        fewSteps()
            .data(RingTraining.points(200))
            .network(RingTraining.network())
            .scheme(failing)
            .option("data-set", "toy")
            .option("network", "toy-conv")
            .option("scheme", "fmb")
            .run();
    assertSame(expected, found);
  }

  private static Training.Builder fewSteps() {
    return Training.builder()
        .batchSize(16)
        .option("cost-per-example", 0.02)
        .option("last-step", 5)
        .option("test-size", 50);
  }

  @Test
  void localTrainingEndsWithTheCancelledStep() throws Exception {
    CompletableFuture<Running> running = new CompletableFuture<>();
    Training.Builder builder = local().onProgress(now -> running.join().cancel());
    running.complete(builder.start());
    TrainingResult found = running.join().result();
    assertTrue(found.isCancelled());
    assertEquals(1, found.steps().size());
  }

  @Test
  void virtualTrainingEndsWithTheCancelledStep() throws Exception {
    CompletableFuture<Running> running = new CompletableFuture<>();
    Scheme scheme = new Cancelling(fmb(2), 3, running);
    running.complete(RingTraining.training().scheme(scheme).start());
    TrainingResult found = running.join().result();
    assertTrue(found.isCancelled());
    assertEquals(3, found.steps().size());
  }

  @Test
  void noThreadIsLeft() throws Exception {
    RingTraining.training().run(); // Makes what all trainings share.
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    CompletableFuture<Running> running = new CompletableFuture<>();
    running.complete(
        RingTraining.training()
            .scheme(new Cancelling(fmb(2), 3, running))
            .runDirectory(folder.resolve("cancelled"))
            .start());
    assertTrue(running.join().result().isCancelled());
    RingTraining.training().start().result();
    Set<Thread> left = new HashSet<>(Thread.getAllStackTraces().keySet());
    left.removeAll(before);
    for (Thread thread : left) {
      thread.join(60_000);
      assertFalse(thread.isAlive(), thread.getName());
    }
  }

  @Test
  void aCancelledRunResumes() throws Exception {
    TrainingResult whole = local().option("last-step", 9).run();
    Path run = folder.resolve("run");
    CompletableFuture<Running> running = new CompletableFuture<>();
    Training.Builder builder = local().runDirectory(run);
    running.complete(builder.onProgress(now -> running.join().cancel()).start());
    assertEquals(1, running.join().result().steps().size());
    TrainingResult resumed = Training.builder().option("resume", run).option("last-step", 9).run();
    assertArrayEquals(whole.parameters(), resumed.parameters());
    assertEquals(9, resumed.steps().size());
  }

  private static Training.Builder local() {
    return Training.builder()
        .data(RingTraining.points(200))
        .network(RingTraining.network())
        .scheme("fmb")
        .batchSize(16)
        .inThisProcess();
  }

  @Test
  void allProblemsAreReportedAtOnce() {
    var error =
        assertThrows(
            UsageException.class,
            () ->
                Training.builder()
                    .data(TrainingData.of(new float[7], new int[3], 2))
                    .scheme("ambb")
                    .option("codec", "zip")
                    .option("tag", "x")
                    .start());
    assertEquals(
        List.of(
            "--tag: expected --run-directory beside it, found none",
            "unknown scheme 'ambb', did you mean 'amb'?"),
        error.getMessage().lines().limit(2).toList());
    assertTrue(error.getMessage().contains("codec"), error.getMessage());
    assertTrue(
        error
            .getMessage()
            .contains("training data: expected 6 features for 3 labels and examples of 1x1x2"),
        error.getMessage());
  }

  @Test
  void aFailureIsAnException() {
    Scheme failing = new Cancelling(fmb(2), 3, CompletableFuture.failedFuture(new Failure()));
    var error =
        assertThrows(TrainingException.class, () -> RingTraining.training().scheme(failing).run());
    assertTrue(error.getCause().getCause() instanceof Failure, error.toString());
  }

  @Test
  void aFailureOfAListenerEndsTraining() {
    Training.Builder training =
        RingTraining.training()
            .option("last-step", 20_000)
            .onProgress(
                now -> {
                  throw new Failure();
                });
    var error = assertThrows(TrainingException.class, training::run);
    assertTrue(error.getCause() instanceof Failure, () -> error.getCause().toString());
  }

  @Test
  void anInterruptStaysAndIsTheEnding() throws Exception {
    Path run = folder.resolve("run");
    Thread caller = Thread.currentThread();
    Training.Builder builder =
        RingTraining.training()
            .option("last-step", 20_000)
            .runDirectory(run)
            .onProgress(now -> caller.interrupt());
    assertThrows(TrainingException.class, builder::run);
    assertTrue(Thread.interrupted());
    assertEquals("interrupted", new RunDirectory(run).read().ending().cause());
  }

  private static final class Failure extends RuntimeException {}

  private static Scheme fmb(int workers) {
    return Schemes.named("fmb").create(new SchemeOptions(16, workers));
  }

  /** A program's own scheme: cancels in a step. */
  private record Cancelling(Scheme scheme, long step, CompletableFuture<Running> running)
      implements Scheme {
    @Override
    public void master(Master master) {
      while (master.nextStep()) {
        master.broadcast();
        master.gather(master.workers());
        if (master.step() == step) {
          running.join().cancel();
        }
        master.update();
        master.record();
      }
    }

    @Override
    public void worker(Worker worker) {
      scheme.worker(worker);
    }

    @Override
    public BatchPolicy batchPolicy() {
      return scheme.batchPolicy();
    }
  }
}
