package io.github.amb.runtime.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.ExitCode;
import io.github.amb.runtime.mpj.RankMain;
import io.github.amb.runtime.mpj.Ranks;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Tag("system")
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LauncherTest {
  private static final String HEAP = "-Xmx64m";

  @TempDir Path logs;

  @AfterEach
  void nothingIsLeftBehind() {
    assertEquals(List.of(), Ranks.leftBehind());
  }

  @Test
  void workerThatThrowsFailsTheRunWithItsOwnCause() throws Exception {
    RunOutcome outcome = Ranks.run(4, HEAP, logs, "fail", "throw").outcome();
    assertEquals(1, outcome.exitCode());
    assertCause(
        "exited with code 1: java.lang.IllegalStateException: the worker's own cause", outcome, 2);
  }

  @Test
  void masterThatThrowsFailsTheRunWithItsOwnCause() throws Exception {
    RunOutcome outcome = Ranks.run(3, HEAP, logs, "fail", "throw:0").outcome();
    assertEquals(1, outcome.exitCode());
    assertCause(
        "exited with code 1: java.lang.IllegalStateException: the worker's own cause", outcome, 0);
  }

  @Test
  void workerThatExitsEarlyWithZeroFailsTheRun() throws Exception {
    RunOutcome outcome = Ranks.run(3, HEAP, logs, "fail", "exit0").outcome();
    assertEquals(1, outcome.exitCode());
    assertCause("exited with code 0 before the master had finished", outcome, 2);
  }

  @Test
  void exitCodeOfTheWorkerIsTheRuns() throws Exception {
    RunOutcome outcome = Ranks.run(3, HEAP, logs, "fail", "exit3").outcome();
    assertEquals(3, outcome.exitCode());
    assertCause("exited with code 3", outcome, 2);
  }

  @Test
  void killedWorkerIsNamedWithItsSignal() throws Exception {
    RunOutcome outcome = Ranks.run(3, HEAP, logs, "fail", "kill").outcome();
    assertEquals(137, outcome.exitCode());
    assertCause("was killed by signal 9", outcome, 2);
  }

  @Test
  void killedMasterIsNamedWithItsSignal() throws Exception {
    RunOutcome outcome = Ranks.run(3, HEAP, logs, "fail", "kill:0").outcome();
    assertEquals(137, outcome.exitCode());
    assertCause("was killed by signal 9", outcome, 0);
  }

  @Test
  void lossOfTheOnlyWorkerIsLossOfAll() throws Exception {
    RunOutcome outcome = Ranks.run(2, HEAP, logs, "fail", "kill:1").outcome();
    assertEquals(ExitCode.ALL_WORKERS_LOST, outcome.exitCode());
    assertCause("was killed by signal 9", outcome, 1);
  }

  @Tag("lab")
  @Test
  void silentRankIsKilledWhileProgressIsReported() throws Exception {
    LaunchPlan plan =
        Plans.surviving(
            LaunchPlan.local(
                2, List.of(HEAP), RankMain.class.getName(), List.of("silent"), logs, line -> {}),
            new FailurePolicy(Integer.MAX_VALUE, Duration.ofSeconds(5), Duration.ofSeconds(10), 0));
    RunOutcome outcome = Launcher.run(plan);
    assertCause("was killed: no heartbeat for 10.0 s (--stall-after)", outcome, 1);
  }

  @Test
  void ranksThatDoNotComeAreNamed() throws Exception {
    RunOutcome outcome = Ranks.run(3, HEAP, logs, Duration.ofSeconds(4), "absent").outcome();
    assertEquals(1, outcome.exitCode());
    // On a slow machine the others may not have come, either.
    assertTrue(
        outcome
            .cause()
            .matches(
                "ranks? (0, )?1(, 2)? did not join within 4 s; rank [01] \\(pid \\d+\\) is running.*; see its log, or raise --start-limit"),
        outcome.cause());
  }

  /** Ranks listen until all have come, and one never does. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void ranksListenOnTheLoopbackAddressAlone() throws Exception {
    CompletableFuture<RunOutcome> run =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return Ranks.run(3, HEAP, logs, Duration.ofMinutes(2), "absent").outcome();
              } catch (Exception e) {
                throw new CompletionException(e);
              }
            });
    Set<String> first = Set.of();
    Set<String> last = Set.of();
    while (!run.isDone() && (first.isEmpty() || last.isEmpty())) {
      Thread.sleep(20);
      first = Listening.addresses(Ranks.running(0));
      last = Listening.addresses(Ranks.running(2));
    }
    Ranks.running(1).forEach(ProcessHandle::destroyForcibly);
    assertEquals(137, run.get(2, TimeUnit.MINUTES).exitCode());
    assertEquals(Set.of("127.0.0.1"), first);
    assertEquals(Set.of("127.0.0.1"), last);
  }

  @Test
  void missingMainClassFailsBeforeTheStartLimit() throws Exception {
    LaunchPlan plan =
        LaunchPlan.local(2, List.of(HEAP), "no.such.Main", List.of(), logs, line -> {});
    RunOutcome outcome = Launcher.run(plan);
    assertEquals(1, outcome.exitCode());
    assertTrue(outcome.cause().contains("ClassNotFoundException: no.such.Main"), outcome.cause());
  }

  @Test
  void outputOfEveryRankGoesToItsLog() throws Exception {
    Ranks.run(3, HEAP, logs, "fail", "throw");
    assertEquals("running", Files.readAllLines(logs.resolve("rank-0.log")).get(0));
    String worker = Files.readString(logs.resolve("rank-2.log"));
    assertTrue(worker.contains("\tat " + RankMain.class.getName()), worker);
    assertTrue(worker.contains("amb: rank 2: java.lang.IllegalStateException"), worker);
  }

  @Test
  void oneRankIsRejected() {
    assertThrows(
        UsageException.class,
        () -> LaunchPlan.local(1, List.of(), "Main", List.of(), logs, line -> {}));
  }

  @Test
  void ranksEndWhenTheirLauncherIsKilled() throws Exception {
    assertRanksEndAfter(ProcessHandle::destroyForcibly);
  }

  @Test
  void ranksEndWhenTheirLauncherIsTerminated() throws Exception {
    assertRanksEndAfter(ProcessHandle::destroy);
  }

  private void assertRanksEndAfter(java.util.function.Consumer<ProcessHandle> kill)
      throws Exception {
    Process launcher =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Damb.rank.jvm=-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                LauncherMain.class.getName(),
                logs.toString(),
                "3",
                "fail",
                "wait")
            .redirectError(logs.resolve("launcher.log").toFile())
            .start();
    List<ProcessHandle> ranks;
    try (BufferedReader output = launcher.inputReader()) {
      assertEquals("running", output.readLine());
      ranks = launcher.descendants().toList();
      assertEquals(3, ranks.size());
      kill.accept(launcher.toHandle());
      assertTrue(launcher.waitFor(60, TimeUnit.SECONDS));
    }
    for (ProcessHandle rank : ranks) {
      rank.onExit().get(60, TimeUnit.SECONDS);
      assertFalse(rank.isAlive());
    }
  }

  private static void assertCause(String event, RunOutcome outcome, int rank) {
    String pattern = "rank " + rank + " \\(pid \\d+\\) \\Q" + event + "\\E";
    assertTrue(outcome.cause().matches(pattern), outcome.cause());
  }
}
