package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A man in the middle: all segments to and from the host of worker 2 pass a program of the test,
 * which records or changes them. TCP's checksums fit.
 */
@Tag("lab")
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class EncryptedLinkTest {
  private static final String RUN =
      "train digits fmb rms 16 --network sigmoid-mlp --evaluate last --checkpoint-every 1 --checkpoint-keep 99 ";

  /** A header of NumPy's format ends on a multiple of this. */
  private static final int ALIGNED = 64;

  @TempDir Path directory;

  private NetworkHosts hosts;

  @BeforeEach
  void up() throws Exception {
    hosts = NetworkHosts.up(directory, 3);
  }

  @AfterEach
  void down() {
    if (hosts != null) {
      hosts.close();
    }
  }

  private ProcessHandle middle(String how) throws Exception {
    return hosts.relay(3, CProgram.program(directory, "relay"), how.split(" "));
  }

  /** The parameters of a step, which the master sends to all workers in the next one. */
  @ParameterizedTest
  @CsvSource({"off, true", "on, false"})
  void theParametersAreSeenOnlyInPlainMessages(String encrypts, boolean seen) throws Exception {
    middle("0 0");
    try (AmbProcess amb = hosts.start(RUN + "--last-step 4 --encrypt " + encrypts)) {
      assertEquals(0, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      String heard = text(hosts.recorded());
      Path checkpoint = amb.run().checkpoints().resolve("step-000000002/parameters.npy");
      String parameters = text(checkpoint);
      assertTrue(heard.length() > 4 * parameters.length(), heard.length() + " bytes");
      int found = 0;
      int pieces = 0;
      // The first block is the header, and a piece may lie in two segments.
      for (int at = ALIGNED * 4; at + ALIGNED < parameters.length(); at += 4096) {
        pieces++;
        found += heard.contains(parameters.substring(at, at + ALIGNED)) ? 1 : 0;
      }
      assertTrue(seen ? found > pieces / 2 : found == 0, found + " of " + pieces);
      // MPJ Express' headers of messages are plain in any case.
      assertTrue(heard.split("\u00ff\u00ff\u00ff\u00e8", -1).length > 10);
      // What ranks and launcher say to each other is encrypted in any case.
      assertTrue(!heard.contains("Heartbeat") && !heard.contains("received"));
    }
  }

  private static String text(Path file) throws Exception {
    return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
  }

  @Test
  void aBitChangedUnderWayRemovesTheWorker() throws Exception {
    ProcessHandle middle = middle("0 0.02 flip");
    try (AmbProcess amb = hosts.start(RUN + "--last-step 80 --induce 0.05,0,1 --encrypt")) {
      amb.awaitSteps(10);
      AmbProcess.signal("USR1", middle);
      assertEquals(0, amb.awaitEnd(AmbProcess.LIMIT), amb.everythingSaid());
      String said = String.join("\n", amb.stderr());
      String cause =
          "malformed message: expected the next chunk as it was encrypted, found another";
      assertTrue(
          said.matches(
              "(?s).*rank 2 \\(pid \\d+ on 10\\.77\\.0\\.3\\) was killed: " + cause + ".*"),
          said);
    }
  }
}
