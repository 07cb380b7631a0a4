package io.github.amb.runtime.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.runtime.mpj.Ranks;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Unauthenticated peers at every port of the launcher, before the last rank connects and during
 * training.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("lab")
class LauncherPeersTest {
  private static final String NETWORK = "amb.control.network";
  private static final long PAUSE_MILLIS = 300;

  @TempDir Path directory;

  private final PrintStream standard = System.err;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final List<Socket> peers = new CopyOnWriteArrayList<>();

  @BeforeEach
  void listen() {
    System.setProperty(NETWORK, "true");
    System.setErr(new PrintStream(said, true));
  }

  @AfterEach
  void restore() throws IOException {
    System.clearProperty(NETWORK);
    System.setErr(standard);
    for (Socket peer : peers) {
      peer.close();
    }
  }

  @Test
  void foreignProgramsAtTheLauncherChangeNothing() throws Exception {
    CompletableFuture<RunOutcome> run = start();
    attackInEveryWay();
    Thread slow = new Thread(this::keepOn);
    slow.start();
    Files.createFile(gate());
    while (!run.isDone()) {
      attackInEveryWay();
      Thread.sleep(PAUSE_MILLIS);
    }
    slow.interrupt();
    assertEquals(new RunOutcome(0, ""), run.get(), said.toString());
    assertTrue(said.toString().contains("127.0.0.1:"), said.toString());
  }

  @Test
  void aFailedStartNamesRejectedConnections() throws Exception {
    CompletableFuture<RunOutcome> run =
        async(() -> Ranks.run(3, "-Xmx64m", directory, Duration.ofSeconds(6), "absent").outcome());
    awaitPorts(run);
    attack("registers");
    String cause = run.get().cause();
    String peer =
        "a connection without proof was rejected meanwhile, from 127.0.0.1:%d: expected a frame that begins with 414d4602, found 000c5365"
            .formatted(peers.get(0).getLocalPort());
    assertTrue(cause.endsWith("or raise --start-limit; " + peer), cause);
  }

  private Path gate() {
    return directory.resolve("gate");
  }

  private CompletableFuture<RunOutcome> start() throws Exception {
    LaunchPlan plan =
        Plans.within(
            Plans.surviving(
                LaunchPlan.local(
                    3,
                    List.of("-Xmx256m"),
                    GenerationsMain.class.getName(),
                    List.of("3", gate().toString()),
                    directory,
                    line -> {}),
                new FailurePolicy(1, Duration.ofMillis(20), Duration.ofSeconds(120), 0)),
            Duration.ofSeconds(90));
    CompletableFuture<RunOutcome> run = async(() -> Launcher.run(plan));
    awaitPorts(run);
    return run;
  }

  private static CompletableFuture<RunOutcome> async(Callable<RunOutcome> launch) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return launch.call();
          } catch (Exception e) {
            throw new CompletionException(e);
          }
        });
  }

  private static void awaitPorts(CompletableFuture<RunOutcome> run) throws Exception {
    while (ports().isEmpty()) {
      assertFalse(run.isDone(), "the launcher listens nowhere");
      Thread.sleep(20);
    }
  }

  private static Set<InetSocketAddress> ports() throws IOException {
    return Listening.sockets(List.of(ProcessHandle.current()));
  }

  private void attackInEveryWay() throws IOException {
    for (String how : List.of("silent", "slow", "registers")) {
      attack(how);
    }
  }

  private void attack(String how) throws IOException {
    for (InetSocketAddress port : ports()) {
      for (int i = 0; i < (how.equals("silent") ? 40 : 1); i++) {
        try {
          Socket peer = new Socket(port.getAddress(), port.getPort());
          peers.add(peer);
          speak(how, peer.getOutputStream());
        } catch (IOException e) {
          // The launcher has ended, or dropped it.
        }
      }
    }
  }

  private static void speak(String how, OutputStream out) throws IOException {
    if (how.equals("registers")) {
      DataOutputStream words = new DataOutputStream(out);
      words.writeUTF("Sending Info");
      words.writeInt(30_001);
      words.writeInt(30_002);
      words.writeInt(2);
    } else if (how.equals("slow")) {
      out.write(new byte[] {0x0f, (byte) 0xff});
    }
  }

  /** A byte from all of them now and then, so that no wait for a byte ends. */
  private void keepOn() {
    try {
      while (true) {
        Thread.sleep(PAUSE_MILLIS);
        peers.forEach(LauncherPeersTest::sayOneByte);
      }
    } catch (InterruptedException e) {
      // The test has ended.
    }
  }

  private static void sayOneByte(Socket peer) {
    try {
      peer.getOutputStream().write('a');
    } catch (IOException e) {
      // It was dropped.
    }
  }
}
