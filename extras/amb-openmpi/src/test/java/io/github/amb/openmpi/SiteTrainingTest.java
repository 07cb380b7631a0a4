package io.github.amb.openmpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.ExitCode;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import io.github.amb.runtime.SiteRank;
import io.github.amb.runtime.train.TrainCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Training on ranks that the site's launcher starts, as a user sees it. */
@Tag("lab")
class SiteTrainingTest {
  @TempDir Path directory;

  @BeforeAll
  static void launcher() {
    MpiRun.assumeLauncher();
  }

  private MpiRun train(int ranks, String... arguments) throws Exception {
    return MpiRun.of(ranks, directory, SiteRank.class, arguments);
  }

  /** The same job in virtual time, in this process. */
  private RunInfo simulated(List<String> job, int workers) throws IOException {
    Path run = directory.resolve("sim");
    List<String> arguments = new ArrayList<>(job);
    arguments.addAll(List.of("--engine", "sim", "--cost-per-example", "0.001"));
    arguments.addAll(List.of("--workers", Integer.toString(workers)));
    arguments.addAll(List.of("--run-directory", run.toString()));
    assertEquals(0, new TrainCommand().run(arguments));
    return new RunDirectory(run).read();
  }

  @Test
  void fmbEndsWithTheBitsOfTheVirtualCluster() throws Exception {
    List<String> job =
        List.of("toy", "fmb", "rms", "16", "--last-step", "12", "--evaluate", "last");
    Path run = directory.resolve("mpi");
    List<String> arguments = new ArrayList<>(job);
    arguments.addAll(List.of("--run-directory", run.toString()));
    MpiRun ended = train(3, arguments.toArray(String[]::new));
    assertEquals(0, ended.code(), ended::toString);
    assertFalse(ended.out().contains("\033["), ended.out());
    RunInfo info = new RunDirectory(run).read();
    assertEquals(12, info.ending().steps());
    assertFalse(info.environment().get("mpi").isEmpty());
    assertEquals(simulated(job, 2).ending().parametersSha256(), info.ending().parametersSha256());
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void gradientsThatAreSummedOnTheirWayGiveTheSameBits(int workers) throws Exception {
    List<String> job =
        List.of(
            "digits",
            "fmb",
            "rms",
            "16",
            "--network",
            "sigmoid-mlp",
            "--last-step",
            "12",
            "--evaluate",
            "last");
    Path run = directory.resolve("mpi");
    List<String> arguments = new ArrayList<>(job);
    arguments.addAll(List.of("--run-directory", run.toString()));
    arguments.addAll(List.of("--topology", "sliced"));
    MpiRun ended = train(workers + 1, arguments.toArray(String[]::new));
    assertEquals(0, ended.code(), ended::toString);
    RunDirectory found = new RunDirectory(run);
    assertEquals(
        simulated(job, workers).ending().parametersSha256(),
        found.read().ending().parametersSha256());
    assertOneVectorPerStep(found);
  }

  /** The master receives as much as it sends: one vector, however many workers there are. */
  private static void assertOneVectorPerStep(RunDirectory run) throws IOException {
    List<StepRecord> steps = LogRecord.of(StepRecord.class, run.masterRecords());
    StepRecord first = steps.get(0);
    StepRecord last = steps.get(steps.size() - 1);
    double sent = last.bytesSent() - first.bytesSent();
    double received = last.bytesReceived() - first.bytesReceived();
    assertEquals(1, received / sent, 0.05);
  }

  @ParameterizedTest
  @ValueSource(strings = {"async", "amb-dg"})
  void schemesThatDoNotWaitForEachOtherTrain(String scheme) throws Exception {
    Path run = directory.resolve("mpi");
    List<String> job =
        new ArrayList<>(
            List.of("toy", scheme, "sgd", "16", "--last-step", "8", "--evaluate", "last"));
    if (scheme.equals("amb-dg")) {
      job.addAll(List.of("--amb-time-limit", "0.05", "--amb-num-partitions", "4"));
    }
    job.addAll(List.of("--run-directory", run.toString()));
    MpiRun ended = train(3, job.toArray(String[]::new));
    assertEquals(0, ended.code(), ended::toString);
    assertEquals(8, new RunDirectory(run).read().ending().steps());
  }

  /** Workers send to each other. Without a time limit they agree in a fixed order. */
  @ParameterizedTest
  @CsvSource({"fmb-graph, dual-averaging", "amb-graph, dual-averaging", "noloco, adm"})
  void workersSendToEachOther(String scheme, String rule) throws Exception {
    Path run = directory.resolve("mpi");
    List<String> job = new ArrayList<>(List.of("digits", scheme, rule, "16"));
    job.addAll(List.of("--network", "sigmoid-mlp", "--last-step", "6", "--evaluate", "last"));
    if (scheme.equals("amb-graph")) {
      job.addAll(List.of("--amb-time-limit", "0.05", "--amb-num-partitions", "4"));
    }
    List<String> arguments = new ArrayList<>(job);
    arguments.addAll(List.of("--run-directory", run.toString()));
    MpiRun ended = train(5, arguments.toArray(String[]::new));
    assertEquals(0, ended.code(), ended::toString);
    RunInfo info = new RunDirectory(run).read();
    assertEquals(6, info.ending().steps());
    if (!scheme.equals("amb-graph")) {
      assertEquals(simulated(job, 4).ending().parametersSha256(), info.ending().parametersSha256());
    }
  }

  @Test
  void badUsageIsReportedOnce() throws Exception {
    MpiRun ended = train(3, "toy", "fnb", "rms", "16");
    assertEquals(ExitCode.USAGE, ended.code(), ended::toString);
    long said = ended.err().lines().filter(line -> line.contains("fnb")).count();
    assertEquals(1, said, ended::toString);
  }

  @Test
  void workersThatDoNotMatchTheRanksAreRejected() throws Exception {
    MpiRun ended = train(2, "toy", "fmb", "rms", "16", "--workers", "5");
    assertEquals(ExitCode.USAGE, ended.code(), ended::toString);
    assertTrue(ended.err().contains("expected 1 for 2 ranks, found 5"), ended::toString);
  }

  @Test
  void aKilledWorkerEndsTheJob() throws Exception {
    Path run = directory.resolve("mpi");
    MpiRun ended =
        train(
            3,
            "toy",
            "fmb",
            "rms",
            "16",
            "--inject",
            "kill:rank=2,step=5",
            "--run-directory",
            run.toString());
    assertNotEquals(0, ended.code(), ended::toString);
    assertTrue(new RunDirectory(run).masterRecords().size() > 0);
  }

  /** The master alone, as the launcher would give all ranks a second only, however busy. */
  @Test
  void anInterruptedMasterRecordsIt() throws Exception {
    Path run = directory.resolve("mpi");
    List<String> job = List.of("toy", "fmb", "rms", "16", "--last-step", "100000000");
    List<String> arguments = new ArrayList<>(job);
    arguments.addAll(List.of("--evaluate", "last", "--run-directory", run.toString()));
    Path log = new RunDirectory(run).masterLog();
    MpiRun ended =
        MpiRun.interrupted(
            3,
            directory,
            () -> Files.exists(log) && Files.size(log) > 0,
            SiteRank.class,
            arguments.toArray(String[]::new));
    assertNotEquals(0, ended.code(), ended::toString);
    RunInfo.Ending ending = new RunDirectory(run).read().ending();
    assertEquals(ExitCode.STOPPED, ending.exitCode());
    assertEquals("interrupted by a signal (SIGINT, SIGTERM or SIGHUP)", ending.cause());
  }

  /** What the master writes in the second that the launcher gives it is not to be counted on. */
  @Test
  void anInterruptedLauncherLeavesAResumableRun() throws Exception {
    Path run = directory.resolve("mpi");
    List<String> job = List.of("toy", "fmb", "rms", "16", "--evaluate", "last");
    List<String> endless = new ArrayList<>(job);
    endless.addAll(List.of("--last-step", "100000000", "--checkpoint-every", "4"));
    endless.addAll(List.of("--run-directory", run.toString()));
    Path checkpoint = run.resolve("checkpoints").resolve("step-000000004");
    MpiRun ended =
        MpiRun.stopped(
            3,
            directory,
            () -> Files.exists(checkpoint),
            SiteRank.class,
            endless.toArray(String[]::new));
    assertNotEquals(0, ended.code(), ended::toString);
    long reached = new RunDirectory(run).lastStep().step();
    assertTrue(reached >= 4, "" + reached);
    String last = Long.toString(reached + 8);
    MpiRun resumed = train(3, "--resume", run.toString(), "--last-step", last);
    assertEquals(0, resumed.code(), resumed::toString);
    assertEquals(reached + 8, new RunDirectory(run).read().ending().steps());
  }

  @Test
  void checkpointsAreTestedByAProcessOfItsOwn() throws Exception {
    Path run = directory.resolve("mpi");
    MpiRun ended =
        train(
            3,
            "toy",
            "fmb",
            "rms",
            "16",
            "--last-step",
            "9",
            "--evaluator",
            "process",
            "--checkpoint-every",
            "4",
            "--run-directory",
            run.toString());
    assertEquals(0, ended.code(), ended::toString);
    List<LogRecord> tested = new RunDirectory(run).evaluatorRecords();
    assertFalse(tested.isEmpty(), ended::toString);
    EvaluationRecord last = (EvaluationRecord) tested.get(tested.size() - 1);
    assertEquals(9, last.step());
  }

  @Test
  void aFailingRankEndsTheJobWithItsCause() throws Exception {
    MpiRun ended =
        train(
            3,
            "toy",
            "fmb",
            "sgd",
            "16",
            "--learning-rate",
            "1e30",
            "--last-step",
            "200",
            "--run-directory",
            directory.resolve("mpi").toString());
    assertEquals(ExitCode.FAILED, ended.code(), ended::toString);
    assertTrue(ended.err().contains("amb: rank 0: "), ended::toString);
    RunInfo info = new RunDirectory(directory.resolve("mpi")).read();
    assertEquals(ExitCode.FAILED, info.ending().exitCode());
  }
}
