package io.github.amb.runtime.train.directory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RecordLog;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import io.github.amb.runtime.config.CommandLine;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.launch.RunOutcome;
import io.github.amb.runtime.lock.RunLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunWriterTest {
  private static final List<String> COMMAND = List.of("amb", "train", "toy", "fmb", "rms", "64");

  @TempDir Path directory;

  @Test
  void aRunSaysAllThatMadeIt() throws IOException {
    Instant before = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    RunInfo info = create("toy fmb rms 64 --seed -3 --workers 5").read();
    assertEquals(RunInfo.FORMAT, info.format());
    assertEquals("toy__fmb_rms_64__none_5__seed-3", info.id());
    assertEquals(COMMAND, info.command());
    assertEquals(-3, info.seed());
    Instant started = Instant.parse(info.started());
    assertFalse(started.isBefore(before), info.started());
    assertFalse(started.isAfter(Instant.now()), info.started());
    assertEquals("5", info.configured("workers", ""));
    assertEquals("5.0E-4", info.configured("weight-decay", ""));
    assertEquals("Infinity", info.configured("max-time", ""));
    assertEquals(Map.of(), info.data());
    assertNull(info.ending());
    for (String fact : List.of("amb", "git_commit", "java", "os", "arch", "cores", "host")) {
      assertFalse(info.environment().getOrDefault(fact, "").isBlank(), fact);
    }
    assertFalse(info.environment().get("amb").contains("$"), info.environment().get("amb"));
  }

  @Test
  void aRunHasTheThreadsOfTheMasterNotTheLauncher() throws IOException {
    RunDirectory run = create("toy fmb rms 64");
    String own = run.read().environment().get("omp_num_threads");
    RunWriter.addEnvironment(run, Map.of("omp_num_threads", "launcher's"));
    RunOutput.in(run).begin(Map.of("classes", "10"), new float[0]);
    assertEquals(own, run.read().environment().get("omp_num_threads"));
    assertEquals("10", run.read().environment().get("classes"));
  }

  @Test
  void theNameOfANewDirectoryGoesToTheDisk() throws IOException {
    List<String> words = List.of("toy", "fmb", "rms", "8", "--runs-dir", directory.toString());
    Settings settings = CommandLine.parse(words).settings();
    Path events = directory.resolve("events.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("jdk.FileForce").withThreshold(Duration.ZERO);
      recording.start();
      RunWriter.makeDirectory(settings);
      recording.stop();
      recording.dump(events);
    }
    assertEquals(
        List.of(directory.toString()),
        RecordingFile.readAllEvents(events).stream().map(e -> e.getString("path")).toList());
  }

  @Test
  void theNameOfAnAnytimeRunHasItsOptions() throws IOException {
    assertEquals(
        "toy__amb_rms_64__6.2_16__niagara_2__seed1",
        name("toy amb rms 64 --amb-time-limit 6.2 --amb-num-partitions 16 --induce"));
    assertEquals("toy__fmb_rms_64__0-.1-1_2__seed1", name("toy fmb rms 64 --induce 0,.1,1"));
  }

  @Test
  void optionsThatAreNotAtTheirDefaultsAreInTheName() throws IOException {
    assertEquals(
        "toy__fmb_rms_64__none_2__seed1__toy-fc__sim__fp16__latency-0.01",
        name("toy fmb rms 64 --engine sim --network toy-fc --codec fp16 --latency .01"));
    assertEquals(
        "toy__fmb_rms_64__none_2__seed1__learning-rate-0.5",
        name("toy fmb rms 64 --learning-rate .5 --last-step 7 --evaluate last --note x"));
    assertEquals("toy__fmb_rms_64__none_2__seed1", name("toy fmb rms 64 --learning-rate .001"));
  }

  @Test
  void aNameThatWasGivenIsTheDirectorys() throws IOException {
    assertEquals("first-try", name("toy fmb rms 64 --name first-try"));
    assertEquals("first-try-2", name("toy fmb rms 64 --name first-try --seed 2"));
    assertThrows(UsageException.class, () -> name("toy fmb rms 64 --name ../x"));
    assertThrows(UsageException.class, () -> name("toy fmb rms 64 --name .hidden"));
  }

  @Test
  void aLongNameIsCutAndStaysApart() throws IOException {
    String long1 = name("toy fmb rms 64 --speed " + "1,2,".repeat(60) + "1");
    String long2 = name("toy fmb rms 64 --speed " + "1,2,".repeat(60) + "3");
    assertTrue(long1.length() < 140, long1);
    assertNotEquals(long1, long2);
  }

  @Test
  void anotherRunOfTheSameNameGetsTheNextNumber() throws IOException {
    assertEquals("toy__fmb_rms_64__none_2__seed1", name("toy fmb rms 64"));
    assertEquals("toy__fmb_rms_64__none_2__seed1-2", name("toy fmb rms 64"));
    assertEquals("toy__fmb_rms_64__none_2__seed1-3", name("toy fmb rms 64"));
  }

  @Test
  void runsMadeAtOnceGetDirectoriesOfTheirOwn() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    List<Callable<Path>> tasks = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      tasks.add(() -> create("toy fmb rms 64").path());
    }
    Set<Path> paths = new HashSet<>();
    for (Future<Path> path : threads.invokeAll(tasks)) {
      paths.add(path.get());
    }
    threads.shutdown();
    assertEquals(24, paths.size());
    for (Path path : paths) {
      assertEquals(path.getFileName().toString(), new RunDirectory(path).read().id());
    }
  }

  @Test
  void aDirectoryThatExistsIsNeverTaken() throws IOException {
    Path taken = Files.createDirectory(directory.resolve("taken"));
    assertProblem(
        "--run-directory: expected a new directory, found the existing " + taken,
        "toy fmb rms 64 --run-directory " + taken);
    try (var files = Files.list(taken)) {
      assertEquals(0, files.count());
    }
    Path path = directory.resolve("a/b/mine");
    assertEquals(path, create("toy fmb rms 64 --run-directory " + path).path());
    assertProblem(
        "--run-directory: expected a new directory, found the existing " + path,
        "toy fmb rms 64 --run-directory " + path);
    assertProblem(
        "--run-directory: expected a new directory, found the existing /",
        "toy fmb rms 64 --run-directory /");
  }

  @Test
  void aPlaceWhereNoDirectoryCanBeMadeIsNamed() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    assertProblem(
        "--runs-dir: cannot create a directory: " + file + ": exists already; choose another name",
        "toy fmb rms 64 --runs-dir " + file);
    var error =
        assertThrows(
            UsageException.class, () -> create("toy fmb rms 64 --run-directory " + file + "/x"));
    assertTrue(
        error.getMessage().contains("cannot create a directory: " + file), error.getMessage());
  }

  @Test
  void theEndingHasTheParametersChecksum() throws IOException {
    RunDirectory run = create("toy fmb rms 64");
    try (RecordLog log = new RecordLog(run)) {
      log.accept(new StepRecord(1.5, 1, 2, 0.001, 128, 128, 0, 0, 0, 0));
      log.accept(new StepRecord(2.5, 2, 2, 0.001, 128, 256, 0, 0, 0, 0));
    }
    RunWriter.end(run, new RunOutcome(20, "all workers lost"));
    assertEquals(new RunInfo.Ending(20, "all workers lost", 2.5, 2, null), run.read().ending());
  }

  @Test
  void aRunThatNeverBeganEndsToo() throws IOException {
    RunDirectory run = create("toy fmb rms 64");
    RunWriter.end(run, new RunOutcome(1, "rank 1 did not join"));
    assertEquals(new RunInfo.Ending(1, "rank 1 did not join", 0, 0, null), run.read().ending());
  }

  @Test
  void factsAreAddedToTheEnvironment() throws IOException {
    RunDirectory run = create("toy fmb rms 64");
    Map<String, String> before = run.read().environment();
    RunWriter.addEnvironment(run, Map.of("blas", "OpenBLAS"));
    Map<String, String> after = run.read().environment();
    assertEquals("OpenBLAS", after.get("blas"));
    assertEquals(before.size() + 1, after.size());
    assertTrue(after.entrySet().containsAll(before.entrySet()));
  }

  private String name(String command) throws IOException {
    return create(command).path().getFileName().toString();
  }

  private RunDirectory create(String command) throws IOException {
    List<String> words = new ArrayList<>(Arrays.asList(command.split(" ")));
    if (!command.contains("--run")) {
      words.addAll(List.of("--runs-dir", directory.resolve("runs").toString()));
    }
    Settings settings = CommandLine.parse(words).settings();
    try (RunLock lock = RunWriter.create(null, settings, COMMAND, RunOwner.PROCESS)) {
      return lock.run();
    }
  }

  private void assertProblem(String problem, String command) {
    var error = assertThrows(UsageException.class, () -> create(command));
    assertEquals(problem, error.getMessage());
  }
}
