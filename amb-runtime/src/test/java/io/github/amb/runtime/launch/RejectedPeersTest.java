package io.github.amb.runtime.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** An unauthenticated peer connects to a rank's port before the last rank does. */
@Tag("lab")
@EnabledOnOs(OS.LINUX)
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RejectedPeersTest {
  /** The first bytes of a rank of niodev. */
  private static final int RANK_HEADER = -21;

  @TempDir Path directory;

  private final PrintStream standard = System.err;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  @BeforeEach
  void listen() {
    System.setErr(new PrintStream(said, true));
  }

  @AfterEach
  void restore() {
    System.setErr(standard);
  }

  /** MPJ Express alone would wait for ever, or form a process group with this peer. */
  @Test
  void anUnauthenticatedPeerIsRejected() throws Exception {
    CompletableFuture<RunOutcome> run = start(gate().toString());
    Set<InetSocketAddress> ports = ports(run);
    try (Socket peer = connect(ports.iterator().next())) {
      Files.createFile(gate());
      assertEquals(new RunOutcome(0, ""), run.get(), said.toString());
      String name = "127.0.0.1:" + peer.getLocalPort() + " to rank 0";
      assertTrue(said.toString().contains("not authenticated: " + name), said.toString());
    }
  }

  /** The peer claims to be a rank, as MPJ Express' ranks do, and would take its place. */
  @Test
  void aPeerWithoutTheSecretIsNoRank() throws Exception {
    CompletableFuture<RunOutcome> run = start(gate().toString());
    List<Socket> peers = new ArrayList<>();
    for (InetSocketAddress port : ports(run)) {
      for (int rank : new int[] {1, 2, 1000, -1}) {
        Socket peer = connect(port);
        DataOutputStream out = new DataOutputStream(peer.getOutputStream());
        out.writeInt(RANK_HEADER);
        out.writeInt(rank);
        out.writeLong(1);
        out.writeLong(rank);
        peers.add(peer);
      }
    }
    Files.createFile(gate());
    assertEquals(new RunOutcome(0, ""), run.get(), said.toString());
    assertTrue(said.toString().contains("not authenticated: "), said.toString());
    for (Socket peer : peers) {
      peer.close();
    }
  }

  @Test
  void peersAtAllPortsKeepNoRankFromConnecting() throws Exception {
    CompletableFuture<RunOutcome> run = start(gate().toString());
    List<Socket> peers = new ArrayList<>();
    for (InetSocketAddress port : ports(run)) {
      for (int i = 0; i < 20; i++) {
        peers.add(connect(port));
      }
    }
    Files.createFile(gate());
    assertEquals(new RunOutcome(0, ""), run.get(), said.toString());
    assertTrue(said.toString().contains(", and 36 more"), said.toString());
    for (Socket peer : peers) {
      peer.close();
    }
  }

  /** More connections than can be pending. */
  @Test
  void aFloodOfSilentPeersShutsOutNoRank() throws Exception {
    CompletableFuture<RunOutcome> run = start(gate().toString());
    List<Socket> peers = new ArrayList<>();
    for (InetSocketAddress port : ports(run)) {
      for (int i = 0; i < 600; i++) {
        peers.add(connect(port));
      }
    }
    Files.createFile(gate());
    assertEquals(new RunOutcome(0, ""), run.get(), said.toString());
    for (Socket peer : peers) {
      peer.close();
    }
  }

  /** MPJ Express waits for ever for a rank that listens and does not connect. */
  @Test
  void ranksThatCannotConnectFormANewGeneration() throws Exception {
    CompletableFuture<RunOutcome> run = start(GenerationsMain.MEETS);
    assertEquals(new RunOutcome(0, ""), run.get(), said.toString());
    String what =
        "(?s).*ranks 0, 1, 2 listened, but did not connect .*; re-establishing connections.*"
            + " re-established, with 2 workers.*";
    assertTrue(said.toString().matches(what), said.toString());
  }

  private CompletableFuture<RunOutcome> start(String last) {
    LaunchPlan plan =
        Plans.within(
            Plans.surviving(
                LaunchPlan.local(
                    3,
                    List.of("-Xmx256m"),
                    GenerationsMain.class.getName(),
                    List.of("2", last),
                    directory,
                    line -> {}),
                new FailurePolicy(1, Duration.ofMillis(20), Duration.ofSeconds(60), 0)),
            Duration.ofMinutes(4));
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return Launcher.run(plan);
          } catch (IOException | InterruptedException e) {
            throw new CompletionException(e);
          }
        });
  }

  private Path gate() {
    return directory.resolve("gate");
  }

  /** The two ports of the master, once it listens; the last rank has not come then. */
  private static Set<InetSocketAddress> ports(CompletableFuture<RunOutcome> run) throws Exception {
    Set<InetSocketAddress> ports = Set.of();
    while (ports.size() < 2) {
      assertFalse(run.isDone(), "the run ended before its master listened");
      Thread.sleep(20);
      ports = Listening.sockets(masters());
    }
    return ports;
  }

  private static Socket connect(InetSocketAddress port) throws IOException {
    return new Socket(port.getAddress(), port.getPort());
  }

  private static List<ProcessHandle> masters() {
    return ProcessHandle.current().children().filter(RejectedPeersTest::isMaster).toList();
  }

  private static boolean isMaster(ProcessHandle process) {
    try {
      Path file = Path.of("/proc/" + process.pid() + "/cmdline");
      List<String> words = List.of(Files.readString(file).split("\0"));
      int main = words.indexOf(GenerationsMain.class.getName());
      return main > 0 && words.get(main + 1).equals("0");
    } catch (IOException e) {
      return false; // It has ended.
    }
  }
}
