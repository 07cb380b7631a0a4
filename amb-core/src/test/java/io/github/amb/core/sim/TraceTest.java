package io.github.amb.core.sim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.delay.DelayModels;
import io.github.amb.core.record.RecordLog;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.core.scheme.Scheme;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceTest {
  private static final int WORKERS = 5;
  private static final Scheme AMB = Training.amb(30, 0.03, 8);
  private static final CostModel FREE = CostModel.perExample(0);

  @TempDir Path directory;
  private RunDirectory recorded;
  private Training original;

  @BeforeEach
  void record() throws IOException {
    CostModel costs = new CostModel(1e-3, 3e-3, 1e-4, 0, 1e-3, 1e6);
    original =
        Training.run(
            new VirtualCluster(WORKERS + 1, costs, costs.workTime(1, 1, 0.5, 2), 1),
            AMB,
            Training::softmax,
            rank -> DelayModels.named("cedar").scaled(0.2),
            20);
    recorded = new RunDirectory(directory);
    try (RecordLog log = new RecordLog(recorded)) {
      original.records.forEach(log);
    }
  }

  private Training replay(Scheme scheme, Trace trace) {
    var cluster = new VirtualCluster(WORKERS + 1, FREE, trace.workTime(FREE.workTime()), 1);
    return Training.run(cluster, scheme, Training::softmax, trace::delays, 20);
  }

  private static List<List<Object>> work(Training run) {
    return run.workers().stream()
        .sorted(
            java.util.Comparator.comparing(WorkerRecord::masterStep)
                .thenComparing(WorkerRecord::rank))
        .map(
            r ->
                List.<Object>of(
                    r.rank(), r.numSamples(), r.partitions(), r.sleepTime(), r.computeTime()))
        .toList();
  }

  @Test
  void aReplayComputesTheSameParametersAndTimes() throws IOException {
    assertTrue(original.workers().stream().map(WorkerRecord::numSamples).distinct().count() > 3);
    Training replayed = replay(AMB, Trace.read(recorded, WORKERS));
    assertArrayEquals(original.parameters(), replayed.parameters());
    assertEquals(work(original), work(replayed));
  }

  @Test
  void anotherBatchSizeIsRefused() throws IOException {
    Trace trace = Trace.read(recorded, WORKERS);
    var e = assertThrows(UsageException.class, () -> replay(Training.amb(31, 0.03, 8), trace));
    assertTrue(e.getMessage().contains("the run's own batch size"), e.getMessage());
  }

  @Test
  void aMissingWorkerIsRefused() {
    var e = assertThrows(UsageException.class, () -> Trace.read(recorded, WORKERS + 1));
    assertTrue(e.getMessage().contains("worker 6"), e.getMessage());
  }
}
