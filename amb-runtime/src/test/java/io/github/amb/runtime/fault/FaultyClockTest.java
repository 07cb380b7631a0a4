package io.github.amb.runtime.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.runtime.train.TrainCommand;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultyClockTest {
  @TempDir Path directory;

  /** Partitions of 0.1 s, and of 0.4 s from the third step on, of which three begin within 1 s. */
  @Test
  void aTimeLimitLeavesAWorkerThatIsSlowFewerPartitions() throws Exception {
    List<WorkerRecord> steps = train("amb rms 80 --amb-time-limit 1 --amb-num-partitions 8");
    assertEquals(
        List.of(80L, 80L, 30L, 30L), steps.stream().map(WorkerRecord::numSamples).toList());
    assertEquals(0.8, steps.get(1).computeTime(), 1e-6);
    assertEquals(1.2, steps.get(2).computeTime(), 1e-6);
  }

  @Test
  void aWholeBatchTakesLonger() throws Exception {
    List<WorkerRecord> steps = train("fmb rms 80");
    assertEquals(0.8, steps.get(1).computeTime(), 1e-6);
    assertEquals(3.2, steps.get(2).computeTime(), 1e-6);
  }

  private List<WorkerRecord> train(String scheme) throws Exception {
    Path run = directory.resolve("run");
    String line =
        "toy "
            + scheme
            + " --workers 2 --engine sim --gradients none --cost-per-example 0.01 --last-step 4"
            + " --inject slow:rank=1,step=3,factor=4 --run-directory "
            + run;
    assertEquals(0, new TrainCommand().run(new ArrayList<>(Arrays.asList(line.split(" ")))));
    return LogRecord.of(WorkerRecord.class, new RunDirectory(run).workerRecords(1));
  }
}
