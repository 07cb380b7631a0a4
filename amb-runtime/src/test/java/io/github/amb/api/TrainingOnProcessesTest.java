package io.github.amb.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.scheme.SchemeOptions;
import io.github.amb.core.scheme.Schemes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("system")
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TrainingOnProcessesTest {
  @TempDir Path folder;

  private static Training.Builder processes() {
    return Training.builder()
        .data(RingTraining.points(200), RingTraining.points(50))
        .network(RingTraining.network())
        .scheme("fmb")
        .batchSize(16)
        .onProcesses()
        .option("last-step", 20);
  }

  @Test
  void theBitsAreThoseOfTheVirtualCluster() {
    TrainingResult found = processes().run();
    assertArrayEquals(RingTraining.training().run().parameters(), found.parameters());
    assertEquals(20, found.steps().size());
    assertEquals(20 * 16L, found.examplesPerWorker().get(2));
    assertTrue(found.directory().isEmpty());
    assertFalse(found.isCancelled());
  }

  @Test
  void imagesReachProcessesUnchanged() {
    float[] features = new float[4 * 3 * 2 * 5];
    for (int i = 0; i < features.length; i++) {
      features[i] = i % 7 / 7f;
    }
    TrainingData images = TrainingData.of(features, new int[] {0, 1, 1, 0}, 3, 2, 5);
    Training.Builder builder =
        Training.builder()
            .data(images, images)
            .network("logistic-regression")
            .scheme("fmb")
            .batchSize(2)
            .option("last-step", 3);
    TrainingResult here = builder.option("cost-per-example", 0.01).run();
    TrainingResult there =
        Training.builder()
            .data(images, images)
            .network("logistic-regression")
            .scheme("fmb")
            .batchSize(2)
            .option("last-step", 3)
            .onProcesses()
            .run();
    assertArrayEquals(here.parameters(), there.parameters());
  }

  @Test
  void cancelSavesTheStepAndLeavesNoProcess() throws Exception {
    Path run = folder.resolve("run");
    CompletableFuture<Running> running = new CompletableFuture<>();
    running.complete(
        processes()
            .option("last-step", 1_000_000)
            .option("evaluate", "last")
            .runDirectory(run)
            .onProgress(now -> running.join().cancel())
            .start());
    TrainingResult cancelled = running.join().result();
    assertTrue(cancelled.isCancelled());
    long steps = cancelled.steps().size();
    assertTrue(cancelled.parameters().length > 0);
    assertEquals(
        List.of(),
        ProcessHandle.current()
            .descendants()
            .filter(process -> process.info().commandLine().orElse("").contains(run.toString()))
            .toList());
    TrainingResult resumed =
        Training.builder().option("resume", run).option("last-step", steps + 2).run();
    assertEquals(steps + 2, resumed.steps().size());
  }

  @Tag("lab")
  @Test
  void furtherCancelsDoNotEndTheSaving() throws Exception {
    CompletableFuture<Void> trains = new CompletableFuture<>();
    Running running =
        processes()
            .option("last-step", 1_000_000)
            .option("evaluate", "last")
            .runDirectory(folder.resolve("run"))
            .onProgress(now -> trains.complete(null))
            .start();
    trains.join();
    while (!running.isDone()) {
      running.cancel();
      Thread.onSpinWait();
    }
    TrainingResult cancelled = running.result();
    assertTrue(cancelled.isCancelled());
    assertTrue(cancelled.parameters().length > 0);
  }

  @Tag("lab")
  @Test
  void anInterruptIsNoCancellation() throws Exception {
    Path run = folder.resolve("run");
    Training.Builder builder =
        processes()
            .option("last-step", 1_000_000)
            .runDirectory(run)
            .onProgress(now -> Thread.currentThread().interrupt());
    var error = assertThrows(TrainingException.class, builder::run);
    assertTrue(Thread.interrupted());
    assertEquals("interrupted", error.getMessage());
    assertEquals("interrupted", new RunDirectory(run).read().ending().cause());
  }

  @Tag("lab")
  @Test
  void aFailureOfAListenerIsInTheRunDirectory() throws Exception {
    Path run = folder.resolve("run");
    Training.Builder builder =
        processes()
            .option("last-step", 1_000_000)
            .runDirectory(run)
            .onProgress(
                now -> {
                  throw new IllegalStateException("full");
                });
    var error = assertThrows(TrainingException.class, builder::run);
    assertEquals(error.getMessage(), new RunDirectory(run).read().ending().cause());
  }

  @Test
  void cancelEndsTheWaitForTheEvaluator() throws Exception {
    Path run = folder.resolve("run");
    CompletableFuture<Void> trains = new CompletableFuture<>();
    Running running =
        processes()
            .inThisProcess()
            .option("evaluator", "process")
            .runDirectory(run)
            .onProgress(
                now -> {
                  ProcessHandle.current().children().forEach(child -> signal("-STOP", child));
                  trains.complete(null);
                })
            .start();
    trains.join();
    while (new RunDirectory(run).read().ending() == null) {
      Thread.sleep(20);
    }
    running.cancel();
    assertFalse(running.result().isCancelled());
  }

  private static void signal(String signal, ProcessHandle process) {
    try {
      new ProcessBuilder("kill", signal, Long.toString(process.pid())).start().waitFor();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void anObjectIsNoSchemeForProcesses() {
    var scheme = Schemes.named("fmb").create(new SchemeOptions(16, 2));
    var error = assertThrows(UsageException.class, () -> processes().scheme(scheme).start());
    assertTrue(error.getMessage().startsWith("--scheme: expected a name"), error.getMessage());
  }

  @Test
  void pixelsAreNotSilentlyScaled() {
    TrainingData pixels = TrainingData.of(new float[] {0, 255, 7, 9}, new int[] {0, 1}, 2);
    var error = assertThrows(UsageException.class, () -> processes().data(pixels, pixels).start());
    assertTrue(error.getMessage().contains("divide them by 255"), error.getMessage());
  }
}
