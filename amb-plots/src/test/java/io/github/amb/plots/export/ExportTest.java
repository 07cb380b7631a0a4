package io.github.amb.plots.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import io.github.amb.plots.ExampleRun;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExportTest {
  @TempDir Path folder;

  @Test
  void eventsAreReadBackWithTheirChecksums() throws IOException {
    Run run = read(new ExampleRun("fmb").steps(4).evaluateEvery(2).workers(2));

    Path file = Export.TENSORBOARD.write(List.of(run), folder.resolve("tb")).get(0);

    List<EventReader.Scalar> events = EventReader.read(file);
    assertEquals("brain.Event:2", events.get(0).tag());
    assertEquals(4, events.stream().filter(e -> e.tag().equals("cost")).count());
    List<EventReader.Scalar> accuracy =
        events.stream().filter(e -> e.tag().equals("accuracy")).toList();
    assertEquals(List.of(2L, 4L), accuracy.stream().map(EventReader.Scalar::step).toList());
    EvaluationRecord last = run.evaluations().get(1);
    assertEquals((float) last.accuracy(), accuracy.get(1).value());
    double start = Instant.parse("2026-01-01T00:00:00Z").getEpochSecond();
    assertEquals(start + last.time(), accuracy.get(1).wallTime(), 1e-6);
    assertTrue(events.stream().anyMatch(e -> e.tag().equals("worker_2/compute_time")));
    assertTrue(events.stream().noneMatch(e -> e.value() < 0), "unknown times are left out");
  }

  @Test
  void damagedEventsAreNoticedByTheReader() throws IOException {
    Run run = read(new ExampleRun("fmb").steps(1));
    Path file = Export.TENSORBOARD.write(List.of(run), folder.resolve("tb")).get(0);
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 6] ^= 1;
    Files.write(file, bytes);

    assertThrows(AssertionError.class, () -> EventReader.read(file));
  }

  @Test
  void esyncsJsonHasItsLists() throws IOException {
    Run run =
        read(
            new ExampleRun("fmb")
                .steps(3)
                .evaluateEvery(1)
                .with("network", "alexnet")
                .with("shards", "by-class"));

    Path file = Export.ESYNC.write(List.of(run), folder.resolve("es")).get(0);

    assertEquals(folder.resolve("es/alexnet/sync-niid/Sync-Non-IID.json"), file);
    JsonNode devices = new ObjectMapper().readTree(file.toFile()).required("localhost");
    JsonNode first = devices.required("worker1");
    assertEquals("[0.259,0.375,0.459]", first.required("accuracy_list").toString());
    assertEquals("[64,64,64]", first.required("num_samples_list").toString());
    assertEquals("[4,4,4]", first.required("self_iters_list").toString());
    // A gradient comes at 2, 4, 6; sending 0.1, receiving 0.4 and leaving 0.1, told by the next,
    // end
    // the round, whose time is rounded.
    assertEquals("[3,5,6]", first.required("elapsed_time_list").toString());
    assertEquals("[0.6,0.6,0.0]", first.required("aggregate_time_list").toString());
    assertEquals("[]", devices.required("worker2").required("accuracy_list").toString());
  }

  @Test
  void esyncsIterationsIncludeTheExchange() throws IOException {
    Run run = read(new ExampleRun("esync").steps(1).with("esync-partitions", 2));

    Path file = Export.ESYNC.write(List.of(run), folder.resolve("es")).get(0);

    // Four slices are two iterations of two.
    assertTrue(Files.readString(file).contains("\"self_iters_list\": [3]"), Files.readString(file));
  }

  @Test
  void accuraciesAreThoseOfTheFirstWorkersRounds() throws IOException {
    Path run =
        new ExampleRun("async").workers(1).steps(3).seed(0).evaluateEvery(1).write(folder).path();
    // The second gradient is for the third update: of the accuracies until then the last counts.
    Path log = run.resolve("worker-1.jsonl");
    List<String> lines = Files.readAllLines(log);
    Files.write(log, List.of(lines.get(0), lines.get(2)));

    Path file =
        Export.ESYNC
            .write(List.of(RunReader.read(new RunDirectory(run))), folder.resolve("es"))
            .get(0);

    // 1 - 1 / (1 + step / 4) at steps 1 and 3.
    assertTrue(
        Files.readString(file).contains("\"accuracy_list\": [0.2, 0.429]"), Files.readString(file));
  }

  /** What ESync's own summary.py makes of the same files. */
  @Test
  void esyncsLogsAreSummarizedInTheBytesOfItsOwnProgram() throws IOException {
    Path run = folder.resolve("resnet18-v1/esync");
    esyncLog(run, "cloud1/gpu0", 1, 2, 0.8125, 192, 4.5, "");
    esyncLog(run, "cloud1/gpu0", 2, 1, 12, 128, 9.5, "");
    esyncLog(run, "cloud3/cpu", 1, 0, 0.0001, 64, 4.4999, ", \"accuracy\": 0.9255");
    esyncLog(run, "cloud3/cpu", 2, 0, 0.05, 64, 8.51, ", \"accuracy\": 1.0");

    Path file =
        Export.ESYNC
            .write(List.of(RunReader.read(new RunDirectory(run))), folder.resolve("es"))
            .get(0);

    assertEquals(folder.resolve("es/resnet18-v1/esync/ESync.json"), file);
    assertEquals(
        "{\"cloud1\": {\"gpu0\": {\"accuracy_list\": [], \"num_samples_list\": [192, 128],"
            + " \"self_iters_list\": [3, 2], \"elapsed_time_list\": [4, 10],"
            + " \"aggregate_time_list\": [0.8125, 12.0]}},"
            + " \"cloud3\": {\"cpu\": {\"accuracy_list\": [0.925, 1.0],"
            + " \"num_samples_list\": [64, 64], \"self_iters_list\": [1, 1],"
            + " \"elapsed_time_list\": [4, 9], \"aggregate_time_list\": [0.0001, 0.05]}}}",
        Files.readString(file));
  }

  private static void esyncLog(
      Path run,
      String device,
      int round,
      int iterations,
      double exchange,
      int samples,
      double elapsed,
      String accuracy)
      throws IOException {
    StringBuilder time = new StringBuilder();
    for (int i = 1; i <= iterations; i++) {
      time.append("\"").append(i).append("\": {\"check ready\": 0.01, \"get_batch\": 0.02, ");
      time.append("\"forward and backward\": 1.5, \"local update\": 0.1}, ");
    }
    Files.createDirectories(run.resolve(device));
    Files.writeString(
        run.resolve(device).resolve("iter-" + round + ".txt"),
        ("{\"num_iters\": %d, \"time\": {%s\"%d\": {\"check ready\": 0.01, \"global update\": %s,"
                + " \"evaluation\": 0.2}}, \"num_samples\": %d, \"total_time\": %s%s}")
            .formatted(round, time, iterations + 1, exchange, samples, elapsed, accuracy));
  }

  @Test
  void twoRunsForOneFileAreRejected() {
    List<Run> runs =
        List.of(read(new ExampleRun("fmb").id("a")), read(new ExampleRun("fmb").id("b").seed(2)));

    assertTrue(
        assertThrows(UsageException.class, () -> Export.ESYNC.write(runs, folder.resolve("es")))
            .getMessage()
            .contains("expected one run for this file"));
  }

  @Test
  void csvGoesThereAndBack() throws IOException {
    Run run = read(new ExampleRun("amb-dg").steps(6).staleness(1).with("data-set", "digits"));

    List<Path> files = Export.AMB_CSV.write(List.of(run), folder.resolve("csv"));
    Run back = RunReader.read(new RunDirectory(files.get(0).getParent()));

    assertEquals(
        "time,step,loss,learning_rate,test_loss,accuracy", Files.readAllLines(files.get(0)).get(0));
    assertEquals(
        "time,master_step,rank,worker_master_step,num_samples,last_send,last_recv,last_exit,"
            + "sleep_time,compute_time,master_wait_time",
        Files.readAllLines(files.get(1)).get(0));
    assertEquals("amb-dg", back.info().configured("scheme", ""));
    assertEquals(
        run.steps().stream().map(StepRecord::totalSamples).toList(),
        back.steps().stream().map(StepRecord::totalSamples).toList());
    assertEquals(run.workers().size(), back.workers().size());
    assertEquals(1, back.workers().get(0).staleness());
    assertEquals(run.collections(), back.collections());
    assertEquals(run.evaluations().size(), back.evaluations().size());
  }

  private Run read(ExampleRun run) {
    return RunReader.read(run.write(folder));
  }

  /** Names that would be other folders, or no text, if they were taken as they are. */
  @Test
  void everyFileIsBelowTheFolderWhateverTheNames() throws IOException {
    Run run = read(new ExampleRun("fmb").steps(2));
    for (String name : List.of("../../up", "/root", "..", "\u0000\u001b", "a/b", "x".repeat(400))) {
      RunInfo info = run.info();
      Map<String, Object> settings = new LinkedHashMap<>(info.configuration());
      for (String setting : List.of("scheme", "network", "note", name)) {
        settings.put(setting, name);
      }
      RunInfo renamed =
          new RunInfo(
              1, name, info.started(), List.of(), settings, 1, Map.of(), Map.of(), info.ending());
      Run hostile = new Run(run.directory(), renamed, run.master(), run.workers(), 2);
      for (Export export : Export.values()) {
        Path out = folder.resolve("out");
        for (Path file : export.write(List.of(hostile), out)) {
          assertTrue(file.normalize().startsWith(out), file.toString());
          assertTrue(Files.isRegularFile(file));
          if (file.toString().endsWith(".json")) {
            new ObjectMapper().readTree(file.toFile());
          }
        }
      }
    }
  }

  @Test
  void nothingIsExportedThroughALink() throws IOException {
    Run run = read(new ExampleRun("fmb").steps(2));
    Path out = Files.createDirectories(folder.resolve("out"));
    Path elsewhere = Files.createDirectories(folder.resolve("elsewhere"));
    Files.createSymbolicLink(out.resolve(run.id()), elsewhere);
    for (Export export : List.of(Export.AMB_CSV, Export.TENSORBOARD)) {
      assertThrows(UsageException.class, () -> export.write(List.of(run), out));
    }
    try (var files = Files.list(elsewhere)) {
      assertEquals(0, files.count());
    }
  }
}
