package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs of the whole program with MPJ Express. */
@Tag("system")
class ProcessTrainingTest {
  private static final String TOY = "train toy fmb rms 16 --last-step 5 --evaluate last ";

  @TempDir Path directory;

  @Tag("lab")
  @Test
  void simultaneousRunsOfOneSeedAreEqual() throws Exception {
    String command = TOY + "--workers 2 --runs-dir " + directory.resolve("runs");
    try (AmbProcess first = AmbProcess.start(directory.resolve("a"), command);
        AmbProcess second = AmbProcess.start(directory.resolve("b"), command)) {
      RunDirectory one = finished(first);
      RunDirectory two = finished(second);
      assertNotEquals(one.path(), two.path());
      checkRun(one);
      checkRun(two);
      assertEquals(sha256(one), sha256(two));
      assertEquals(losses(one), losses(two));
      assertTrue(first.startedProcesses() >= 3, first.everythingSaid());
    }
  }

  @Test
  void oneWorkerComputesWhatLocalTrainingDoes() throws Exception {
    RunDirectory local = train("local", TOY + "--workers 0");
    RunDirectory worker = train("worker", TOY + "--workers 1");
    RunDirectory other = train("other", TOY + "--workers 0 --seed 2");
    assertEquals(sha256(local), sha256(worker));
    assertEquals(losses(local), losses(worker));
    assertNotEquals(sha256(local), sha256(other));
    assertEquals(List.of(1), local.workers());
    assertEquals(5, local.workerRecords(1).size());
    assertFalse(Files.exists(local.console(1)));
    assertEquals(5, lines(local, 0, "Sending \\[16\\] examples, .*"));
    assertEquals(5, lines(local, 0, "step = .*"));
  }

  /** Also through sockets, and where the master asks for the workers' states. */
  @Test
  void slicesOfVectorsLeaveTheBits() throws Exception {
    String job = "train digits fmb rms 16 --network sigmoid-mlp --last-step 6 --evaluate last";
    RunDirectory star = train("star", job + " --workers 3 --engine sim --cost-per-example 0.01");
    String sliced = job + " --workers 3 --topology sliced --checkpoint-every 2";
    RunDirectory shared = train("shared", sliced);
    assertEquals(sha256(star), sha256(shared));
    RunDirectory sockets = train("sockets", sliced + " --shared-memory none");
    assertEquals(sha256(star), sha256(sockets));
    StepRecord last = steps(sockets).get(5);
    assertEquals(1, last.bytesReceived() / (double) last.bytesSent(), 0.1);
  }

  /** In shared memory, where the master asks for states, and through sockets. */
  @Test
  void encodedSlicesGiveTheBitsOfTheVirtualCluster() throws Exception {
    String job =
        "train digits fmb rms 16 --network sigmoid-mlp --workers 2 --topology sliced"
            + " --codec topk:0.05+ef --downlink-codec fp16 --last-step 6 --evaluate last";
    RunDirectory sim = train("sim", job + " --engine sim --cost-per-example 0.01");
    RunDirectory shared = train("shared", job + " --checkpoint-every 2");
    assertEquals(sha256(sim), sha256(shared));
    RunDirectory sockets = train("sockets", job + " --shared-memory none");
    assertEquals(sha256(sim), sha256(sockets));
  }

  /** Also in shared memory, where only headers of large messages go through sockets. */
  @ParameterizedTest
  @ValueSource(strings = {"none", "host"})
  void encryptionLeavesTheBits(String memory) throws Exception {
    String job = "train digits fmb rms 16 --network sigmoid-mlp --last-step 6 --evaluate last";
    RunDirectory sim = train("sim", job + " --engine sim --cost-per-example 0.01");
    RunDirectory encrypted = train("encrypted", job + " --encrypt --shared-memory " + memory);
    assertEquals(sha256(sim), sha256(encrypted));
    assertEquals("on", encrypted.read().configured("encrypt", ""));
  }

  @Test
  void anEvaluatorTestsEveryCheckpoint() throws Exception {
    RunDirectory run =
        train(
            "evaluator",
            "train digits fmb rms 16 --network sigmoid-mlp --workers 1 --last-step 4 --evaluator"
                + " --evaluate last --checkpoint-every 2 --checkpoint-keep 9");
    List<EvaluationRecord> own = evaluations(run.masterRecords());
    List<EvaluationRecord> tested = evaluations(run.evaluatorRecords());
    assertEquals(List.of(2L, 4L), tested.stream().map(EvaluationRecord::step).toList());
    assertEquals(own.get(own.size() - 1).accuracy(), tested.get(1).accuracy(), 1e-12);
    assertEquals(2, Files.readAllLines(run.path().resolve("evaluator.log")).size());
  }

  private static List<EvaluationRecord> evaluations(List<LogRecord> records) {
    return LogRecord.of(EvaluationRecord.class, records);
  }

  @Test
  void delaysLeaveTheFirstPartition() throws Exception {
    RunDirectory run =
        train(
            "amb",
            "train toy amb rms 64 --amb-time-limit 0.01 --amb-num-partitions 16 --induce"
                + " .2,0,1 --workers 2 --last-step 4 --evaluate last");
    for (int rank = 1; rank <= 2; rank++) {
      for (LogRecord record : run.workerRecords(rank)) {
        WorkerRecord step = (WorkerRecord) record;
        assertTrue(step.sleepTime() >= 0.2, step.toString());
        assertTrue(step.computeTime() >= step.sleepTime(), step.toString());
        assertEquals(1, step.partitions(), step.toString());
        assertEquals(4, step.numSamples(), step.toString());
        assertFalse(step.exhausted(), step.toString());
      }
      assertEquals(
          4, lines(run, rank, "Sending \\[4\\] examples, sleep_time \\[\\d+\\.\\d+\\], .*"));
    }
    assertEquals(32, steps(run).get(3).totalSamples());
  }

  @Test
  void anExhaustedBatchIsRecorded() throws Exception {
    RunDirectory run =
        train(
            "exhausted",
            "train toy amb rms 64 --amb-time-limit 1000 --amb-num-partitions 10 --workers 0"
                + " --last-step 3 --evaluate last");
    for (LogRecord record : run.workerRecords(1)) {
      WorkerRecord step = (WorkerRecord) record;
      assertTrue(step.exhausted(), step.toString());
      assertEquals(64, step.numSamples(), step.toString());
      assertEquals(10, step.partitions(), step.toString());
    }
    assertEquals(
        1,
        Files.readAllLines(directory.resolve("exhausted/stderr")).stream()
            .filter(line -> line.startsWith("amb: rank 1 has used its batch before the time limit"))
            .count());
  }

  @Test
  void thePrintedConfigurationRunsTheSame() throws Exception {
    String options = "toy fmb mom 8 --last_step 3 --workers 0 --evaluate last --cuda cpu_master";
    RunDirectory typed = train("typed", "train " + options);
    AmbProcess printed =
        AmbProcess.run(directory.resolve("printed"), "train " + options + " --print-config");
    assertEquals(0, printed.exitCode());
    assertFalse(Files.exists(directory.resolve("printed/runs")));
    Path file = directory.resolve("run.yaml");
    Files.write(file, printed.stdout());
    RunDirectory read = train("read", "train --config " + file);
    assertEquals(sha256(typed), sha256(read));
    assertEquals(typed.read().configuration(), read.read().configuration());
    assertTrue(
        Files.readAllLines(directory.resolve("typed/stderr"))
            .contains(
                "amb: --device cpu_master: all ranks compute on the processor: this program was"
                    + " built without CUDA (scripts/build -Pcuda)"));
  }

  private RunDirectory train(String name, String command) throws Exception {
    return finished(AmbProcess.run(directory.resolve(name), command));
  }

  /** The run directory, which is the program's last line. */
  private static RunDirectory finished(AmbProcess amb) throws IOException, InterruptedException {
    assertEquals(0, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
    List<String> out = amb.stdout();
    RunDirectory run = new RunDirectory(Path.of(out.get(out.size() - 1)));
    RunInfo.Ending ending = run.read().ending();
    assertEquals(0, ending.exitCode());
    assertEquals("done", ending.cause());
    return run;
  }

  private static void checkRun(RunDirectory run) throws IOException {
    RunInfo info = run.read();
    assertEquals(List.of("amb", "train", "toy", "fmb"), info.command().subList(0, 4));
    assertEquals("toy-conv", info.configured("network", ""));
    assertEquals("0.001", info.configured("learning-rate", ""));
    assertEquals(1, info.seed());
    assertEquals(5, info.ending().steps());
    assertTrue(info.ending().seconds() > 0);
    assertEquals(List.of(1, 2), run.workers());
    checkMaster(run);
    for (int rank = 1; rank <= 2; rank++) {
      checkWorker(run, rank);
    }
    assertEquals(5, lines(run, 0, "step = \\d, loss = [\\d.]+, learning_rate = 0\\.001000.*"));
  }

  private static void checkMaster(RunDirectory run) throws IOException {
    List<StepRecord> steps = steps(run);
    assertEquals(5, steps.size());
    for (int i = 0; i < 5; i++) {
      StepRecord step = steps.get(i);
      assertEquals(i + 1, step.step());
      assertEquals(32, step.numSamples());
      assertEquals(32 * (i + 1), step.totalSamples());
      assertTrue(step.bytesReceived() > 2L * (i + 1) * 4 * 57_866, step.toString());
      assertTrue(i == 0 || step.time() > steps.get(i - 1).time(), step.toString());
    }
    List<EvaluationRecord> evaluations = LogRecord.of(EvaluationRecord.class, run.masterRecords());
    assertEquals(1, evaluations.size());
    assertEquals(5, evaluations.get(0).step());
    assertEquals(1000, evaluations.get(0).testSize());
    double accuracy = evaluations.get(0).accuracy();
    assertTrue(accuracy > 0 && accuracy < 0.3, "labels are random: " + accuracy);
    assertEquals(
        Set.of("type", "time", "step", "worker_count", "wait_time", "total_samples"),
        fields(Files.readAllLines(run.masterLog()).get(0)));
  }

  private static void checkWorker(RunDirectory run, int rank) throws IOException {
    List<LogRecord> records = run.workerRecords(rank);
    assertEquals(5, records.size());
    for (int i = 0; i < 5; i++) {
      WorkerRecord step = (WorkerRecord) records.get(i);
      assertEquals(rank, step.rank());
      assertEquals(i + 1, step.masterStep());
      assertEquals(16, step.numSamples());
      assertTrue(step.sleepTime() <= step.computeTime(), step.toString());
      assertEquals(i == 0, step.lastSend() == -1, step.toString());
    }
    assertEquals(
        Set.of(
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
        fields(Files.readAllLines(run.workerLog(rank)).get(0)));
    assertEquals(
        1,
        lines(
            run,
            rank,
            "Sending \\[16\\] examples, compute_time \\[[\\d.e-]+\\], last_idle \\[-1\\],"
                + " last_send \\[-1\\]"));
    assertEquals(5, lines(run, rank, "Sending \\[16\\] examples, .*"));
  }

  private static Set<String> fields(String json) throws IOException {
    JsonNode record = new ObjectMapper().readTree(json);
    Set<String> names = new HashSet<>();
    record.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static List<StepRecord> steps(RunDirectory run) throws IOException {
    return LogRecord.of(StepRecord.class, run.masterRecords());
  }

  private static List<Double> losses(RunDirectory run) throws IOException {
    List<Double> losses = new ArrayList<>();
    steps(run).forEach(step -> losses.add(step.loss()));
    return losses;
  }

  private static long lines(RunDirectory run, int rank, String pattern) throws IOException {
    return Files.readAllLines(run.console(rank)).stream()
        .filter(line -> line.matches(pattern))
        .count();
  }

  private static String sha256(RunDirectory run) throws IOException {
    String sha256 = run.read().ending().parametersSha256();
    assertTrue(sha256.matches("[0-9a-f]{64}"), sha256);
    return sha256;
  }
}
