package io.github.amb.core.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.file.DataLimits;
import io.github.amb.core.file.Disk;
import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTruncationTest {
  @TempDir Path directory;
  private RunDirectory run;
  private Superseded aside;

  /** Three steps, the second and third of which were tested from outside. */
  @BeforeEach
  void record() throws IOException {
    run = new RunDirectory(directory);
    aside = new Superseded(run, Disk.REAL);
    try (RecordLog log = new RecordLog(run);
        EvaluatorLog evaluator = new EvaluatorLog(run)) {
      for (long step = 1; step <= 3; step++) {
        log.accept(new StepRecord(step, step, 2, 0.001, 128, 128, 0, 0, 0, 0));
      }
      evaluator.append(new EvaluationRecord(2, 2, 1, 0.5, 10, 0.1));
      evaluator.append(new EvaluationRecord(3, 3, 1, 0.5, 10, 0.1));
    }
  }

  private void truncate(long step) throws IOException {
    new LogTruncation(run, step, false, Disk.REAL).apply(aside);
  }

  private static List<Long> steps(RunDirectory run) throws IOException {
    return run.masterRecords().stream().map(record -> ((StepRecord) record).step()).toList();
  }

  @Test
  void laterRecordsAreMovedAside() throws IOException {
    truncate(2);
    assertEquals(List.of(1L, 2L), steps(run));
    assertEquals(List.of(3L), steps(new RunDirectory(aside.place().orElseThrow())));
  }

  @Test
  void laterEvaluationsAreMovedAside() throws IOException {
    truncate(2);
    assertEquals(1, run.evaluatorRecords().size());
    assertEquals(1, new RunDirectory(aside.place().orElseThrow()).evaluatorRecords().size());
  }

  /** A result that was dropped after step 3, and a test of step 3 that ended after step 4. */
  private void recordMore() throws IOException {
    try (RecordLog log = new RecordLog(run, StandardOpenOption.CREATE, Disk.REAL, warning -> {})) {
      log.accept(new DropRecord(3.5, 3, 1, 64, 1, 1, 0, 0.5));
      log.accept(new StepRecord(4, 4, 2, 0.001, 128, 128, 0, 0, 0, 0));
      log.accept(new EvaluationRecord(3, 3, 1, 0.5, 10, 0.1));
    }
  }

  @Test
  void whatWasDroppedAfterTheStepIsMovedAside() throws IOException {
    recordMore();
    truncate(3);
    assertEquals(4, run.masterRecords().size());
    assertInstanceOf(EvaluationRecord.class, run.masterRecords().get(3));
  }

  @Test
  void evaluationsToBeRepeatedAreMovedAside() throws IOException {
    recordMore();
    new LogTruncation(run, 3, true, Disk.REAL).apply(aside);
    assertEquals(List.of(1L, 2L, 3L), steps(run));
  }

  @Test
  void noRecordIsTouchedIfNoneIsLater() throws IOException {
    byte[] before = Files.readAllBytes(run.masterLog());
    truncate(3);
    assertEquals(new String(before), Files.readString(run.masterLog()));
    assertTrue(aside.place().isEmpty());
  }

  @Test
  void aLineWithoutItsEndIsRemoved() throws IOException {
    byte[] torn = {'{', '"', (byte) 0xc3};
    Files.write(run.masterLog(), torn, StandardOpenOption.APPEND);
    truncate(3);
    assertEquals(List.of(1L, 2L, 3L), steps(run));
  }

  @Test
  void aRunThatBeginsAgainGivesAllItsLogsAway() throws IOException {
    Files.writeString(run.masterLog(), "no record\n", StandardOpenOption.APPEND);
    byte[] before = Files.readAllBytes(run.masterLog());
    truncate(-1);
    assertTrue(Files.notExists(run.masterLog()));
    assertTrue(Files.notExists(run.evaluatorLog()));
    RunDirectory place = new RunDirectory(aside.place().orElseThrow());
    assertEquals(new String(before), Files.readString(place.masterLog()));
  }

  @Test
  void aLineThatIsTooLongIsNamedBeforeAnyChange() throws IOException {
    String line = " ".repeat(DataLimits.LOG_LINE_BYTES) + "\n";
    Files.writeString(run.masterLog(), line.replaceFirst(" ", "{}"), StandardOpenOption.APPEND);
    var error =
        assertThrows(UsageException.class, () -> new LogTruncation(run, 2, false, Disk.REAL));
    assertEquals(
        run.masterLog() + " line 4: expected a log record of at most 1048576 bytes, found more",
        error.getMessage());
  }

  @Test
  void aLineThatIsNoRecordIsNamedBeforeAnyChange() throws IOException {
    Files.writeString(run.masterLog(), "{}\n", StandardOpenOption.APPEND);
    var error = assertThrows(IOException.class, () -> new LogTruncation(run, 2, false, Disk.REAL));
    assertEquals(run.masterLog() + ":4: expected a record, found {}", error.getMessage());
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(2, files.count());
    }
  }

  /** Whichever change is the last one: each record is in the log or aside. */
  @Test
  void aKillAtAnyChangeLosesNoRecord() throws IOException {
    for (int change = 1; change <= 5; change++) {
      int[] left = {change};
      Disk killed =
          () -> {
            if (--left[0] <= 0) {
              throw new IOException("killed");
            }
          };
      Superseded place = new Superseded(run, killed);
      LogTruncation truncation = new LogTruncation(run, 2, false, killed);
      assertThrows(IOException.class, () -> truncation.apply(place));
      boolean kept = steps(run).equals(List.of(1L, 2L, 3L));
      boolean moved =
          place.place().map(RunDirectory::new).filter(there -> holdsThird(there)).isPresent();
      assertTrue(kept || moved && steps(run).equals(List.of(1L, 2L)), "change " + change);
    }
    truncate(2);
    assertEquals(List.of(1L, 2L), steps(run));
  }

  private static boolean holdsThird(RunDirectory place) {
    try {
      return steps(place).equals(List.of(3L));
    } catch (IOException e) {
      return false;
    }
  }
}
