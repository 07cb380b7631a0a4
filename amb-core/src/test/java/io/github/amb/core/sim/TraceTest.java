package io.github.amb.core.sim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.delay.DelayModels;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.RecordLog;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.core.scheme.Scheme;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceTest {
  private static final int WORKERS = 5;
  private static final Scheme AMB = SimulatedTraining.amb(30, 0.03, 8);
  private static final CostModel FREE = CostModel.perExample(0);
  private static final CostModel COSTS = new CostModel(1e-3, 3e-3, 1e-4, 0, 0, 0, 1e-3, 1e6);

  @TempDir Path directory;
  private RunDirectory recorded;
  private SimulatedTraining original;

  @BeforeEach
  void record() throws IOException {
    record(AMB);
  }

  private void record(Scheme scheme) throws IOException {
    original =
        SimulatedTraining.run(
            new VirtualCluster(WORKERS + 1, COSTS, COSTS.workTime(1, 1, 0.5, 2), 1),
            scheme,
            SimulatedTraining::softmax,
            rank -> DelayModels.named("cedar").scaled(0.2),
            20);
    recorded = new RunDirectory(directory);
    try (RecordLog log = new RecordLog(recorded)) {
      original.records.forEach(log);
    }
  }

  private SimulatedTraining replay(Scheme scheme, Trace trace) {
    return replay(scheme, trace, FREE);
  }

  private SimulatedTraining replay(Scheme scheme, Trace trace, CostModel costs) {
    var cluster =
        new VirtualCluster(
            ClusterModel.alike(WORKERS + 1, costs),
            trace.workTime(costs.workTime()),
            1,
            trace.hold());
    return SimulatedTraining.run(cluster, scheme, SimulatedTraining::softmax, trace::delays, 20);
  }

  /** Delays, links and updates take their time in the run, and links none in the replay. */
  @ParameterizedTest
  @CsvSource({
    "fmb,",
    "k-sync, num-aggregate=3",
    "async,",
    "ssp, staleness=1",
    "dcasgd, dcasgd-lambda=1",
    "local-sgd, local-steps=3",
    "diloco, local-steps=2",
    "anytime-sgd, amb-time-limit=0.04",
    "coded, coded-stragglers=2",
  })
  void aReplayHasTheParametersOfSchemesThatWait(String name, String option) throws IOException {
    Scheme scheme =
        option == null ? SimulatedTraining.scheme(name) : SimulatedTraining.scheme(name, option);
    Files.list(directory).forEach(file -> assertTrue(file.toFile().delete()));
    record(scheme);
    SimulatedTraining replayed = replay(scheme, Trace.read(recorded, WORKERS, true));
    assertArrayEquals(original.parameters(), replayed.parameters());
    assertEquals(arrivals(original), arrivals(replayed));
    SimulatedTraining again = replay(scheme, Trace.read(recorded, WORKERS, false), COSTS);
    assertArrayEquals(original.parameters(), again.parameters());
    assertEquals(arrivals(original), arrivals(again));
    assertArrayEquals(times(original), times(again), 1e-9 * original.records.size());
  }

  private static double[] times(SimulatedTraining run) {
    return run.records.stream().mapToDouble(LogRecord::time).toArray();
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MAX_VALUE, 12})
  void aRunWithoutAllItsRecordsIsRejected(int changed) throws IOException {
    List<LogRecord> some = new ArrayList<>(original.records);
    some.remove(original.workers().get(7));
    if (changed < some.size()) {
      some = new ArrayList<>(original.records);
      some.add(changed, new MembershipRecord(0, 2, 2, List.of(1, 2, 3, 4), "rank 5 died", 0));
    }
    Files.list(directory).forEach(file -> assertTrue(file.toFile().delete()));
    try (RecordLog log = new RecordLog(recorded)) {
      some.forEach(log);
    }
    var e = assertThrows(UsageException.class, () -> Trace.read(recorded, WORKERS, true));
    assertTrue(e.getMessage().contains(changed == 12 ? "rank 5 died" : "step 2"), e.getMessage());
  }

  /** Records of older builds do not say how long a dropped result has taken. */
  @Test
  void resultsOfUnknownTimeNeedLinksThatTakeNone() throws IOException {
    Scheme scheme = SimulatedTraining.scheme("k-sync", "num-aggregate=3");
    Files.list(directory).forEach(file -> assertTrue(file.toFile().delete()));
    record(scheme);
    String log = Files.readString(recorded.masterLog());
    Files.writeString(
        recorded.masterLog(), log.replaceAll("(?m)(\"drop\".*),\"partitions.*", "$1}"));
    SimulatedTraining replayed = replay(scheme, Trace.read(recorded, WORKERS, true));
    assertArrayEquals(original.parameters(), replayed.parameters());
    assertThrows(UsageException.class, () -> Trace.read(recorded, WORKERS, false));
  }

  /** Worker, step, staleness and size of every result used, as they came. */
  private static List<List<Object>> arrivals(SimulatedTraining run) {
    return run.workers().stream()
        .map(r -> List.<Object>of(r.rank(), r.masterStep(), r.staleness(), r.numSamples()))
        .toList();
  }

  private static List<List<Object>> work(SimulatedTraining run) {
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
    SimulatedTraining replayed = replay(AMB, Trace.read(recorded, WORKERS, true));
    assertArrayEquals(original.parameters(), replayed.parameters());
    assertEquals(work(original), work(replayed));
  }

  @Test
  void anotherBatchSizeIsRejected() throws IOException {
    Trace trace = Trace.read(recorded, WORKERS, true);
    var e =
        assertThrows(UsageException.class, () -> replay(SimulatedTraining.amb(31, 0.03, 8), trace));
    assertTrue(e.getMessage().contains("the run's own batch size"), e.getMessage());
  }

  @Test
  void aMissingWorkerIsRejected() {
    var e = assertThrows(UsageException.class, () -> Trace.read(recorded, WORKERS + 1, true));
    assertTrue(e.getMessage().contains("worker 6"), e.getMessage());
  }
}
