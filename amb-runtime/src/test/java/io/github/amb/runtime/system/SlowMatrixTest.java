package io.github.amb.runtime.system;

import static io.github.amb.runtime.system.Trial.TOY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.WorkerRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Rows of the fault matrix that take long: slow workers and disks, kills again and again. */
class SlowMatrixTest extends MatrixTest {
  /** Calls of the system until the second checkpoint of a run of one worker is on the disk. */
  private static final int SAVING_CALLS = 21;

  /** The lab tier kills at every fourth call: two of the six are resumed. */
  private static final int LAB_EACH = 4;

  private static final int RESUMED_EACH = 6;

  /** Of a sending worker; in the lab tier at two of the moments. */
  private static final int SENDING_KILLS = WHOLE ? 5 : 2;

  private static final String SAVING =
      "train toy fmb rms 16 --workers 1 --evaluate last --last-step 20 --checkpoint-every 1";

  static List<FaultRow> rows() {
    return List.of(
        FaultRow.of(
                2,
                "kill-sending",
                "five times `kill -9` of rank 2 amid gradients of 13 MB, each replaced; then stopped",
                130,
                "joins; continuing with 3 workers",
                SlowMatrixTest::killedWhileSending)
            .alone("kill-sending"),
        FaultRow.of(
                9,
                "slow-worker",
                "`--inject slow:rank=1,step=2`, by a factor that makes a step take 9 s, `--stall-after 3`",
                0,
                "the longest step",
                SlowMatrixTest::slowWorker)
            .alone("slow"),
        FaultRow.of(
            9,
            "slow-worker-amb",
            "`--inject slow:rank=1,step=2,factor=10`, `amb` with a time limit",
            0,
            "the slow worker's part",
            SlowMatrixTest::slowWorkerOfAmb),
        FaultRow.of(
            22,
            "slow-disk",
            "a file takes 1 s to be safe, `--checkpoint-every 20s`",
            0,
            "the longest step",
            SlowMatrixTest::slowDisk),
        FaultRow.of(
            22,
            "slow-disk-killed",
            "the same, `--checkpoint-every 5`, then `kill -9` of rank 0",
            137,
            "the newest checkpoint is of",
            SlowMatrixTest::slowDiskKilled),
        FaultRow.of(
            23,
            "kill-saving",
            "`kill -9` of the master at each call that saves its first two checkpoints",
            0,
            "the same final bits",
            SlowMatrixTest::killedWhileSaving),
        FaultRow.of(
            28,
            "clock-jumps",
            "the time of day jumps by an hour, to and fro",
            0,
            "the same final bits",
            trial -> {
              trial.complete(preloaded(trial, "clock", TOY + "--last-step 60 --stall-after 8"));
              trial.assertSameBits(TOY + "--last-step 60");
            }));
  }

  private static List<String> preloaded(Trial trial, String fault, String command)
      throws Exception {
    return CProgram.preloaded(trial.home(), fault, AmbProcess.line(command));
  }

  private static void killedWhileSending(Trial trial) throws Exception {
    String run =
        "train digits fmb sgd 4 --network mnist-cnn --workers 3 --shared-memory none"
            + " --respawn 10 --max-time 900 --evaluate last";
    trial.during(
        run,
        amb -> {
          for (int kill = 1; kill <= SENDING_KILLS; kill++) {
            amb.rank(2).destroyForcibly();
            trial.awaitLines(amb, "rank 2 joins; continuing with 3 workers", kill);
            amb.awaitSteps((int) amb.steps() + 1 + kill % 3);
          }
          amb.terminate();
        });
  }

  /** The worker is slower than --stall-after, and stays: fmb waits for it. */
  private static void slowWorker(Trial trial) throws Exception {
    String run = "train digits fmb sgd 300 --network mnist-cnn --workers 3 --evaluate last";
    List<Double> usual = Trial.stepSeconds(trial.aside(run + " --last-step 6"));
    long factor = 1 + Math.round(9 / usual.get(usual.size() / 2));
    String fault = " --dead-after 1 --stall-after 3 --inject slow:rank=1,step=2,factor=" + factor;
    List<String> line = AmbProcess.line(run + " --last-step 2" + fault);
    line.add(1, "-Damb.timeouts.heartbeat=0.2");
    trial.complete(line);
    double longest = trial.longestStep();
    trial.note("the longest step took %.2f s; 3 of 3 workers to the end".formatted(longest));
    assertTrue(longest > 3, "the longest step took only " + longest);
    assertEquals(
        0, trial.run().masterRecords().stream().filter(MembershipRecord.class::isInstance).count());
  }

  /** What the worker has computed by the deadline counts. */
  private static void slowWorkerOfAmb(Trial trial) throws Exception {
    trial.complete(
        "train digits amb sgd 1000 --network mnist-cnn --workers 3 --last-step 4 --evaluate last"
            + " --amb-time-limit 1 --amb-num-partitions 50 --inject slow:rank=1,step=2,factor=10");
    long slow = examples(trial.run(), 1);
    long others = examples(trial.run(), 2) + examples(trial.run(), 3);
    trial.note(
        "the slow worker's part of the sums: %d examples beside %d of two others"
            .formatted(slow, others));
    assertTrue(slow > 0 && slow * 2 < others, slow + " of " + others);
  }

  private static long examples(RunDirectory run, int worker) throws IOException {
    return run.workerRecords(worker).stream()
        .mapToLong(record -> ((WorkerRecord) record).numSamples())
        .sum();
  }

  /** A checkpoint takes 9 s, and no step does. */
  private static void slowDisk(Trial trial) throws Exception {
    trial.complete(preloaded(trial, "slow-sync=1", TOY + "--max-time 34 --checkpoint-every 20s"));
    double longest = trial.longestStep();
    long saved = checkpoints(trial);
    trial.note("%d checkpoints, the longest step took %.2f s".formatted(saved, longest));
    assertTrue(saved >= 2 && longest < 5, saved + " checkpoints, " + longest + " s");
  }

  private static long checkpoints(Trial trial) throws IOException {
    return checkpoints(trial.run());
  }

  private static long checkpoints(RunDirectory run) throws IOException {
    if (Files.notExists(run.checkpoints())) {
      return 0;
    }
    try (Stream<Path> files = Files.list(run.checkpoints())) {
      return files.filter(file -> file.getFileName().toString().startsWith("step-")).count();
    }
  }

  private static void slowDiskKilled(Trial trial) throws Exception {
    trial.during(
        preloaded(trial, "slow-sync=1", TOY + "--max-time 900 --checkpoint-every 5"),
        amb -> {
          amb.awaitWhileRunning(() -> checkpoints(trial) > 0, "a checkpoint");
          trial.acts();
          amb.rank(0).destroyForcibly();
        });
    trial.assertAtMostOld(5);
  }

  /** From the first checkpoint on, there is always an intact one. */
  private static void killedWhileSaving(Trial trial) throws Exception {
    List<Path> saved = new ArrayList<>();
    boolean begun = false;
    for (int call = 1; call <= SAVING_CALLS; call += WHOLE ? 1 : LAB_EACH) {
      Path run = trial.home().resolve("killed-" + call);
      String command = SAVING + " --run-directory " + run;
      trial.awaitEnd(trial.start(preloaded(trial, "kill-at=" + call, command)));
      assertEquals(137, trial.code(), "at call " + call);
      begun |= checkpoints(new RunDirectory(run)) > 0;
      if (call % RESUMED_EACH == 1) {
        trial.complete("train --resume " + run);
        saved.add(run);
      } else if (begun) {
        trial.complete(
            "export %s --output %s".formatted(run, run.resolveSibling("exported-" + call)));
      }
    }
    assertTrue(begun, "no run was killed after its first checkpoint");
    String whole = Trial.sha256(trial.aside(SAVING + Trial.SIM));
    for (Path run : saved) {
      assertEquals(whole, Trial.sha256(new RunDirectory(run)), run.toString());
    }
    trial.note(
        "killed at %d calls; resumed every sixth time: the same final bits"
            .formatted(SAVING_CALLS));
  }
}
