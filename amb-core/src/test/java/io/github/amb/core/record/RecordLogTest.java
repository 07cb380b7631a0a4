package io.github.amb.core.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.amb.core.Seeds;
import io.github.amb.core.file.Disk;
import io.github.amb.core.file.LostRecordsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordLogTest {
  private static final StepRecord STEP =
      new StepRecord(1.5, 1, 2.302585, 0.001, 120, 120, 0.0625, 0.125, 4096, 1L << 40);
  private static final CollectRecord COLLECT = new CollectRecord(1.25, 1, 2, 0.5, 120);
  private static final EvaluationRecord EVALUATION =
      new EvaluationRecord(1.5, 1, 2.25, 0.1, 1000, 0.25);

  @TempDir Path directory;
  private RunDirectory run;

  @BeforeEach
  void openRun() {
    run = new RunDirectory(directory);
  }

  private static WorkerRecord worker(int rank) {
    return new WorkerRecord(1, 1, rank, 60, 15, false, -1, -1, -1, 0.4, 0.875, 0.75, 0);
  }

  private void write(LogRecord... records) throws IOException {
    try (RecordLog log = new RecordLog(run)) {
      List.of(records).forEach(log);
    }
  }

  @Test
  void everyRecordComesBackAsItWas() throws IOException {
    write(COLLECT, worker(2), STEP, worker(10), EVALUATION, worker(2));
    assertEquals(List.of(COLLECT, STEP, EVALUATION), run.masterRecords());
    assertEquals(List.of(worker(2), worker(2)), run.workerRecords(2));
    assertEquals(List.of(worker(10)), run.workerRecords(10));
    assertEquals(List.of(2, 10), run.workers());
  }

  @Test
  void metricsComeBackInTheirOrder() throws IOException {
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("perplexity", 6.5);
    metrics.put("bits_per_character", Double.NaN);
    var tested = new EvaluationRecord(1.5, 1, 2.25, Double.NaN, 1000, 0.25, metrics);
    write(tested);
    EvaluationRecord found = (EvaluationRecord) run.masterRecords().get(0);
    assertEquals(tested, found);
    assertEquals(List.copyOf(metrics.keySet()), List.copyOf(found.metrics().keySet()));
    assertEquals(
        "test_loss = 2.25000, perplexity = 6.50000, bits_per_character = NaN", found.scores());
  }

  @Test
  void numbersThatJsonLacksComeBackAsWell() throws IOException {
    var diverged =
        new StepRecord(0.1 + 0.2, 1, Double.NaN, Double.POSITIVE_INFINITY, 1, 1, 0, 0, 0, 0);
    write(diverged);
    assertEquals(List.of(diverged), run.masterRecords());
  }

  @Test
  void fieldsHaveThePredecessorsNames() throws IOException {
    write(STEP, COLLECT, EVALUATION, worker(1));
    List<String> master = Files.readAllLines(run.masterLog());
    assertEquals(
        List.of(
            "type",
            "time",
            "step",
            "loss",
            "learning_rate",
            "num_samples",
            "total_samples",
            "update_time",
            "send_time",
            "bytes_sent",
            "bytes_received"),
        fields(master.get(0)));
    assertEquals(
        List.of("type", "time", "step", "worker_count", "wait_time", "total_samples"),
        fields(master.get(1)));
    assertEquals(
        List.of("type", "time", "step", "test_loss", "accuracy", "test_size", "duration"),
        fields(master.get(2)));
    assertEquals(
        List.of(
            "type",
            "time",
            "master_step",
            "rank",
            "num_samples",
            "partitions",
            "exhausted",
            "last_send",
            "last_recv",
            "last_exit",
            "sleep_time",
            "compute_time",
            "master_wait_time",
            "staleness"),
        fields(Files.readString(run.workerLog(1))));
  }

  private static List<String> fields(String json) throws IOException {
    JsonNode node = new ObjectMapper().readTree(json);
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @Test
  void aLineCanBeReadAsSoonAsItIsWritten() throws IOException {
    try (RecordLog log = new RecordLog(run)) {
      log.accept(STEP);
      log.accept(worker(1));
      assertEquals(List.of(STEP), run.masterRecords());
      assertEquals(List.of(worker(1)), run.workerRecords(1));
    }
  }

  @Test
  void aRunNeverOverwritesAnother() throws IOException {
    write(STEP);
    assertThrows(FileAlreadyExistsException.class, () -> new RecordLog(run));
    assertEquals(List.of(STEP), run.masterRecords());
  }

  @Test
  void aLastLineCutOffByACrashIsLeftOut() throws IOException {
    write(STEP, COLLECT);
    String text = Files.readString(run.masterLog());
    int second = text.indexOf('\n') + 1;
    for (int length = second; length < text.length(); length++) {
      Files.writeString(run.masterLog(), text.substring(0, length));
      assertEquals(List.of(STEP), run.masterRecords(), "cut at " + length);
    }
  }

  @Test
  void aMalformedLineIsReportedWithFileAndLine() throws IOException {
    write(STEP, COLLECT, EVALUATION);
    List<String> lines = Files.readAllLines(run.masterLog());
    for (String bad :
        List.of(
            "",
            "{",
            "[]",
            "7",
            "null",
            lines.get(2) + lines.get(2),
            "{\"type\":\"stp\"}",
            "{\"time\":1}")) {
      Files.write(run.masterLog(), List.of(lines.get(0), bad, lines.get(2)));
      var error = assertThrows(IOException.class, run::masterRecords, bad);
      String place = run.masterLog() + " line 2: expected a log record, found ";
      assertTrue(error.getMessage().startsWith(place), error.getMessage());
    }
  }

  @Test
  void aLongBadLineIsAbbreviatedInTheReport() throws IOException {
    Files.writeString(run.masterLog(), "x".repeat(10_000) + "\n");
    var error = assertThrows(IOException.class, run::masterRecords);
    assertTrue(error.getMessage().length() < 1000, error.getMessage());
  }

  @Test
  void fieldsOfFutureVersionsAreIgnored() throws IOException {
    write(STEP);
    String line = Files.readString(run.masterLog());
    Files.writeString(run.masterLog(), line.replace("{", "{\"humidity\":[1,{\"a\":2}],"));
    assertEquals(List.of(STEP), run.masterRecords());
  }

  @Test
  void aWorkerWithoutALogHasNoRecords() throws IOException {
    write(STEP);
    assertEquals(List.of(), run.workerRecords(1));
    assertEquals(List.of(), run.workers());
  }

  @Test
  void aRecordThatCannotBeWrittenIsReportedWithTheRun() throws IOException {
    RecordLog log = new RecordLog(run);
    Files.createDirectory(run.workerLog(1));
    var error = assertThrows(UncheckedIOException.class, () -> log.accept(worker(1)));
    assertTrue(error.getMessage().startsWith(directory + ": cannot write records"));
    var lost = assertThrows(LostRecordsException.class, log::close);
    assertEquals(
        directory + ": 1 records could not be written: 1 of worker-1.jsonl; make room on the disk",
        lost.getMessage());
  }

  @Test
  void recordsHeldForAFullDiskAreWrittenLater() throws IOException {
    boolean[] full = {false};
    Disk disk =
        () -> {
          if (full[0]) {
            throw new IOException("no space");
          }
        };
    List<String> warnings = new ArrayList<>();
    try (RecordLog log = new RecordLog(run, StandardOpenOption.CREATE_NEW, disk, warnings::add)) {
      log.accept(STEP);
      full[0] = true;
      log.accept(COLLECT);
      log.accept(worker(2));
      assertEquals(List.of(STEP), run.masterRecords());
      full[0] = false;
      log.accept(EVALUATION);
      assertEquals(List.of(STEP, COLLECT, EVALUATION), run.masterRecords());
      assertEquals(List.of(worker(2)), run.workerRecords(2));
    }
    assertEquals(2, warnings.size(), warnings.toString());
    assertTrue(warnings.get(0).contains("no space; they are held in memory"), warnings.get(0));
  }

  @Test
  void recordsThatNeverFindRoomAreCountedByLog() throws IOException {
    List<String> warnings = new ArrayList<>();
    Disk disk =
        () -> {
          throw new IOException("no space");
        };
    RecordLog log = new RecordLog(run, StandardOpenOption.CREATE_NEW, disk, warnings::add);
    List.of(STEP, worker(2), COLLECT, worker(1)).forEach(log);
    var lost = assertThrows(LostRecordsException.class, log::close);
    assertEquals(
        directory
            + ": 4 records could not be written: 2 of master.jsonl, 1 of worker-1.jsonl,"
            + " 1 of worker-2.jsonl; make room on the disk",
        lost.getMessage());
    assertEquals(1, warnings.size(), warnings.toString());
    assertEquals(List.of(), run.masterRecords());
  }

  /** As where there are too many open files. */
  @Test
  void aLogThatCannotBeWrittenHoldsUpNoOther() throws IOException {
    RecordLog log = new RecordLog(run, StandardOpenOption.CREATE_NEW, Disk.REAL, warning -> {});
    for (int rank = 1; rank <= 20; rank += 2) {
      Files.createDirectory(run.workerLog(rank));
    }
    for (int rank = 1; rank <= 20; rank++) {
      log.accept(worker(rank));
    }
    for (int rank = 2; rank <= 20; rank += 2) {
      assertEquals(List.of(worker(rank)), run.workerRecords(rank));
    }
    var lost = assertThrows(LostRecordsException.class, log::close);
    assertTrue(lost.getMessage().contains(": 10 records"), lost.getMessage());
  }

  /** Whatever the disk rejects, a record is in its log or counted. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void noRecordIsLostUncounted(int seed) throws IOException {
    Random random = new Random(Seeds.of(seed));
    Disk disk =
        () -> {
          if (random.nextInt(3) > 0) {
            throw new IOException("no space");
          }
        };
    long counted = 0;
    try (RecordLog log = new RecordLog(run, StandardOpenOption.CREATE_NEW, disk, warning -> {})) {
      for (int i = 0; i < 50; i++) {
        log.accept(i % 2 == 0 ? STEP : worker(1));
      }
    } catch (LostRecordsException e) {
      counted = Long.parseLong(e.getMessage().replaceAll(".*: (\\d+) records could.*", "$1"));
    }
    long written = run.masterRecords().size() + run.workerRecords(1).size();
    assertEquals(50, written + counted);
  }
}
