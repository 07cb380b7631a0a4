package io.github.amb.runtime.net;

import io.github.amb.core.file.Closing;
import io.github.amb.runtime.mpj.RunSecret;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * One end of a connection between two processes of a run. Both prove that they know the run's
 * secret before either trusts anything:
 *
 * <ol>
 *   <li>The end that connects sends a greeting: its name and a nonce.
 *   <li>If that name is expected, the other end sends the name and a nonce of its own.
 *   <li>The end that connects sends its first frame. Its code is the proof: the key follows from
 *       the secret, purpose, name and role, both nonces, and both addresses with their ports.
 *   <li>The other end checks it, and sends its own first frame.
 * </ol>
 *
 * <p>A proof is useless for another connection, name, run, host or port. All frames but the
 * greetings are encrypted. Used by one thread.
 */
public final class Channel {
  /** Maximum bytes of a frame's content. */
  public static final int LONGEST = 1 << 18;

  /** Bytes of a greeting's content. */
  static final int GREETING_BYTES = 3 * Integer.BYTES + RunSecret.NONCE_BYTES;

  /** Maximum bytes of the frame that proves who has sent it. */
  private static final int LONGEST_PROOF = 1 << 10;

  private final SocketChannel socket;
  private final SelectionKey key;
  private final String here;
  private final String there;
  private final String from;
  private final RunSecret secret;
  private final String purpose;
  private final Predicate<Name> expected;
  private final Supplier<byte[]> first; // null at the end that has accepted the connection
  private final byte[] nonce = RunSecret.nonce();
  private final long opened = System.nanoTime();
  private final Deque<ByteBuffer> out = new ArrayDeque<>();
  private Frames ours = Frames.unproven();
  private Frames theirs = Frames.unproven();
  private ByteBuffer in = ByteBuffer.allocate(Frames.HEAD_BYTES);
  private boolean head = true;
  private long heard = opened;
  private long bytes;
  private Name name;
  private boolean proven;
  private String link;

  /**
   * The process that connects.
   *
   * @param rank its rank
   * @param attempt number of its process, or of the generation that is being formed
   * @param encrypts whether it encrypts what follows the proofs in another protocol
   */
  public record Name(int rank, int attempt, boolean encrypts) {
    private Name otherwise() {
      return new Name(rank, attempt, !encrypts);
    }
  }

  /** The two ends do not agree whether they encrypt, so that no further attempt can succeed. */
  public static final class OtherChoiceException extends MalformedFrameException {
    private OtherChoiceException(String purpose, boolean encrypts) {
      super(
          "%s: expected %s, as at this end, found %s; start all ranks of a run with the same --encrypt"
              .formatted(purpose, sent(encrypts), sent(!encrypts)));
    }

    private static String sent(boolean encrypts) {
      return encrypts ? "encrypted messages" : "plain messages";
    }
  }

  /**
   * The end that has accepted a connection, if {@code first} is null. It may send only after the
   * first {@link #read}.
   *
   * @param socket made non-blocking, and registered with {@code selector}
   * @param purpose what the connection is for; the same at both ends
   * @param expected who may connect
   */
  Channel(
      SocketChannel socket,
      Selector selector,
      RunSecret secret,
      String purpose,
      Predicate<Name> expected,
      Supplier<byte[]> first)
      throws IOException {
    this.socket = socket;
    this.secret = secret;
    this.purpose = purpose;
    this.expected = expected;
    this.first = first;
    try {
      here = text(socket.getLocalAddress());
      there = text(socket.getRemoteAddress());
      from = socket.getRemoteAddress() instanceof InetSocketAddress ? there : null;
      socket.configureBlocking(false);
      if (from != null) {
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
      }
      key = socket.register(selector, SelectionKey.OP_READ, this);
    } catch (IOException e) {
      socket.close(); // The other end has gone.
      throw e;
    }
  }

  /**
   * The end that connects.
   *
   * @param socket connected; made non-blocking, and registered with {@code selector}
   * @param purpose what the connection is for; the same at both ends
   * @param first content of its first frame, at most 1 KiB
   */
  public static Channel connected(
      SocketChannel socket,
      Selector selector,
      RunSecret secret,
      String purpose,
      Name own,
      Supplier<byte[]> first)
      throws IOException {
    Channel channel = new Channel(socket, selector, secret, purpose, own::equals, first);
    channel.greet(own);
    return channel;
  }

  /**
   * Returns when both ends of a connection have proven who they are.
   *
   * @param socket connected, in blocking mode
   * @param limit how long that may take
   * @return this end, of which only {@link #key} is of use now
   * @throws IOException if the other end is another one, is too slow, or ends early, or if this
   *     thread is interrupted; then {@code socket} may be in any mode
   */
  public static Channel prove(
      SocketChannel socket, RunSecret secret, String purpose, Name own, Duration limit)
      throws IOException {
    Channel channel;
    try (Selector selector = Selector.open()) {
      channel = connected(socket, selector, secret, purpose, own, () -> new byte[0]);
      while (channel.read() == null) {
        channel.write();
        long left = limit.toNanos() - (System.nanoTime() - channel.opened);
        if (left <= 0) {
          throw new SocketTimeoutException("expected a proof before the deadline, found none");
        }
        selector.select(ready -> {}, 1 + TimeUnit.NANOSECONDS.toMillis(left));
        if (Thread.currentThread().isInterrupted()) {
          throw new InterruptedIOException();
        }
      }
    }
    socket.configureBlocking(true);
    return channel;
  }

  private void greet(Name named) {
    ByteBuffer greeting = ByteBuffer.allocate(GREETING_BYTES);
    greeting.putInt(named.rank).putInt(named.attempt).putInt(named.encrypts ? 1 : 0).put(nonce);
    send(greeting.array());
  }

  /** An address as in a proof: host and port, or the path of a file. */
  public static String text(SocketAddress address) {
    if (address instanceof InetSocketAddress network) {
      // The part after % names an interface of one host alone.
      String host = network.getAddress().getHostAddress().replaceFirst("%.*", "");
      return host + ":" + network.getPort();
    }
    return address.toString();
  }

  /**
   * Where the connection comes from; null for one through a file, which only this user's processes
   * can access.
   */
  String from() {
    return from;
  }

  /** Nanoseconds since this end was made. */
  long age() {
    return System.nanoTime() - opened;
  }

  /** When the last bytes arrived, by {@link System#nanoTime}. */
  public long heard() {
    return heard;
  }

  /** The name that the end which connects claims; null before. */
  public Name name() {
    return name;
  }

  /** Whether the other end has proven who it is. */
  public boolean isProven() {
    return proven;
  }

  /** What an end without proof has sent so far, as a clause. */
  String said() {
    return bytes == 0
        ? "it sent nothing"
        : name == null
            ? "it sent %d of the %d bytes of a greeting"
                .formatted(bytes, Frames.HEAD_BYTES + GREETING_BYTES + Frames.CODE_BYTES)
            : "it claimed to be rank " + name.rank + " and did not prove it";
  }

  /**
   * Reads the next frame of an end that has proven who it is.
   *
   * @return its content; null if no more has arrived
   * @throws MalformedFrameException if what has arrived is wrong
   * @throws IOException if the connection has ended
   */
  public byte[] read() throws IOException {
    while (true) {
      int more = socket.read(in);
      if (more < 0) {
        throw new EOFException("ended");
      }
      bytes += more;
      heard = more > 0 ? System.nanoTime() : heard;
      if (in.hasRemaining()) {
        return null;
      }
      ByteBuffer whole = in.flip();
      head = !head;
      in = ByteBuffer.allocate(head ? Frames.HEAD_BYTES : Frames.following(whole, longest()));
      if (head && name == null) {
        answer(ByteBuffer.wrap(theirs.open(whole.array(), "the greeting")));
      } else if (head) {
        byte[] content = theirs.open(whole.array(), first == null ? text(name) : "the launcher");
        proven = true;
        return content;
      }
    }
  }

  private static String text(Name name) {
    return "rank " + name.rank;
  }

  private int longest() {
    return proven ? LONGEST : name == null ? GREETING_BYTES : LONGEST_PROOF;
  }

  private void answer(ByteBuffer greeting) throws IOException {
    if (greeting.remaining() < GREETING_BYTES) {
      throw new MalformedFrameException("expected a greeting, found a shorter frame");
    }
    Name named = new Name(greeting.getInt(), greeting.getInt(), greeting.getInt() != 0);
    Name opposite = named.otherwise();
    if (expected.test(opposite)) {
      if (first == null) {
        greet(opposite); // So that the other end knows why.
        write();
      }
      throw new OtherChoiceException(purpose, opposite.encrypts);
    }
    if (!expected.test(named)) {
      throw new MalformedFrameException(
          "expected a rank that this run has started, found " + text(named));
    }
    if (first == null) {
      greet(named);
    }
    HexFormat hex = HexFormat.of();
    String own = hex.formatHex(nonce) + " " + here;
    String other = hex.formatHex(greeting.array(), 3 * Integer.BYTES, GREETING_BYTES) + " " + there;
    link = named + " " + (first == null ? other + " " + own : own + " " + other);
    byte[] connects = key("who connects");
    byte[] accepts = key("who accepts");
    ours = new Frames(first == null ? accepts : connects);
    theirs = new Frames(first == null ? connects : accepts);
    name = named;
    if (first != null) {
      send(first.get());
    }
  }

  /**
   * A key that both ends of this connection have, and nobody else.
   *
   * @param use what it is for; another key for each
   * @return 32 bytes
   */
  public byte[] key(String use) {
    return secret.authenticate(purpose + ", " + use, link);
  }

  /** Number of frames that are still to be sent. */
  public int pending() {
    return out.size();
  }

  /** Sends a frame, once {@link #write} is called. */
  public void send(byte[] content) {
    out.add(ours.frame(content));
  }

  /** Sends what is pending, as far as the connection accepts it. */
  public void write() throws IOException {
    while (!out.isEmpty()) {
      socket.write(out.peek());
      if (out.peek().hasRemaining()) {
        break;
      }
      out.remove();
    }
    if (key.isValid()) {
      key.interestOps(SelectionKey.OP_READ | (out.isEmpty() ? 0 : SelectionKey.OP_WRITE));
    }
  }

  /** The connection itself, for another protocol after the proofs. */
  public SocketChannel socket() {
    return socket;
  }

  /** Takes the connection from its selector, which forgets it at its next selection. */
  void leave() {
    key.cancel();
  }

  /** Ends the connection. */
  public void close() {
    Closing.quietly(socket);
  }
}
