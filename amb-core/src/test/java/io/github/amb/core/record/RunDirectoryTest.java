package io.github.amb.core.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.file.Disk;
import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunDirectoryTest {
  private static final RunInfo RUN =
      new RunInfo(
          RunInfo.FORMAT,
          "mnist-amb-rms-64",
          "2026-01-01T00:00:00Z",
          List.of("amb", "train", "mnist"),
          Map.of("scheme", "amb", "batch-size", 64, "amb-time-limit", 6.2, "resume", true),
          -7,
          Map.of("java.version", "17"),
          Map.of("train", "00ff"),
          null);

  @TempDir Path directory;

  /** An open of a pipe would wait for ever; a device has no end. */
  @Test
  @Timeout(60)
  @DisabledOnOs(OS.WINDOWS)
  void whatIsNoFileIsNotOpened() throws IOException {
    RunDirectory run = new RunDirectory(directory);
    for (Path file : List.of(run.info(), run.masterLog(), run.evaluatorLog(), run.workerLog(1))) {
      Files.createSymbolicLink(file, Path.of("/dev/zero"));
    }
    for (Executable reading :
        List.<Executable>of(
            run::read,
            run::masterRecords,
            run::evaluatorRecords,
            run::lastStep,
            run::lastEvaluation,
            () -> run.workerRecords(1),
            new LogFollower(run.masterLog())::next,
            () -> new LogTruncation(run, 3, false, Disk.REAL),
            () -> new EvaluatorLog(run),
            () -> new Superseded(run, Disk.REAL))) {
      String found = assertThrows(UsageException.class, reading).getMessage();
      assertTrue(found.contains("expected a file, found a pipe, socket or device"), found);
    }
  }

  @Test
  void whatARunIsComesBackAsItWas() throws IOException {
    RunDirectory run = new RunDirectory(directory);
    run.write(RUN);
    assertEquals(RUN, run.read());
    RunInfo ended = RUN.withEnding(new RunInfo.Ending(20, "all workers lost", 3.5, 12, "0a"));
    run.write(ended);
    assertEquals(ended, run.read());
    assertNull(RUN.ending());
  }

  @Test
  void whatARunIsGoesToTheDisk() throws IOException {
    RunDirectory run = new RunDirectory(directory);
    Path events = directory.resolve("events.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("jdk.FileForce").withThreshold(Duration.ZERO);
      recording.start();
      run.write(RUN);
      recording.stop();
      recording.dump(events);
    }
    assertEquals(
        List.of(directory + "/run.json.tmp", directory.toString()),
        RecordingFile.readAllEvents(events).stream().map(e -> e.getString("path")).toList());
  }

  @ParameterizedTest
  @CsvSource({
    "atomo-svd, 'atomo-svd:3,square'",
    "atomo-svd:5, 'atomo-svd:5,square'",
    "atomo-svd:2+zstd, 'atomo-svd:2,square+zstd'",
    "topk:0.01+ef, topk:0.01+ef"
  })
  void codecsOfTheFormatBeforeStayWhatTheyWere(String then, String now) throws IOException {
    Map<String, Object> configuration = Map.of("codec", then, "downlink-codec", then);
    RunInfo old = new RunInfo(1, "a", "", List.of(), configuration, 1, Map.of(), Map.of(), null);
    RunDirectory run = new RunDirectory(directory);
    run.write(old);
    assertEquals(now, run.read().configured("codec", ""));
    assertEquals(now, run.read().configured("downlink-codec", ""));
    run.write(run.read());
    assertEquals(now, run.read().configured("codec", ""));
  }

  @Test
  void writingLeavesNoOtherFileBehind() throws IOException {
    RunDirectory run = new RunDirectory(directory);
    run.write(RUN);
    run.write(RUN);
    try (var files = Files.list(directory)) {
      assertEquals(List.of(run.info()), files.toList());
    }
  }

  @Test
  void theLastStepIsFoundHoweverFarItIsFromTheEnd() throws IOException {
    RunDirectory run = new RunDirectory(directory);
    assertNull(run.lastStep());
    String collect =
        "{\"type\":\"collect\",\"time\":1.5,\"step\":8,\"worker_count\":2,\"wait_time\":0.1,\"total_samples\":4}\n";
    String step = "{\"type\":\"step\",\"time\":1.25,\"step\":7,\"loss\":0.5}\n";
    Files.writeString(run.masterLog(), collect);
    assertNull(run.lastStep());
    for (int more : new int[] {0, 1, 3000}) {
      String cutOff = "{\"type\":\"step\",\"ti";
      Files.writeString(run.masterLog(), step.repeat(2000) + collect.repeat(more) + cutOff);
      assertEquals(7, run.lastStep().step());
      assertEquals(1.25, run.lastStep().time());
    }
  }

  @Test
  void configuredValuesAreText() {
    assertEquals("64", RUN.configured("batch-size", "1"));
    assertEquals("amb", RUN.configured("scheme", "fmb"));
    assertEquals("none", RUN.configured("induce", "none"));
  }

  @Test
  void aRunOfANewerFormatIsRejected() throws IOException {
    RunDirectory run = new RunDirectory(directory);
    run.write(RUN);
    String text = Files.readString(run.info());
    Files.writeString(run.info(), text.replace("\"format\" : 2", "\"format\" : 3"));
    var error = assertThrows(IOException.class, run::read);
    assertEquals(
        run.info() + ": expected format 2 or older, found 3; use the program that wrote it",
        error.getMessage());
  }

  @Test
  void aMissingRunIsNamed() {
    RunDirectory run = new RunDirectory(directory.resolve("absent"));
    var error = assertThrows(IOException.class, run::read);
    assertTrue(error.getMessage().contains(run.info().toString()), error.getMessage());
    assertThrows(NoSuchFileException.class, run::masterRecords);
  }

  @Test
  void workersAreInTheOrderOfTheirRanks() throws IOException {
    for (String name :
        List.of(
            "worker-10.jsonl", "worker-2.jsonl", "worker-x.jsonl", "worker-3.json", "rank-1.log")) {
      Files.createFile(directory.resolve(name));
    }
    assertEquals(List.of(2, 10), new RunDirectory(directory).workers());
  }

  @Test
  void aLogOfARankThatIsNoNumberIsNoWorkers() throws IOException {
    Files.createFile(directory.resolve("worker-99999999999.jsonl"));
    Files.createFile(directory.resolve("worker-2.jsonl"));
    assertEquals(List.of(2), new RunDirectory(directory).workers());
  }

  @Test
  void filesAreWhereUsersLookForThem() {
    RunDirectory run = new RunDirectory(Path.of("r"));
    assertEquals(
        List.of("run.json", "master.jsonl", "worker-3.jsonl", "rank-0.log", "plots", "checkpoints"),
        List.of(
                run.info(),
                run.masterLog(),
                run.workerLog(3),
                run.console(0),
                run.plots(),
                run.checkpoints())
            .stream()
            .map(path -> path.getFileName().toString())
            .toList());
  }

  /** Every later version reads what version 1 wrote. Never change the files; add a directory. */
  @Test
  void aRunOfFormat1IsRead() throws IOException, URISyntaxException {
    RunDirectory run = new RunDirectory(Path.of(getClass().getResource("v1").toURI()));
    RunInfo info = run.read();
    assertEquals(RunInfo.FORMAT, info.format());
    assertEquals("mnist-amb-rms-64-20260101T000000Z", info.id());
    assertEquals("64", info.configured("batch-size", ""));
    assertEquals("6.2", info.configured("amb-time-limit", ""));
    assertEquals("never", info.configured("resume", "never"));
    assertEquals(Arrays.asList(1.0, 0.01), info.configuration().get("speed"));
    assertEquals(42, info.seed());
    assertEquals(new RunInfo.Ending(0, "last step reached", 12.5, 2, null), info.ending());
    assertEquals(
        List.of(
            new CollectRecord(1.25, 1, 2, 0.5, 120),
            new StepRecord(1.5, 1, 2.302585, 0.001, 120, 120, 0.0625, 0.125, 4096, 8192),
            new CollectRecord(2.75, 2, 1, 0, 64),
            new StepRecord(3, 2, 1.75, 5e-4, 64, 184, 0.0625, 0.125, 8192, 12288),
            new EvaluationRecord(3, 2, 1.5, 0.625, 1000, 0.25)),
        run.masterRecords());
    assertEquals(
        List.of(
            new WorkerRecord(1, 1, 1, 56, 14, false, -1, -1, -1, 0.4, 0.875, 0.75, 0),
            new WorkerRecord(2.75, 2, 1, 64, 16, true, 0.01, 0.25, 0, 0, 1.125, 1.25, 0)),
        run.workerRecords(1));
    assertEquals(List.of(1), run.workers());
  }

  private String problem(Executable reading) {
    return assertThrows(UsageException.class, reading).getMessage();
  }

  /** A file with holes, which takes no room on the disk. */
  private static void extend(Path file, long length) throws IOException {
    try (var sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(length);
    }
  }

  @Test
  void aDescriptionOverTheLimitIsRejected() throws IOException {
    RunDirectory run = new RunDirectory(directory);
    extend(run.info(), 1L << 33);
    assertEquals(
        run.info()
            + ": expected the description of a run of at most 16777216 bytes, found 8589934592"
            + " bytes",
        problem(run::read));
  }

  @Test
  void aLogOverTheLimitIsNotHeldInMemory() throws IOException {
    RunDirectory run = new RunDirectory(directory);
    extend(run.masterLog(), 1L << 33);
    assertEquals(
        run.masterLog()
            + ": expected a log to be held in memory of at most 1073741824 bytes, found 8589934592 bytes",
        problem(run::masterRecords));
  }

  /** Records are passed on before the end of the log is read. */
  @Test
  void aLogIsReadByPieces() throws IOException {
    RunDirectory run = new RunDirectory(directory);
    String line = "{\"type\":\"step\",\"step\":1,\"update_time\":1}\n";
    int lines = (1 << 23) / line.length();
    Files.writeString(run.masterLog(), line.repeat(lines) + "nonsense\n");
    AtomicInteger passed = new AtomicInteger();
    IOException problem =
        assertThrows(
            IOException.class, () -> run.masterRecords(record -> passed.incrementAndGet()));
    assertTrue(passed.get() > 0);
    assertTrue(
        problem.getMessage().startsWith(run.masterLog() + " line " + (lines + 1) + ": "),
        problem.getMessage());
  }

  @Test
  void aLastStepFarFromTheEndIsFound() throws IOException {
    RunDirectory run = new RunDirectory(directory);
    String drop = "{\"type\":\"drop\",\"step\":7}\n";
    Files.writeString(
        run.masterLog(),
        "{\"type\":\"step\",\"step\":7}\n" + drop.repeat((1 << 21) / drop.length()));
    assertEquals(7, run.lastStep().step());
  }

  @Test
  void aLineOverTheLimitIsRejected() throws IOException {
    RunDirectory run = new RunDirectory(directory);
    Files.writeString(run.masterLog(), "{\"type\":\"" + "x".repeat(1 << 20) + "\"}\n");
    assertEquals(
        run.masterLog() + " line 1: expected a log record of at most 1048576 bytes, found more",
        problem(run::masterRecords));
  }

  @Test
  void deepNestingIsRejectedByFileAndLine() throws IOException {
    RunDirectory run = new RunDirectory(directory);
    Files.writeString(run.masterLog(), "[".repeat(1 << 19) + "\n");
    String message = assertThrows(IOException.class, run::masterRecords).getMessage();
    assertTrue(message.startsWith(run.masterLog() + " line 1: expected a log record"), message);
  }

  @Test
  void aDescriptionThatLooksLikeAnotherEncodingIsRejectedByFileAndLine() throws IOException {
    RunDirectory run = new RunDirectory(directory);
    Files.write(run.info(), new byte[] {0, 0, (byte) 0xff, (byte) 0xfe});
    IOException e = assertThrows(IOException.class, run::read);
    assertTrue(e.getMessage().startsWith(run.info() + " line 1: expected "), e.getMessage());
  }

  @Test
  void escapesInALogDoNotReachTheTerminal() throws IOException {
    RunDirectory run = new RunDirectory(directory);
    Files.writeString(run.masterLog(), "\u001b[2J\n");
    String message = assertThrows(IOException.class, run::masterRecords).getMessage();
    assertTrue(message.contains("found \\x1b[2J"), message);
  }

  @Test
  void aRunIsNamedByItsPathOrItsNameInTheFolder() throws IOException {
    Path inside = Files.createDirectories(directory.resolve("first"));

    assertEquals(inside, RunDirectory.named("first", directory).path());
    assertEquals(inside, RunDirectory.named(inside.toString(), Path.of("other")).path());
    assertEquals(Path.of("second"), RunDirectory.named("second", directory).path());
  }
}
