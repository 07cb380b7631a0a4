package io.github.amb.runtime.mpj.express;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.runtime.mpj.RunSecret;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rank 1 of four accepts in generation 3. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ConnectionAuthenticatorTest {
  private static final RunSecret SECRET = RunSecret.draw();
  private static final int GENERATION = 3;
  private static final int OWN = 1;
  private static final int PEER = 2;
  private static final int FLOOD = 1200;

  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
  private final ConnectionAuthenticator keeper = new ConnectionAuthenticator(now::get);
  private final BlockingQueue<SocketChannel> admitted = new LinkedBlockingQueue<>();
  private final List<AutoCloseable> opened = new ArrayList<>();

  ConnectionAuthenticatorTest() {
    keeper.open(new Challenge.Rank(SECRET, GENERATION, OWN, 4));
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
    SocketChannel rank = knock(SECRET, link(GENERATION, PEER, OWN, open("127.0.0.1")));
    rank.write(ByteBuffer.wrap(new byte[] {42}));
    SocketChannel taken = admitted.take();
    taken.configureBlocking(true);
    ByteBuffer read = ByteBuffer.allocate(1);
    taken.read(read);
    assertArrayEquals(new byte[] {42}, read.array());
    assertEquals(List.of(), keeper.close());
  }

  @Test
  void aPeerWithAnotherSecretIsRejected() throws Exception {
    ConnectionSide link = link(GENERATION, PEER, OWN, open("127.0.0.1"));
    assertThrows(IOException.class, () -> knock(RunSecret.draw(), link));
    assertNobodyCameIn();
  }

  @Test
  void aRankOfAnOlderGenerationIsRejected() throws Exception {
    ConnectionSide link = link(GENERATION - 1, PEER, OWN, open("127.0.0.1"));
    assertThrows(IOException.class, () -> knock(SECRET, link));
    assertNobodyCameIn();
  }

  @Test
  void aRankThatMeansAnotherRankIsRejected() throws Exception {
    ConnectionSide link = link(GENERATION, PEER, 0, open("127.0.0.1"));
    assertThrows(IOException.class, () -> knock(SECRET, link));
    assertNobodyCameIn();
  }

  @Test
  void noRankIsAdmittedThatDoesNotConnectToThisOne() throws Exception {
    InetSocketAddress place = open("127.0.0.1");
    for (int from : new int[] {-1, 0, OWN, 4, Integer.MAX_VALUE}) {
      assertThrows(IOException.class, () -> knock(SECRET, link(GENERATION, from, OWN, place)));
    }
    assertNobodyCameIn();
  }

  /** Finding A4 d: who was told that a rank listens at another address with the same port. */
  @Test
  void aProofCannotBeRelayedToAnotherAddress() throws Exception {
    InetSocketAddress real = open("127.0.0.1");
    assertRelayIsRejected("127.0.0.2", real.getPort(), real);
  }

  @Test
  void aProofCannotBeRelayedToAnotherPort() throws Exception {
    assertRelayIsRejected("127.0.0.1", 0, open("127.0.0.1"));
  }

  @Test
  void aProofThatWasOverheardIsWorthNothingAgain() throws Exception {
    InetSocketAddress place = open("127.0.0.1");
    Relay relay = new Relay("127.0.0.1", 0, place);
    // Who connects through the relay means the real place, so that its proof is a good one.
    knock(SECRET, link(GENERATION, PEER, OWN, place), relay.place());
    admitted.take().close();
    byte[] overheard = relay.said();
    assertEquals(Challenge.HELLO + ConnectionSide.BYTES, overheard.length);
    try (Socket again = new Socket(place.getAddress(), place.getPort())) {
      again.getOutputStream().write(overheard);
      DataInputStream in = new DataInputStream(again.getInputStream());
      in.readNBytes(Challenge.ANSWER);
      assertEnds(in);
    }
    assertNobodyCameIn();
  }

  @Test
  void whoProvesNothingLearnsNoProofOfARank() throws Exception {
    try (ServerSocketChannel stranger = ServerSocketChannel.open()) {
      stranger.bind(new InetSocketAddress("127.0.0.1", 0));
      InetSocketAddress place = (InetSocketAddress) stranger.getLocalAddress();
      CompletableFuture<byte[]> heard = new CompletableFuture<>();
      run(
          () -> {
            try (SocketChannel channel = stranger.accept()) {
              channel.socket().getOutputStream().write(new byte[Challenge.ANSWER]);
              channel.socket().shutdownOutput();
              heard.complete(channel.socket().getInputStream().readAllBytes());
            }
          });
      assertThrows(IOException.class, () -> knock(SECRET, link(GENERATION, PEER, OWN, place)));
      assertEquals(Challenge.HELLO, heard.get().length);
    }
  }

  @Test
  void silentPeersDoNotShutOutARank() throws Exception {
    InetSocketAddress place = open("127.0.0.1");
    for (int i = 0; i < FLOOD; i++) {
      keep(new Socket(place.getAddress(), place.getPort()));
    }
    knock(SECRET, link(GENERATION, PEER, OWN, place));
    assertTrue(admitted.take().isOpen());
    List<String> dropped = keeper.close();
    assertTrue(dropped.size() <= 1000, () -> "named " + dropped.size());
  }

  /** Its deadline counts from the connection, not from its last byte. */
  @Test
  void whoSpeaksTooSlowlyIsDropped() throws Exception {
    InetSocketAddress place = open("127.0.0.1");
    try (Socket slow = new Socket(place.getAddress(), place.getPort())) {
      CompletableFuture<Integer> end = new CompletableFuture<>();
      run(() -> end.complete(readOrFail(slow)));
      OutputStream out = slow.getOutputStream();
      ByteBuffer hello = ByteBuffer.allocate(Challenge.HELLO).putInt(Challenge.MAGIC);
      for (int i = 0; i < Challenge.HELLO - 1 && !end.isDone(); i++) {
        write(out, hello.get(i));
        now.addAndGet(ConnectionAuthenticator.PATIENCE_NANOS / 4);
        TimeUnit.MILLISECONDS.sleep(20);
      }
      assertEquals(-1, end.get());
      String name = "127.0.0.1:" + slow.getLocalPort();
      assertEquals(List.of(name), keeper.close());
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

  private void assertRelayIsRejected(String address, int port, InetSocketAddress real)
      throws Exception {
    Relay relay = new Relay(address, port, real);
    ConnectionSide believed = link(GENERATION, PEER, OWN, relay.place());
    assertThrows(IOException.class, () -> knock(SECRET, believed));
    assertNobodyCameIn();
  }

  /** Neither now nor after what is under way. */
  private void assertNobodyCameIn() throws Exception {
    keeper.close();
    assertEquals(List.of(), List.copyOf(admitted));
  }

  private static void assertEnds(DataInputStream in) throws IOException {
    try {
      assertEquals(-1, in.read());
    } catch (SocketException e) {
      // Cut.
    }
  }

  private InetSocketAddress open(String address) throws IOException {
    ServerSocketChannel server = keep(ServerSocketChannel.open());
    server.bind(new InetSocketAddress(address, 0), FLOOD);
    server.configureBlocking(false);
    keeper.watch(server, admitted::add);
    return (InetSocketAddress) server.getLocalAddress();
  }

  private static ConnectionSide link(int generation, int from, int to, InetSocketAddress place) {
    return new ConnectionSide(generation, from, to, place);
  }

  private SocketChannel knock(RunSecret secret, ConnectionSide link) throws IOException {
    return knock(secret, link, link.place());
  }

  private SocketChannel knock(RunSecret secret, ConnectionSide link, SocketAddress place)
      throws IOException {
    SocketChannel channel = keep(SocketChannel.open(place));
    try {
      ConnectionRequest.at(channel, secret, link);
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

  /** Takes one connection, and passes on all that is said, both ways. */
  private final class Relay {
    private final ServerSocketChannel server = keep(ServerSocketChannel.open());
    private final CompletableFuture<byte[]> said = new CompletableFuture<>();

    Relay(String address, int port, InetSocketAddress real) throws IOException {
      server.bind(new InetSocketAddress(InetAddress.getByName(address), port));
      run(() -> relay(real));
    }

    InetSocketAddress place() throws IOException {
      return (InetSocketAddress) server.getLocalAddress();
    }

    /** What the connecting rank said before it was taken. */
    byte[] said() throws IOException {
      try {
        return said.join();
      } catch (CompletionException e) {
        throw new IOException(e);
      }
    }

    private void relay(InetSocketAddress real) throws IOException {
      SocketChannel rank = keep(server.accept());
      SocketChannel target = keep(SocketChannel.open(real));
      ByteBuffer all = ByteBuffer.allocate(Challenge.HELLO + ConnectionSide.BYTES);
      pass(rank, target, Challenge.HELLO, all);
      pass(target, rank, Challenge.ANSWER, ByteBuffer.allocate(Challenge.ANSWER));
      pass(rank, target, ConnectionSide.BYTES, all);
      said.complete(all.array());
      pass(target, rank, 1, ByteBuffer.allocate(1));
    }

    private void pass(SocketChannel from, SocketChannel to, int bytes, ByteBuffer copy)
        throws IOException {
      ByteBuffer piece = ByteBuffer.allocate(bytes);
      while (piece.hasRemaining()) {
        if (from.read(piece) < 0) {
          to.close();
          from.close();
          return;
        }
      }
      copy.put(piece.flip());
      to.write(piece.rewind());
    }
  }
}
