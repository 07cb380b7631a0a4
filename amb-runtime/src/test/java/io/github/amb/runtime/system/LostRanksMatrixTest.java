package io.github.amb.runtime.system;

import static io.github.amb.runtime.system.Trial.TOY;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.StepRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** Rows of the fault matrix: processes that end, stop, throw, or are replaced. */
class LostRanksMatrixTest extends MatrixTest {
  private static final String LONG = TOY + "--max-time 900 --checkpoint-every last";
  private static final String GOES_ON = "removed from the run, continuing with 2";
  private static final String SAVING = TOY + "--last-step 60 --checkpoint-every 3";

  static List<FaultRow> rows() {
    List<FaultRow> rows = new ArrayList<>(killed());
    rows.addAll(stopped());
    rows.addAll(ended());
    return rows;
  }

  private static List<FaultRow> killed() {
    String fault = " --inject kill:rank=2,step=11";
    String master = "after step 10 `kill -9` of rank 0";
    String launcher = "after step 10 `kill -9` of the launcher";
    return List.of(
        FaultRow.of(
                1,
                "kill-computing",
                "`--last-step 40" + fault + "`",
                0,
                GOES_ON,
                trial -> {
                  trial.injected(TOY + "--last-step 40" + fault);
                  assertEveryExampleCountsOnce(trial);
                })
            .alone("kill"),
        FaultRow.of(
                3,
                "kill-all",
                "after step 10 `kill -9` of ranks 1, 2 and 3",
                20,
                "was killed by signal 9; resume after step",
                trial -> trial.during(LONG, LostRanksMatrixTest::killWorkers))
            .alone("kill-workers"),
        FaultRow.injected(
                4,
                "kill-below-minimum",
                "--last-step 40 --min-workers 3" + fault,
                21,
                "fewer than --min-workers")
            .alone("kill"),
        FaultRow.of(
                5,
                "kill-master",
                master,
                137,
                "rank 0 \\(pid \\d+\\) was killed by signal 9; no checkpoint was written; start a new run",
                trial -> trial.during(LONG, amb -> amb.rank(0).destroyForcibly()))
            .alone("kill-master"),
        resumed(5, "resume", master, amb -> amb.rank(0).destroyForcibly()),
        FaultRow.of(
                6,
                "kill-launcher",
                launcher,
                137,
                "step = ",
                trial -> trial.during(LONG, AmbProcess::kill))
            .alone("launcher-KILL"),
        resumed(6, "resume-after-launcher", launcher, AmbProcess::kill));
  }

  private static void assertEveryExampleCountsOnce(Trial trial) throws IOException {
    List<StepRecord> steps = trial.steps();
    assertEquals(40, steps.size());
    for (StepRecord step : steps) {
      assertEquals(step.step() <= 10 ? 48 : 32, step.numSamples(), "step " + step.step());
    }
  }

  private static void killWorkers(AmbProcess amb) {
    List.of(amb.rank(1), amb.rank(2), amb.rank(3)).forEach(ProcessHandle::destroyForcibly);
  }

  /** A row about a run that ends, resumed, with the bits of an uninterrupted run. */
  private static FaultRow resumed(int number, String name, String how, Trial.Action action) {
    return FaultRow.of(
        number,
        name,
        how + ", then `--resume`",
        0,
        "the same final bits",
        trial -> {
          trial.during(SAVING, action);
          trial.assertAtMostOld(3);
          trial.resume("");
          List<Long> steps = trial.steps().stream().map(StepRecord::step).toList();
          assertEquals(LongStream.rangeClosed(1, 60).boxed().toList(), steps);
          trial.assertSameBits(SAVING);
        });
  }

  private static List<FaultRow> stopped() {
    String patience = "--dead-after 1 --stall-after 5";
    return List.of(
        FaultRow.of(
                6,
                "interrupt",
                "after step 10 `kill -INT` of the process group",
                130,
                "interrupted by a signal",
                trial -> trial.during(ownGroup(), amb -> amb.signalGroup("INT")))
            .alone("launcher-INT"),
        FaultRow.of(
                6,
                "terminate",
                "after step 10 `kill -TERM` of the launcher",
                130,
                "interrupted by a signal .*; resume after step",
                trial -> {
                  trial.during(LONG, AmbProcess::terminate);
                  trial.assertAtMostOld(1);
                })
            .alone("launcher-TERM"),
        FaultRow.injected(
                7,
                "stop-worker",
                "--last-step 40 " + patience + " --inject stall:rank=1,step=11",
                0,
                "was killed: no heartbeat")
            .alone("stop"),
        FaultRow.of(
                8,
                "stop-and-continue",
                "after step 10 `kill -STOP` of rank 1, `-CONT` once it is removed, `"
                    + patience
                    + "`",
                130,
                "was killed: no heartbeat",
                trial -> stopped(trial, patience, GOES_ON, 1))
            .alone("stop-and-continue"),
        FaultRow.of(
                10,
                "pause-worker",
                "after step 10 `kill -STOP` of rank 1, `-CONT` once it is silent for 1 s",
                130,
                "rank 1 sent no heartbeat",
                trial -> stopped(trial, "--dead-after 1 --stall-after 200", "rank 1 sent no", 0))
            .alone("stop-and-continue"));
  }

  private static List<String> ownGroup() {
    List<String> line = new ArrayList<>(List.of("env", "--default-signal=INT", "setsid"));
    line.addAll(AmbProcess.line(LONG));
    return line;
  }

  /** Stops rank 1 until a line is logged; then the run does 20 more steps. */
  private static void stopped(Trial trial, String options, String until, int changes)
      throws Exception {
    trial.during(
        LONG + " " + options,
        amb -> {
          ProcessHandle rank = amb.rank(1);
          AmbProcess.signal("STOP", rank);
          trial.awaitLine(amb, until);
          AmbProcess.signal("CONT", rank);
          amb.awaitSteps(Trial.FAULT_STEP + 20);
          amb.terminate();
        });
    long changed =
        trial.run().masterRecords().stream().filter(MembershipRecord.class::isInstance).count();
    assertEquals(changes, changed);
  }

  private static List<FaultRow> ended() {
    String toy = "--last-step 40 --inject ";
    return List.of(
        FaultRow.injected(
                27,
                "worker-throws",
                toy + "throw:rank=2,step=11",
                0,
                "rank 2 .* exited with code 1: .*injected")
            .alone("throw"),
        FaultRow.injected(
            27,
            "out-of-memory",
            toy + "out-of-memory:rank=2,step=11",
            0,
            "rank 2 .* exited with code 3: .*OutOfMemoryError"),
        BadStartMatrixTest.rejected(
            27,
            "out-of-memory-at-start",
            "train toy fmb rms 20000000 --workers 1 --worker-heap 64",
            20,
            "exited with code 3: .*OutOfMemoryError.*; raise --worker-heap; no checkpoint was written"),
        FaultRow.of(
                27,
                "early-exit",
                "after step 10 `kill -TERM` of rank 2",
                0,
                GOES_ON,
                trial -> trial.during(TOY + "--last-step 60", amb -> amb.rank(2).destroy()))
            .alone("exit"),
        FaultRow.of(
            0,
            "replacement",
            "`--respawn 1 --inject kill:rank=2,step=11`; stopped when it has joined",
            130,
            "joins; continuing with 3 workers",
            LostRanksMatrixTest::replaced));
  }

  private static void replaced(Trial trial) throws Exception {
    trial.during(
        LONG + " --respawn 1 --inject kill:rank=2,step=11",
        amb -> {
          trial.awaitLine(amb, "joins; continuing with 3 workers");
          amb.awaitSteps((int) amb.steps() + 5);
          amb.terminate();
        });
  }
}
