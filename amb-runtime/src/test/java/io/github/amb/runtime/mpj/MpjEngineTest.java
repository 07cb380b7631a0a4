package io.github.amb.runtime.mpj;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.runtime.launch.LaunchPlan;
import io.github.amb.runtime.launch.Launcher;
import io.github.amb.runtime.launch.RunOutcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("system")
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MpjEngineTest {
  private static final String SHARED = "-Damb.mpj.shared=";
  private static final String ENCRYPTED = "-Damb.mpj.encrypt=true";

  @TempDir Path logs;

  @Test
  void messagesTravelUnchangedThroughMemoryThatRanksShare(@TempDir Path directory)
      throws Exception {
    messagesOfAllSizesTravelBothWaysUnchanged(SHARED + directory, true);
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(0, files.count(), "files left");
    }
  }

  /** Encrypted, they have 16 bytes more for each 64 KiB; goodbyes and the like vary by 1000. */
  @Test
  void messagesTravelUnchangedThroughSockets() throws Exception {
    long plain = messagesOfAllSizesTravelBothWaysUnchanged(SHARED, false);
    long encrypted = messagesOfAllSizesTravelBothWaysUnchanged(SHARED + " " + ENCRYPTED, false);
    long records = 2L * 2 * 2501001 * Float.BYTES / (64 << 10);
    assertTrue(encrypted - plain > 16 * records - 1000, plain + ", " + encrypted);
  }

  @Test
  void ranksThatDoNotAllEncryptSayWhy() throws Exception {
    LaunchPlan plan =
        LaunchPlan.local(
            2, List.of(SHARED), RankMain.class.getName(), List.of("any"), logs, line -> {});
    LaunchPlan.Program all = plan.program();
    LaunchPlan.Program differing =
        new LaunchPlan.Program(
            all.jvmArguments(),
            List.of(ENCRYPTED),
            all.mainClass(),
            all.arguments(),
            all.input(),
            all.environment());
    RunOutcome outcome =
        Launcher.run(
            new LaunchPlan(
                plan.ranks(),
                differing,
                plan.logDirectory(),
                plan.startLimit(),
                plan.masterOutput(),
                plan.survival(),
                plan.placement(),
                plan.view()));
    assertEquals(1, outcome.exitCode());
    assertTrue(outcome.cause().endsWith("start all ranks of a run with the same --encrypt"));
  }

  @Test
  @Tag("lab")
  void withoutAFileSystemThatIsMemoryRanksShareNothing() throws Exception {
    messagesOfAllSizesTravelBothWaysUnchanged(SHARED + "/no/such/directory", false);
  }

  private long messagesOfAllSizesTravelBothWaysUnchanged(String flags, boolean shares)
      throws Exception {
    Ranks run = Ranks.run(3, flags, logs, "star", "0", "1", "1000", "2500000");
    assertEquals(0, run.outcome().exitCode(), run.outcome().cause());
    // Two rounds, each with 2501001 floats from and to 2 workers; heads are below 1 % of that.
    long payload = 2L * 2 * 2501001 * Float.BYTES;
    String[] bytes = run.lines().get(0).split(" ");
    long sent = Long.parseLong(bytes[1]);
    // A worker's goodbye may be among the bytes received already.
    assertEquals(sent, Long.parseLong(bytes[2]), 1000, "sent as much as received");
    assertTrue(sent > payload && sent < payload * 1.01, sent + " bytes for " + payload);
    assertEquals("shares " + shares, run.lines().get(1));
    return sent;
  }

  @Test
  void messagesOfOneSourceStayInOrderWhileSourcesMix() throws Exception {
    Ranks run = Ranks.run(4, "-Xmx128m", logs, "any");
    assertEquals(0, run.outcome().exitCode(), run.outcome().cause());
  }

  @Test
  void slowReceiverHoldsSenderBackWithinItsHeap() throws Exception {
    Ranks run = Ranks.run(2, "-Xmx64m", logs, "slow", "200", "1000000");
    assertEquals(0, run.outcome().exitCode(), run.outcome().cause());
  }

  @Tag("lab")
  @Test
  void smallMessagesDoNotOverrunASlowReceiver() throws Exception {
    Ranks run = Ranks.run(2, "-Xmx64m", logs, "slow", "20000", "1");
    assertEquals(0, run.outcome().exitCode(), run.outcome().cause());
  }

  @Test
  void receiveReturnsFalseAtItsDeadline() throws Exception {
    Ranks run = Ranks.run(2, "-Xmx64m", logs, "deadline");
    assertEquals(0, run.outcome().exitCode(), run.outcome().cause());
    assertEquals("nothing came", run.lines().get(0));
  }

  @Test
  void leavingInOrderIsNotACrash() throws Exception {
    Ranks run = Ranks.run(3, "-Xmx64m", logs, "leave");
    assertEquals(0, run.outcome().exitCode(), run.outcome().cause());
    assertEquals("rank 1 has left the run", run.lines().get(0));
  }

  @Tag("lab")
  @Test
  void aLargeMessageToAStoppedRankTimesOut() throws Exception {
    Ranks run = Ranks.run(2, "-Xmx128m", logs, "stopped", "16000000");
    assertEquals("rank 1 did not accept a message before the deadline", run.lines().get(0));
    assertEquals(20, run.outcome().exitCode());
    assertEquals(0, Ranks.leftBehind().size());
  }

  @Tag("lab")
  @Test
  void smallMessagesToAStoppedRankTimeOut() throws Exception {
    Ranks run = Ranks.run(2, "-Xmx128m", logs, "stopped", "10");
    assertEquals("rank 1 did not consume earlier messages before the deadline", run.lines().get(0));
    assertEquals(20, run.outcome().exitCode());
  }

  @Test
  void argumentsOfMpjExpressAreRecognised() {
    assertTrue(MpjEngine.isRank(new String[] {"0", "#Number of Processes;2", "niodev", "mnist"}));
    assertTrue(MpjEngine.isRank(new String[] {"12", "3", "smpdev"}));
    assertFalse(MpjEngine.isRank(new String[] {"mnist", "fmb", "rms", "64"}));
    assertFalse(MpjEngine.isRank(new String[] {"0", "x", "tcp"}));
    assertFalse(MpjEngine.isRank(new String[] {"0", "x"}));
  }

  @Test
  void ranksOfMulticoreModeShareAJvm() {
    assertFalse(MpjEngine.sharesJvm(new String[] {"0", "#Number of Processes;2", "niodev"}));
    assertTrue(MpjEngine.sharesJvm(new String[] {"0", "3", "smpdev"}));
    assertTrue(MpjEngine.sharesJvm(new String[] {"0", "3", "hybdev"}));
  }
}
