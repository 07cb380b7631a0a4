package io.github.amb.plots.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.plots.summary.Summary;
import io.github.amb.plots.summary.SummaryColumns;
import io.github.amb.plots.summary.SummaryData;
import io.github.amb.plots.summary.SummaryRow;
import io.github.amb.plots.summary.SummaryTarget;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForeignFormatsTest {
  @TempDir Path folder;

  @Test
  void csvOfThePythonProgramIsARun() throws IOException {
    Path run = ambRun("cifar10__amb");

    Run read = RunReader.read(new RunDirectory(run));

    assertEquals("amb", read.info().configured("scheme", ""));
    assertEquals("rms", read.info().configured("update-rule", ""));
    assertEquals("6.2", read.info().configured("amb-time-limit", ""));
    assertEquals(2, read.workerCount());
    StepRecord last = read.steps().get(1);
    assertEquals(14.2, last.time());
    assertEquals(2, last.step());
    assertEquals(300 + 200, last.numSamples());
    assertEquals(300 + 200 + 356 + 22, last.totalSamples());
    assertEquals(1, read.evaluations().size(), "an empty field is no evaluation");
    WorkerRecord worker = read.workers().get(2);
    assertEquals(0.5, worker.lastRecv());
    assertEquals(5.9, worker.computeTime());
  }

  @Test
  void csvOfOlderVersionsIsARunToo() throws IOException {
    Path run = Files.createDirectories(folder.resolve("old"));
    Files.writeString(
        run.resolve("master_stats.csv"),
        "time,step,loss,learning_rate,accuracy\n4.2,1,2.8,0.001,0.0625\n");
    Files.writeString(
        run.resolve("worker_stats.csv"),
        "time,step,num_samples,last_send,last_bcast,last_exit,sleep_time,compute_time\n"
            + "0.1,1,256.0,-1.0,-1.0,-1.0,0.0,3.2\n0.6,2,256.0,0.009,0.045,0.002,0.0,0.5\n");

    Run read = RunReader.read(new RunDirectory(run));

    assertEquals(0.045, read.workers().get(1).lastRecv());
    assertEquals(2, read.workers().get(1).masterStep());
    assertEquals(256, read.steps().get(0).numSamples());
  }

  @Test
  void whatTheOriginalsCsvLacksIsUnknown() throws IOException {
    Path run = Files.createDirectories(folder.resolve("original"));
    Files.writeString(
        run.resolve("master_stats.csv"), "time,step,loss,accuracy\n4.2,1,2.8,0.5\n8,2,2,0.6\n");
    Files.writeString(
        run.resolve("worker_stats.csv"),
        "time,step,rank,num_samples,compute_time,compute_time_master\n"
            + "4,1,1,256,3.2,3.3\n8,2,1,256,3.1,3.2\n");

    Summary summary =
        Summary.of(
            List.of(new RunDirectory(run)), SummaryTarget.accuracy(OptionalDouble.of(0.5)), null);

    SummaryRow row = summary.rows().get(0);
    assertTrue(Double.isNaN(row.idleShare()));
    assertTrue(Double.isNaN(row.sleepShare()));
    assertEquals("done", row.state());
    String json = SummaryData.json(summary);
    assertTrue(json.contains("\"sleep_time\" : null"), json);
    assertTrue(SummaryColumns.notes(summary).stream().noneMatch(note -> note.contains("NaN")));
  }

  @Test
  void asynchronousCsvHasStaleness() throws IOException {
    Path run = ambRun("async");
    Files.writeString(
        run.resolve("worker_stats.csv"),
        "time,master_step,rank,worker_step,worker_master_step,last_queued_update_count,num_samples\n"
            + "1,5,1,3,2,1,64\n");
    Files.writeString(run.resolve("args.json"), "{\"dist_opt\": \"fmb\", \"dist_sgy\": \"async\"}");

    Run read = RunReader.read(new RunDirectory(run));

    assertEquals(3, read.workers().get(0).staleness());
    assertEquals("fmb-dg", read.info().configured("scheme", ""));
  }

  @Test
  void lastCsvLineOfACrashIsIgnored() throws IOException {
    Path run = ambRun("crash");
    append(run.resolve("master_stats.csv"), "20.1,3,1.");

    assertEquals(2, RunReader.read(new RunDirectory(run)).steps().size());
    append(run.resolve("master_stats.csv"), "\n");
    String message =
        assertThrows(UsageException.class, () -> RunReader.read(new RunDirectory(run)))
            .getMessage();
    assertTrue(message.contains("master_stats.csv line 4: expected 6 numbers"), message);
  }

  @Test
  void esyncsLogsAreARun() throws IOException {
    Path run = esyncRun("esync");

    Run read = RunReader.read(new RunDirectory(run));

    assertEquals("esync", read.info().configured("scheme", ""));
    assertEquals("resnet18-v1", read.info().configured("network", ""));
    assertFalse(read.isNonIid());
    assertEquals(List.of(1, 1, 2, 2), read.workers().stream().map(WorkerRecord::rank).toList());
    // Two devices with 64 and 192 examples a round; a round ends with its last device.
    assertEquals(List.of(256L, 512L), read.steps().stream().map(StepRecord::totalSamples).toList());
    assertEquals(List.of(4.5, 9.0), read.steps().stream().map(StepRecord::time).toList());
    assertEquals(
        List.of(0.31, 0.42), read.evaluations().stream().map(EvaluationRecord::accuracy).toList());
    // gpu0 ends its second round at 9.0, of which 0.8 s are the exchange and 4.0 the first round.
    WorkerRecord second = read.workers().get(3);
    assertEquals(9.0 - 0.8 - 4.0, second.computeTime(), 1e-9);
    assertEquals(0.8, second.lastRecv(), 1e-9);
    // Of the two entries of its log one is the exchange.
    assertEquals(1, second.partitions());
  }

  @Test
  void folderOfEsyncRunsIsSeveralRuns() throws IOException {
    esyncRun("esync");
    esyncRun("sync-niid");

    List<RunDirectory> runs = RunReader.below(folder);

    assertEquals(
        List.of("esync", "sync-niid"),
        runs.stream().map(run -> run.path().getFileName().toString()).toList());
    assertTrue(RunReader.read(runs.get(1)).isNonIid());
    assertEquals("fmb", RunReader.read(runs.get(1)).info().configured("scheme", ""));
  }

  @Test
  void lastEsyncLogOfACrashIsIgnored() throws IOException {
    Path run = esyncRun("esync");
    Files.writeString(run.resolve("cloud1/gpu0/iter-2.txt"), "{\"num_sa");

    assertEquals(1, RunReader.read(new RunDirectory(run)).steps().size());
    Files.writeString(run.resolve("cloud1/gpu0/iter-3.txt"), "{}");
    assertTrue(
        assertThrows(UsageException.class, () -> RunReader.read(new RunDirectory(run)))
            .getMessage()
            .contains("iter-2.txt: expected num_samples"));
  }

  @Test
  void esyncsSummaryIsARun() throws IOException {
    Path run = Files.createDirectories(folder.resolve("alexnet/async"));
    Files.writeString(
        run.resolve("Async.json"),
        """
        {"cloud1": {"gpu0": {"accuracy_list": [0.5], "num_samples_list": [64, 64],
          "self_iters_list": [1, 1], "elapsed_time_list": [2, 5], "aggregate_time_list": [0.5, 1]},
          "cpu": {"accuracy_list": [], "num_samples_list": [64], "self_iters_list": [1],
          "elapsed_time_list": [3], "aggregate_time_list": [1]}}}
        """);

    Run read = RunReader.read(new RunDirectory(run));

    assertEquals(List.of(2.0, 3.0, 5.0), read.steps().stream().map(StepRecord::time).toList());
    assertEquals(List.of(3L), read.evaluations().stream().map(EvaluationRecord::step).toList());
    // gpu0 pushes at 2 and 5, cpu at 3: the one push between gpu0's two is what its second misses.
    assertEquals(
        List.of(1L, 3L, 2L), read.workers().stream().map(WorkerRecord::masterStep).toList());
    assertEquals(
        List.of(0L, 1L, 1L), read.workers().stream().map(WorkerRecord::staleness).toList());
  }

  /** Whatever the files have in them, the answer is a run or a plain message. */
  @Test
  void damagedFilesNeverEndInATrace() throws IOException {
    Random random = new Random(Long.getLong("amb.test.seed", 7));
    for (int i = 0; i < 150; i++) {
      Path amb = ambRun("fuzz" + i);
      Path esync = esyncRun("net" + i + "/esync");
      for (Path file :
          List.of(
              amb.resolve("master_stats.csv"),
              amb.resolve("worker_stats.csv"),
              amb.resolve("args.json"),
              esync.resolve("cloud1/cpu/iter-1.txt"))) {
        damage(file, random);
      }
      for (Path run : List.of(amb, esync)) {
        try {
          RunReader.read(new RunDirectory(run));
        } catch (UsageException e) {
          assertFalse(e.getMessage().isBlank());
        }
      }
    }
  }

  private static void damage(Path file, Random random) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    for (int i = 0; i < 3; i++) {
      bytes[random.nextInt(bytes.length)] = (byte) (32 + random.nextInt(95));
    }
    Files.write(file, bytes);
  }

  private Path ambRun(String name) throws IOException {
    Path run = Files.createDirectories(folder.resolve(name));
    Files.writeString(
        run.resolve("args.json"),
        "{\"model\": \"cifar10\", \"dist_opt\": \"amb\", \"intr_opt\": \"rms\","
            + " \"batch_size\": 356, \"amb_time_limit\": 6.2, \"dist\": [[0, 0, 0.4]]}");
    Files.writeString(
        run.resolve("master_stats.csv"),
        "time,step,loss,learning_rate,test_loss,accuracy\n"
            + "7.1,1,2.3,0.1,2.2,0.1\n"
            + "14.2,2,2.1,0.1,,\n");
    Files.writeString(
        run.resolve("worker_stats.csv"),
        "time,master_step,rank,num_samples,last_send,last_recv,last_exit,sleep_time,compute_time,"
            + "master_wait_time\n"
            + "6.9,1,1,356,-1,-1,-1,0,6.1,6.2\n7.0,1,2,22,-1,-1,-1,5,6.3,6.4\n"
            + "14.0,2,1,300,0.1,0.5,0.01,0,5.9,6.2\n14.1,2,2,200,0.1,0.4,0.01,2,6.2,6.3\n");
    Files.writeString(
        run.resolve("collect_stats.csv"),
        "step,worker_count,wait_time,total_samples\n1,2,0.1,378\n2,2,0.1,500\n");
    return run;
  }

  private Path esyncRun(String mode) throws IOException {
    Path run = folder.resolve("resnet18-v1").resolve(mode);
    log(run.resolve("cloud1/cpu"), 1, 64, 4.5, 0.5, ", \"accuracy\": 0.31");
    log(run.resolve("cloud1/cpu"), 2, 64, 8.9, 0.4, ", \"accuracy\": 0.42");
    log(run.resolve("cloud1/gpu0"), 1, 192, 4.0, 0.8, "");
    log(run.resolve("cloud1/gpu0"), 2, 192, 9.0, 0.8, "");
    return run;
  }

  private static void log(
      Path device, int round, int samples, double elapsed, double exchange, String accuracy)
      throws IOException {
    Files.createDirectories(device);
    Files.writeString(
        device.resolve("iter-" + round + ".txt"),
        """
        {"num_iters": %d, "time": {
          "1": {"check ready": 0.01, "get_batch": 0.02, "forward and backward": 1.5, "local update": 0.1},
          "2": {"check ready": 0.01, "global update": %s, "evaluation": 0.2}},
         "num_samples": %d, "total_time": %s%s}
        """
            .formatted(round, exchange, samples, elapsed, accuracy));
  }

  private static void append(Path file, String text) throws IOException {
    Files.writeString(file, Files.readString(file) + text);
  }
}
