package io.github.amb.runtime.mpj;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("system")
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MpjEngineTest {
  @TempDir Path logs;

  @Test
  void messagesTravelUnchangedThroughMemoryThatRanksShare(@TempDir Path directory)
      throws Exception {
    messagesOfAllSizesTravelBothWaysUnchanged(directory.toString(), true);
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(0, files.count(), "files left");
    }
  }

  @Test
  void messagesTravelUnchangedThroughSockets() throws Exception {
    messagesOfAllSizesTravelBothWaysUnchanged("", false);
  }

  @Test
  @Tag("lab")
  void withoutAFileSystemThatIsMemoryRanksShareNothing() throws Exception {
    messagesOfAllSizesTravelBothWaysUnchanged("/no/such/directory", false);
  }

  private void messagesOfAllSizesTravelBothWaysUnchanged(String shared, boolean shares)
      throws Exception {
    Ranks run =
        Ranks.run(3, "-Damb.mpj.shared=" + shared, logs, "star", "0", "1", "1000", "2500000");
    assertEquals(0, run.outcome().exitCode(), run.outcome().cause());
    // Two rounds, each with 2501001 floats from and to 2 workers; heads are below 1 % of that.
    long payload = 2L * 2 * 2501001 * Float.BYTES;
    String[] bytes = run.lines().get(0).split(" ");
    long sent = Long.parseLong(bytes[1]);
    // A worker's goodbye may be among the bytes received already.
    assertEquals(sent, Long.parseLong(bytes[2]), 1000, "sent as much as received");
    assertTrue(sent > payload && sent < payload * 1.01, sent + " bytes for " + payload);
    assertEquals("shares " + shares, run.lines().get(1));
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
