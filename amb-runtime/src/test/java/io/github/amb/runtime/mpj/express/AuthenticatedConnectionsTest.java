package io.github.amb.runtime.mpj.express;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.runtime.mpj.RunSecret;
import io.github.amb.runtime.net.Channel;
import io.github.amb.runtime.net.Gate;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rank 1 of four accepts in generation 3. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AuthenticatedConnectionsTest {
  private static final RunSecret SECRET = RunSecret.draw();
  private static final int GENERATION = 3;
  private static final int OWN = 1;
  private static final int PEER = 2;
  private static final int FLOOD = 1200;

  private static final Duration LONG = Duration.ofSeconds(60);

  private final List<String> rejected = Collections.synchronizedList(new ArrayList<>());
  private Gate keeper = gate(LONG);
  private final BlockingQueue<SocketChannel> admitted = new LinkedBlockingQueue<>();
  private final List<AutoCloseable> opened = new ArrayList<>();

  private Gate gate(Duration limit) {
    return new Gate("test-gate", SECRET, limit, (from, why) -> rejected.add(from));
  }

  @AfterEach
  void close() throws Exception {
    keeper.close();
    for (AutoCloseable each : opened) {
      each.close();
    }
  }

  @Test
  void anAdmittedRankCanSendAtOnce() throws Exception {
    SocketChannel rank = knock(SECRET, GENERATION, PEER, OWN, open("127.0.0.1"));
    rank.write(ByteBuffer.wrap(new byte[] {42}));
    SocketChannel taken = admitted.take();
    taken.configureBlocking(true);
    ByteBuffer read = ByteBuffer.allocate(1);
    taken.read(read);
    assertArrayEquals(new byte[] {42}, read.array());
    assertEquals(List.of(), keeper.close());
    assertEquals(List.of(), rejected);
  }

  @Test
  void aPeerWithAnotherSecretIsRejected() throws Exception {
    assertRejected(RunSecret.draw(), GENERATION, PEER, OWN, open("127.0.0.1"));
  }

  @Test
  void aRankOfAnOlderGenerationIsRejected() throws Exception {
    assertRejected(SECRET, GENERATION - 1, PEER, OWN, open("127.0.0.1"));
  }

  @Test
  void aRankThatMeansAnotherRankIsRejected() throws Exception {
    assertRejected(SECRET, GENERATION, PEER, 0, open("127.0.0.1"));
  }

  @Test
  void noRankIsAdmittedThatDoesNotConnectToThisOne() throws Exception {
    InetSocketAddress place = open("127.0.0.1");
    for (int from : new int[] {-1, 0, OWN, 4, Integer.MAX_VALUE}) {
      assertRejected(SECRET, GENERATION, from, OWN, place);
    }
  }

  /** Finding A4 d: who was told that a rank listens at another address with the same port. */
  @Test
  void aProofCannotBeRelayedToAnotherAddress() throws Exception {
    InetSocketAddress real = open("127.0.0.1");
    assertRejected(SECRET, GENERATION, PEER, OWN, relay("127.0.0.2", real.getPort(), real));
  }

  @Test
  void aProofCannotBeRelayedToAnotherPort() throws Exception {
    assertRejected(SECRET, GENERATION, PEER, OWN, relay("127.0.0.1", 0, open("127.0.0.1")));
  }

  @Test
  void silentPeersDoNotShutOutARank() throws Exception {
    InetSocketAddress place = open("127.0.0.1");
    for (int i = 0; i < FLOOD; i++) {
      keep(new Socket(place.getAddress(), place.getPort()));
    }
    knock(SECRET, GENERATION, PEER, OWN, place);
    assertTrue(admitted.take().isOpen());
  }

  /** Its deadline counts from the connection, not from its last byte. */
  @Test
  void whoSpeaksTooSlowlyIsDropped() throws Exception {
    keeper.close();
    keeper = gate(Duration.ofMillis(200));
    InetSocketAddress place = open("127.0.0.1");
    try (Socket slow = new Socket(place.getAddress(), place.getPort())) {
      CompletableFuture<Integer> end = new CompletableFuture<>();
      run(() -> end.complete(readOrFail(slow)));
      ByteBuffer magic = ByteBuffer.allocate(Integer.BYTES).putInt(0x414D4602);
      for (int i = 0; i < magic.capacity() || !end.isDone(); i++) {
        write(slow.getOutputStream(), i < magic.capacity() ? magic.get(i) : 0);
        TimeUnit.MILLISECONDS.sleep(20);
      }
      assertEquals(-1, end.get());
      assertEquals(List.of("127.0.0.1:" + slow.getLocalPort()), rejected);
    }
  }

  private static int readOrFail(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read();
    } catch (SocketException e) {
      return -1; // Cut, with bytes of ours not read.
    }
  }

  private static void write(OutputStream out, byte what) throws IOException {
    try {
      out.write(what);
    } catch (SocketException e) {
      // Cut.
    }
  }

  private void assertRejected(
      RunSecret secret, int generation, int from, int to, InetSocketAddress place)
      throws Exception {
    assertThrows(IOException.class, () -> knock(secret, generation, from, to, place));
    assertNobodyCameIn();
  }

  private void assertNobodyCameIn() {
    assertEquals(List.of(), List.copyOf(admitted));
  }

  private InetSocketAddress open(String address) throws IOException {
    ServerSocketChannel server = keep(ServerSocketChannel.open());
    server.bind(new InetSocketAddress(address, 0), FLOOD);
    keeper.watch(
        server,
        new AuthenticatedConnections.Ranks(
            new Channel.Name(OWN, GENERATION, false),
            4,
            channel -> admitted.add(channel.socket())));
    return (InetSocketAddress) server.getLocalAddress();
  }

  private SocketChannel knock(
      RunSecret secret, int generation, int from, int to, InetSocketAddress place)
      throws IOException {
    SocketChannel channel = keep(SocketChannel.open(place));
    try {
      Channel.prove(
          channel, secret, "link to rank " + to, new Channel.Name(from, generation, false), LONG);
      return channel;
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private synchronized <T extends AutoCloseable> T keep(T one) {
    opened.add(one);
    return one;
  }

  private interface Task {
    void run() throws IOException;
  }

  private static void run(Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (IOException e) {
                // The other end was cut.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  /** Takes one connection, and passes on all that is said, both ways; returns where. */
  private InetSocketAddress relay(String address, int port, InetSocketAddress real)
      throws IOException {
    ServerSocketChannel server = keep(ServerSocketChannel.open());
    server.bind(new InetSocketAddress(InetAddress.getByName(address), port));
    run(
        () -> {
          SocketChannel rank = keep(server.accept());
          SocketChannel target = keep(SocketChannel.open(real));
          run(() -> pass(rank, target));
          pass(target, rank);
        });
    return (InetSocketAddress) server.getLocalAddress();
  }

  private static void pass(SocketChannel from, SocketChannel to) throws IOException {
    ByteBuffer some = ByteBuffer.allocate(1024);
    try (from;
        to) {
      while (from.read(some.clear()) >= 0) {
        to.write(some.flip());
      }
    }
  }
}
