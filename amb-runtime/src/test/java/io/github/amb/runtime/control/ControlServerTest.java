package io.github.amb.runtime.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.runtime.mpj.RunSecret;
import io.github.amb.runtime.net.Channel;
import io.github.amb.runtime.net.MalformedFrameException;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks and unauthenticated peers at the launcher's place, over loopback and through a file. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ControlServerTest {
  private static final InetAddress HERE = InetAddress.getLoopbackAddress();
  private static final RunSecret SECRET = RunSecret.draw();
  private static final int GREETING_BYTES = 68;
  private static final long NEVER = Long.MAX_VALUE;
  private static final ControlTimes TIMES =
      new ControlTimes(Duration.ofMillis(100), Duration.ofSeconds(20));
  private static final ControlTimes SHORT =
      new ControlTimes(Duration.ofMillis(100), Duration.ofMillis(300));

  private final BlockingQueue<String> warnings = new LinkedBlockingQueue<>();
  private final RejectedConnections strangers = new RejectedConnections(warnings::add);
  private final List<ControlConnection> connections = new ArrayList<>();
  private ControlServer server;

  @BeforeEach
  void open() throws IOException {
    open(TIMES, false);
  }

  private void open(ControlTimes times, boolean files) throws IOException {
    if (server != null) {
      server.close();
    }
    server = new ControlServer(HERE, false, files, SECRET, times, strangers);
  }

  @AfterEach
  void close() {
    connections.forEach(ControlConnection::close);
    server.close();
    assertNull(server.failure());
  }

  /** Receives the records of one process of a rank. */
  private final class Ear implements ControlLine.Listener {
    private final BlockingQueue<RankReport> reports = new LinkedBlockingQueue<>();
    private final BlockingQueue<Heartbeat> beats = new LinkedBlockingQueue<>();
    private final ControlLine line;

    Ear(int rank, int start) {
      line = server.expect(rank, start, this);
    }

    @Override
    public void lives(Heartbeat heartbeat) {
      beats.add(heartbeat);
    }

    @Override
    public void report(RankReport report) {
      reports.add(report);
    }
  }

  /** A rank that waits for a message, and keeps its orders. */
  private static final class Rank implements ControlLine.Listener {
    private static final Heartbeat.Wait WAIT = new Heartbeat.Wait(1, 2, 3);
    private final BlockingQueue<Order> orders = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> silence = new LinkedBlockingQueue<>();

    @Override
    public void order(Order order) {
      orders.add(order);
    }

    @Override
    public Heartbeat.Wait waiting() {
      return WAIT;
    }

    @Override
    public void silent() {
      silence.add("silent");
    }
  }

  private ControlConnection connect(int rank, int start, RunSecret secret, Rank listener) {
    return connect(server.place(false), rank, start, secret, listener);
  }

  private ControlConnection connect(
      String place, int rank, int start, RunSecret secret, Rank listener) {
    ControlConnection connection =
        new ControlConnection(place, secret, rank, start, TIMES, NEVER, listener);
    connections.add(connection);
    return connection;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void reportsOrdersAndHeartbeatsArrive(boolean files) throws Exception {
    open(TIMES, files);
    Ear ear = new Ear(2, 0);
    Rank rank = new Rank();
    ControlConnection connection = connect(2, 0, SECRET, rank);
    connection.send(new RankReport.Connecting(1));
    connection.send(new RankReport.Failed(true, "why"));
    assertEquals(new RankReport.Connecting(1), ear.reports.take());
    assertEquals(new RankReport.Failed(true, "why"), ear.reports.take());
    assertTrue(connection.flush(60_000));
    ear.line.send(new Order.End(1, "enough"));
    assertEquals(new Order.End(1, "enough"), rank.orders.take());
    while (ear.beats.take().received() < 1) {
      // The rank says that the order has come.
    }
    assertEquals(Rank.WAIT, ear.beats.take().waiting());
    assertNull(warnings.poll());
  }

  @Test
  void theFileIsOfItsUserAlone() throws Exception {
    open(TIMES, true);
    String place = server.place(false);
    assertTrue(place.startsWith("file:"), place);
    Path directory = Path.of(place.substring("file:".length())).getParent();
    assertEquals(3, Files.getPosixFilePermissions(directory).size());
    server.close();
    assertFalse(Files.exists(directory));
  }

  /** A peer that knows the secret, but is not the expected rank, or an earlier process of it. */
  @ParameterizedTest
  @CsvSource({"3, 0", "2, 1"})
  void whoIsNotExpectedIsNotHeard(int rank, int start) throws Exception {
    Ear ear = new Ear(2, 0);
    connect(rank, start, SECRET, new Rank()).send(new RankReport.Finished());
    String why = "expected a rank that this run has started, found rank " + rank;
    assertTrue(warnings.take().endsWith(why));
    assertNull(ear.reports.poll());
  }

  @Test
  void whoDoesNotKnowTheSecretIsNotHeard() throws Exception {
    Ear ear = new Ear(2, 0);
    Rank rank = new Rank();
    ear.line.send(new Order.End(1, "secret"));
    connect(2, 0, RunSecret.draw(), rank).send(new RankReport.Finished());
    String warning = warnings.take();
    assertTrue(warning.contains("expected rank 2's code of frame 1 of this connection"), warning);
    assertNull(ear.reports.poll());
    assertNull(rank.orders.poll());
  }

  /** A relay passes every byte on, as from another host: the proof is of other addresses. */
  @Test
  void aRelayedProofIsRejected() throws Exception {
    Ear ear = new Ear(2, 0);
    try (ServerSocket relay = new ServerSocket(0, 50, HERE)) {
      Thread thread = new Thread(() -> relay(relay));
      thread.setDaemon(true);
      thread.start();
      String place = HERE.getHostAddress() + ":" + relay.getLocalPort();
      Rank rank = new Rank();
      connect(place, 2, 0, SECRET, rank).send(new RankReport.Finished());
      String warning = warnings.take();
      assertTrue(warning.contains("expected rank 2's code of frame 1 of this connection"), warning);
      assertNull(ear.reports.poll());
    }
  }

  private void relay(ServerSocket relay) {
    try {
      while (true) {
        Socket rank = relay.accept();
        Socket launcher = dial();
        pass(rank, launcher);
        pass(launcher, rank);
      }
    } catch (IOException e) {
      // The test has ended.
    }
  }

  private static void pass(Socket from, Socket to) {
    Thread thread =
        new Thread(
            () -> {
              try (from;
                  to;
                  InputStream in = from.getInputStream();
                  OutputStream out = to.getOutputStream()) {
                in.transferTo(out);
              } catch (IOException e) {
                // Either has ended.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  /** The false launcher sends back what it receives. */
  @Test
  void aFalseLauncherIsNotObeyed() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 50, HERE)) {
      String place = HERE.getHostAddress() + ":" + other.getLocalPort();
      Rank rank = new Rank();
      connect(place, 2, 0, SECRET, rank).send(new RankReport.Failed(true, "a secret"));
      try (Socket socket = other.accept()) {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        socket.getOutputStream().write(in.readNBytes(GREETING_BYTES));
        byte[] proof = in.readNBytes(8);
        socket.getOutputStream().write(proof);
        socket.getOutputStream().write(in.readNBytes(ByteBuffer.wrap(proof).getInt(4)));
        assertEquals(0, readToEnd(in).length);
      }
      assertNull(rank.orders.poll());
    }
  }

  /**
   * What a process sends first: magic number, length, and by AES-GCM with a key that everybody
   * knows rank, start, whether it encrypts, and nonce.
   */
  private static byte[] greeting(int rank) throws GeneralSecurityException {
    byte[] content = ByteBuffer.allocate(44).putInt(rank).array();
    byte[] vector = ByteBuffer.allocate(12).putInt(1).array();
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(
        Cipher.ENCRYPT_MODE,
        new SecretKeySpec(new byte[32], "AES"),
        new GCMParameterSpec(128, vector));
    ByteBuffer frame = ByteBuffer.allocate(GREETING_BYTES).putInt(0x414D4602).putInt(60);
    return frame.put(cipher.doFinal(content)).array();
  }

  /** An end, or a reset, as bytes were not read. */
  private static byte[] readToEnd(InputStream in) {
    ByteArrayOutputStream found = new ByteArrayOutputStream();
    try {
      in.transferTo(found);
    } catch (IOException e) {
      // A reset.
    }
    return found.toByteArray();
  }

  private Socket dial() throws IOException {
    InetSocketAddress place = (InetSocketAddress) ControlPlace.parse(server.place(false));
    return new Socket(place.getAddress(), place.getPort());
  }

  /** From a process that knows the secret. */
  @ParameterizedTest
  @ValueSource(strings = {"an order", "no heartbeat first", "no record"})
  void whatARankDoesNotSendIsRejected(String how) throws Exception {
    Ear ear = new Ear(2, 0);
    InetSocketAddress place = (InetSocketAddress) ControlPlace.parse(server.place(false));
    byte[] beat = RecordCodec.encode(new Heartbeat(0, null));
    byte[] report = RecordCodec.encode(new RankReport.Connecting(1));
    byte[] order = RecordCodec.encode(new Order.End(1, "no"));
    byte[] first = how.equals("no heartbeat first") ? report : beat;
    try (Selector selector = Selector.open();
        SocketChannel socket = SocketChannel.open(place)) {
      Channel own =
          Channel.connected(
              socket, selector, SECRET, "control", new Channel.Name(2, 0, false), () -> first);
      assertThrows(
          IOException.class,
          () -> {
            for (boolean said = false; ; selector.select(key -> {}, 20)) {
              if (own.read() != null && !said) {
                said = true;
                own.send(report);
                own.send(how.equals("an order") ? order : new byte[] {1});
              }
              own.write();
            }
          });
    }
    assertTrue(warnings.take().contains("expected "));
    List<RankReport> sent = List.of(new RankReport.Connecting(1));
    assertEquals(how.equals("no heartbeat first") ? List.of() : sent, List.copyOf(ear.reports));
  }

  @Test
  void badPeersKeepNoRankOut() throws Exception {
    List<Socket> all = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      all.add(dial());
    }
    Socket slow = dial();
    slow.getOutputStream().write(greeting(2), 0, 7);
    Socket lying = dial();
    new DataOutputStream(lying.getOutputStream()).writeUTF("Sending Info");
    Ear ear = new Ear(2, 0);
    ControlConnection connection = connect(2, 0, SECRET, new Rank());
    connection.send(new RankReport.Finished());
    assertEquals(new RankReport.Finished(), ear.reports.take());
    assertTrue(warnings.take().contains("it sent nothing"));
    assertTrue(strangers.describe().contains("connections without proof were rejected meanwhile"));
    for (Socket socket : all) {
      socket.close();
    }
    slow.close();
    lying.close();
  }

  /** The peer sends what MPJ Express' ranks send to their launcher. */
  @Test
  void aGreetingOfMpjExpressGetsNoAnswer() throws Exception {
    Ear ear = new Ear(1, 0);
    ear.line.send(new Order.Table(1, List.of(new Order.Place("host", 1, 2))));
    try (Socket stranger = dial()) {
      ByteArrayOutputStream words = new ByteArrayOutputStream();
      DataOutputStream out = new DataOutputStream(words);
      out.writeUTF("Sending Info");
      out.writeInt(1);
      out.writeInt(2);
      out.writeInt(1);
      stranger.getOutputStream().write(words.toByteArray());
      assertEquals(0, readToEnd(stranger.getInputStream()).length);
    }
    String warning = warnings.take();
    assertTrue(
        warning.matches(
            "rejected a connection to the launcher from 127.0.0.1:\\d+: expected a frame that begins with 414d4602, found 000c5365"),
        warning);
    assertTrue(ear.reports.isEmpty());
  }

  @ParameterizedTest
  @CsvSource({
    "0, it sent nothing within 0.3 s",
    "7, it sent 7 of the 68 bytes of a greeting within 0.3 s",
    "68, it claimed to be rank 2 and did not prove it within 0.3 s"
  })
  void aPeerThatTakesTooLongIsNamed(int bytes, String why) throws Exception {
    open(SHORT, false);
    new Ear(2, 0);
    try (Socket slow = dial()) {
      slow.getOutputStream().write(greeting(2), 0, bytes);
      String warning = warnings.take();
      assertTrue(warning.endsWith(why), warning);
      readToEnd(slow.getInputStream());
    }
    assertTrue(strangers.describe().endsWith(why), strangers.describe());
  }

  /** Cuts the rank's connection, as a network does. */
  private static void breakOff(ControlConnection connection) throws Exception {
    Field field = ControlConnection.class.getDeclaredField("socket");
    field.setAccessible(true);
    if (field.get(connection) instanceof SocketChannel channel) {
      channel.close();
    }
  }

  /** Pending records arrive on the next connection, once and in order. */
  @Test
  void aBrokenConnectionLosesNothing() throws Exception {
    Ear ear = new Ear(2, 0);
    Rank rank = new Rank();
    ControlConnection connection = connect(2, 0, SECRET, rank);
    for (int i = 1; i <= 300; i++) {
      connection.send(new RankReport.Connected(i));
      ear.line.send(new Order.End(i, "again"));
      if (i % 30 == 0) {
        breakOff(connection);
      }
    }
    for (int i = 1; i <= 300; i++) {
      assertEquals(new RankReport.Connected(i), ear.reports.take());
      assertEquals(new Order.End(i, "again"), rank.orders.take());
    }
    assertTrue(connection.flush(60_000));
    assertNull(ear.reports.poll());
    assertNull(rank.orders.poll());
  }

  @Test
  void aLauncherThatIsSilentForTooLongIsNoticed() throws Exception {
    server.close();
    Rank rank = new Rank();
    connections.add(
        new ControlConnection(
            server.place(false), SECRET, 2, 0, SHORT, TimeUnit.MILLISECONDS.toNanos(200), rank));
    assertEquals("silent", rank.silence.take());
  }

  @Test
  void theBacklogRejectsImpossibleCounts() throws Exception {
    ControlLine backlog =
        new ControlLine(
            new Channel.Name(2, 0, false),
            RankReport.class,
            new ControlLine.Listener() {},
            () -> {});
    backlog.send(new RankReport.Ready());
    backlog.acknowledge(1);
    assertThrows(MalformedFrameException.class, () -> backlog.acknowledge(2));
    assertThrows(MalformedFrameException.class, () -> backlog.acknowledge(0));
  }
}
