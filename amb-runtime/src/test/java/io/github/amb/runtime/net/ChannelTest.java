package io.github.amb.runtime.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.runtime.mpj.RunSecret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rank 2 of generation 3 connects to rank 1 of it, over loopback. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ChannelTest {
  private static final RunSecret SECRET = RunSecret.draw();
  private static final String PURPOSE = "link to rank 1";
  private static final Channel.Name NAME = new Channel.Name(2, 3, true);
  private static final byte[] HELLO = {7, 8};

  /** Two ends of a connection, the accepting one a channel. */
  private static final class Pair implements AutoCloseable {
    private final Selector selector = Selector.open();
    private final SocketChannel connecting;
    private final SocketChannel accepting;
    private final Channel accepted;

    Pair() throws IOException {
      try (ServerSocketChannel server = ServerSocketChannel.open()) {
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        connecting = SocketChannel.open(server.getLocalAddress());
        accepting = server.accept();
      }
      accepted = new Channel(accepting, selector, SECRET, PURPOSE, NAME::equals, null);
    }

    /** Reads at the accepting end until a frame comes, or it fails. */
    byte[] read() throws IOException {
      byte[] found = accepted.read();
      while (found == null) {
        accepted.write();
        selector.select(key -> {}, 10);
        found = accepted.read();
      }
      return found;
    }

    /** Lets a connecting end talk until the accepting one has its first frame. */
    byte[] read(Channel other) throws IOException {
      byte[] found = accepted.read();
      while (found == null) {
        assertNull(other.read());
        other.write();
        accepted.write();
        found = accepted.read();
      }
      return found;
    }

    Channel connect(RunSecret secret, String purpose, Channel.Name name) throws IOException {
      return Channel.connected(connecting, selector, secret, purpose, name, () -> HELLO);
    }

    @Override
    public void close() throws IOException {
      connecting.close();
      accepting.close();
      selector.close();
    }
  }

  @Test
  void bothEndsProveWhoTheyAre() throws Exception {
    try (Pair pair = new Pair()) {
      Channel own = pair.connect(SECRET, PURPOSE, NAME);
      assertArrayEquals(HELLO, pair.read(own));
      assertTrue(pair.accepted.isProven());
      assertEquals(NAME, pair.accepted.name());
      assertFalse(own.isProven());
      pair.accepted.send(new byte[] {9});
      pair.accepted.write();
      byte[] answer = own.read();
      while (answer == null) {
        answer = own.read();
      }
      assertArrayEquals(new byte[] {9}, answer);
      assertTrue(own.isProven());
    }
  }

  @Property(tries = 60)
  void aProofIsBoundToAllOfTheConnection(
      @ForAll @IntRange(max = 4) int field, @ForAll @IntRange(min = 1, max = 9) int other)
      throws IOException {
    try (Pair pair = new Pair()) {
      Channel own =
          pair.connect(
              field == 0 ? RunSecret.draw() : SECRET,
              field == 1 ? PURPOSE + other : PURPOSE,
              new Channel.Name(field == 2 ? 2 + other : 2, field == 3 ? 3 + other : 3, field != 4));
      assertThrows(MalformedFrameException.class, () -> pair.read(own));
      assertFalse(pair.accepted.isProven());
    }
  }

  /** The connecting end by hand, from the description of the handshake. */
  private static Frames frames(Pair pair, byte[] nonce, byte[] answer, String role)
      throws IOException {
    return frames(pair, NAME, nonce, answer, role);
  }

  private static Frames frames(
      Pair pair, Channel.Name name, byte[] nonce, byte[] answer, String role) throws IOException {
    InetSocketAddress from = (InetSocketAddress) pair.connecting.getLocalAddress();
    InetSocketAddress to = (InetSocketAddress) pair.connecting.getRemoteAddress();
    HexFormat hex = HexFormat.of();
    byte[] greeting = Frames.unproven().open(Arrays.copyOfRange(answer, 8, answer.length), "");
    String link =
        "%s %s 127.0.0.1:%d %s 127.0.0.1:%d"
            .formatted(
                name,
                hex.formatHex(nonce),
                from.getPort(),
                hex.formatHex(greeting, 12, 44),
                to.getPort());
    return new Frames(SECRET.authenticate(PURPOSE + ", who " + role, link));
  }

  private static byte[] greeting(byte[] nonce) {
    byte[] content = ByteBuffer.allocate(44).putInt(2).putInt(3).putInt(1).put(nonce).array();
    return Frames.unproven().frame(content).array();
  }

  private static byte[] exchange(Pair pair, byte[] greeting) throws IOException {
    pair.connecting.write(ByteBuffer.wrap(greeting));
    while (pair.accepted.name() == null) {
      assertNull(pair.accepted.read());
    }
    pair.accepted.write();
    ByteBuffer answer = ByteBuffer.allocate(greeting.length);
    while (answer.hasRemaining()) {
      pair.connecting.read(answer);
    }
    return answer.array();
  }

  @Test
  void aProofThatWasOverheardIsWorthNothingAgain() throws Exception {
    byte[] nonce = RunSecret.nonce();
    byte[] proof;
    try (Pair pair = new Pair()) {
      byte[] answer = exchange(pair, greeting(nonce));
      proof = frames(pair, nonce, answer, "connects").frame(HELLO).array();
      pair.connecting.write(ByteBuffer.wrap(proof));
      assertArrayEquals(HELLO, pair.read());
    }
    try (Pair pair = new Pair()) {
      exchange(pair, greeting(nonce));
      pair.connecting.write(ByteBuffer.wrap(proof));
      assertThrows(MalformedFrameException.class, pair::read);
    }
  }

  /** Who changes the choice in the greetings has an end that proves another one. */
  @Test
  void theChoiceToEncryptIsProven() throws Exception {
    byte[] nonce = RunSecret.nonce();
    try (Pair pair = new Pair()) {
      byte[] answer = exchange(pair, greeting(nonce));
      Channel.Name plain = new Channel.Name(NAME.rank(), NAME.attempt(), false);
      Frames frames = frames(pair, plain, nonce, answer, "connects");
      pair.connecting.write(frames.frame(HELLO));
      assertThrows(MalformedFrameException.class, pair::read);
      assertFalse(pair.accepted.isProven());
    }
  }

  @Test
  void bothEndsSayThatTheirChoicesDiffer() throws Exception {
    try (Pair pair = new Pair()) {
      Channel own = pair.connect(SECRET, PURPOSE, new Channel.Name(2, 3, false));
      own.write();
      IOException accepting = assertThrows(Channel.OtherChoiceException.class, pair::read);
      assertEquals(
          "link to rank 1: expected encrypted messages, as at this end, found plain messages; start all ranks of a run with the same --encrypt",
          accepting.getMessage());
      assertThrows(
          Channel.OtherChoiceException.class,
          () -> {
            while (own.read() == null) {
              // The answer is under way.
            }
          });
    }
  }

  @Test
  void bothEndsHaveTheSameKeysAndNoOthers() throws Exception {
    try (Pair pair = new Pair();
        Pair other = new Pair()) {
      Channel own = pair.connect(SECRET, PURPOSE, NAME);
      pair.read(own);
      other.read(other.connect(SECRET, PURPOSE, NAME));
      assertArrayEquals(own.key("messages"), pair.accepted.key("messages"));
      assertFalse(Arrays.equals(own.key("messages"), own.key("other messages")));
      assertFalse(Arrays.equals(own.key("messages"), other.accepted.key("messages")));
    }
  }

  /** A connection's own proof, sent back, is not the other end's. */
  @Test
  void aProofIsOfOneRole() throws Exception {
    byte[] nonce = RunSecret.nonce();
    try (Pair pair = new Pair()) {
      byte[] answer = exchange(pair, greeting(nonce));
      byte[] proof = frames(pair, nonce, answer, "accepts").frame(HELLO).array();
      pair.connecting.write(ByteBuffer.wrap(proof));
      assertThrows(MalformedFrameException.class, pair::read);
    }
  }

  /** Whoever reaches the port learns a nonce, and no code that depends on the secret. */
  @Test
  void whoProvesNothingLearnsNoProof() throws Exception {
    try (Pair pair = new Pair()) {
      byte[] answer = exchange(pair, greeting(RunSecret.nonce()));
      byte[] sealed = Arrays.copyOfRange(answer, 8, answer.length);
      byte[] content = Frames.unproven().open(sealed, "");
      assertArrayEquals(Frames.unproven().frame(content).array(), answer);
      pair.connecting.write(
          new Frames("a guess of 32 bytes, not the key".getBytes(StandardCharsets.US_ASCII))
              .frame(HELLO));
      assertThrows(MalformedFrameException.class, pair::read);
      assertEquals(0, pair.accepted.pending());
    }
  }

  @Property(tries = 200)
  void randomBytesAreNoProof(
      @ForAll boolean greets, @ForAll boolean framed, @ForAll @Size(max = 400) byte[] said)
      throws IOException {
    try (Pair pair = new Pair()) {
      if (greets) {
        exchange(pair, greeting(RunSecret.nonce()));
      }
      pair.connecting.write(framed ? Frames.unproven().frame(said) : ByteBuffer.wrap(said));
      pair.connecting.shutdownOutput();
      assertThrows(IOException.class, pair::read);
      assertFalse(pair.accepted.isProven());
      assertTrue(pair.accepted.pending() <= 1, "a greeting at most");
    }
  }
}
