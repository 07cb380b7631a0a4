package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.WorkerRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the virtual cluster with real processes. */
@Tag("lab")
class EnginesTest {
  @TempDir Path directory;

  private RunDirectory train(String name, String command) throws IOException, InterruptedException {
    AmbProcess amb =
        AmbProcess.run(directory.resolve(name), "train " + command + " --run-directory run");
    assertEquals(0, amb.exitCode(), amb.everythingSaid());
    return new RunDirectory(directory.resolve(name).resolve("run"));
  }

  private static String sha256(RunDirectory run) throws IOException {
    return run.read().ending().parametersSha256();
  }

  private static List<Long> samples(RunDirectory run, int rank) throws IOException {
    List<LogRecord> records = run.workerRecords(rank);
    return records.stream().map(record -> ((WorkerRecord) record).numSamples()).toList();
  }

  @Test
  void fmbGivesTheSameBitsOnBoth() throws IOException, InterruptedException {
    String command = "toy fmb rms 16 --workers 2 --last-step 4 --evaluate last";
    RunDirectory real = train("mpj", command);
    RunDirectory virtual = train("sim", command + " --engine sim --cost-per-example 0.1");
    assertEquals(sha256(real), sha256(virtual));
  }

  @Test
  void aReplayOfARealAmbRunGivesItsBits() throws IOException, InterruptedException {
    RunDirectory real =
        train(
            "mpj",
            "toy amb rms 512 --amb-time-limit 0.02 --amb-num-partitions 128 --workers 2"
                + " --induce 0.02,0.01,1 --last-step 6 --evaluate last");
    // A delay longer than the time limit leaves time for one partition, however fast it is.
    assertTrue(samples(real, 1).stream().anyMatch(n -> n < 512), "expected partial batches");
    RunDirectory virtual = train("sim", "--replay " + real.path());
    assertEquals(sha256(real), sha256(virtual));
    for (int rank = 1; rank <= 2; rank++) {
      assertEquals(samples(real, rank), samples(virtual, rank));
    }
  }

  /** The order of gradients depends on the machine; a replay takes the recorded order. */
  @Test
  void aReplayOfARealAsyncRunGivesItsBits() throws IOException, InterruptedException {
    RunDirectory real =
        train(
            "mpj", "toy async rms 32 --workers 3 --induce 0,0.01,1 --last-step 24 --evaluate last");
    RunDirectory virtual = train("sim", "--replay " + real.path());
    assertEquals(sha256(real), sha256(virtual));
    boolean stale = false;
    for (int rank = 1; rank <= 3; rank++) {
      assertEquals(staleness(real, rank), staleness(virtual, rank));
      stale |= staleness(real, rank).stream().anyMatch(s -> s > 0);
    }
    assertTrue(stale, "expected stale gradients");
  }

  private static List<Long> staleness(RunDirectory run, int rank) throws IOException {
    List<LogRecord> records = run.workerRecords(rank);
    return records.stream().map(record -> ((WorkerRecord) record).staleness()).toList();
  }
}
