package io.github.amb.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.bench.harness.Sample;
import io.github.amb.core.record.RecordLog;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import java.nio.file.Path;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StepCostsTest {
  private static WorkerRecord worker(int step, int rank, double send, double compute, double wait) {
    return new WorkerRecord(0, step, rank, 64, 1, false, send, 0, 0, 0, compute, wait, 0);
  }

  private static StepRecord master(int step, double time, double update, double send) {
    return new StepRecord(time, step, 1, 1, 1, 1, update, send, 0, 0);
  }

  /** Two workers, four steps; the second and third count. */
  private static StepCosts costs(Path directory) throws Exception {
    RunDirectory run = new RunDirectory(directory);
    try (RecordLog log = new RecordLog(run)) {
      double[] ends = {5, 5.2, 5.5, 9};
      for (int i = 0; i < ends.length; i++) {
        int step = i + 1;
        double compute = 0.1 * step;
        log.accept(worker(step, 1, 0.01 * step, 0.05, 0.06));
        log.accept(worker(step, 2, 0.001, compute * 0.5, compute * 0.5 + 0.02));
        log.accept(master(step, ends[i], 0.004, 0.03));
      }
    }
    return StepCosts.of(run, 2, 1);
  }

  @Test
  void aStepIsSplitWithoutRest(@TempDir Path directory) throws Exception {
    StepCosts costs = costs(directory);
    check(costs, StepCosts.Step::time, 0.2, 0.3);
    check(costs, StepCosts.Step::compute, 0.1, 0.15);
    check(costs, StepCosts.Step::overhead, 0.1, 0.15);
    check(costs, StepCosts.Step::transfer, 0.02, 0.02);
    check(costs, StepCosts.Step::send, 0.03, 0.03);
    check(costs, StepCosts.Step::update, 0.004, 0.004);
    check(costs, StepCosts.Step::rest, 0.2 - 0.03 - 0.12 - 0.004, 0.3 - 0.03 - 0.17 - 0.004);
    check(costs, s -> s.overhead() - s.send() - s.transfer() - s.update() - s.rest(), 0, 0);
  }

  @Test
  void aSendIsReportedWithTheNextStep(@TempDir Path directory) throws Exception {
    check(costs(directory), StepCosts.Step::workerSend, 0.03, 0.04);
  }

  private static void check(
      StepCosts costs, ToDoubleFunction<StepCosts.Step> cost, double min, double max) {
    Sample sample = costs.sample(cost);
    assertEquals(2, sample.count());
    assertEquals(min, sample.min(), 1e-12);
    assertEquals(max, sample.max(), 1e-12);
  }
}
