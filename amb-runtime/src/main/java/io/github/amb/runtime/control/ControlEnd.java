package io.github.amb.runtime.control;

import io.github.amb.runtime.mpj.RunSecret;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;

/**
 * A launcher's or a rank's end of one connection, whose peer is unknown until it has proven who it
 * is. Used by one thread.
 */
final class ControlEnd {
  private enum Stage {
    HELLO,
    PROOF,
    LENGTH,
    RECORD
  }

  /**
   * The identity that a peer claims.
   *
   * @param rank number in the run
   * @param start how often the rank was started before
   */
  record Name(int rank, int start) {}

  private final SocketChannel channel;
  private final SelectionKey key;
  private final RunSecret secret;
  private final Function<Name, ControlLine> lines;
  private final ControlLine own;
  private final long opened = System.nanoTime();
  private final byte[] nonce = Greeting.nonce();
  private final Deque<ByteBuffer> out = new ArrayDeque<>();
  private final String from;
  private long read = opened;
  private ByteBuffer in;
  private Stage stage = Stage.HELLO;
  private Greeting greeting;
  private ControlLine line;
  private Seal ours;
  private Seal theirs;
  private long sent;

  private ControlEnd(
      SocketChannel channel,
      Selector selector,
      RunSecret secret,
      Function<Name, ControlLine> lines,
      ControlLine own)
      throws IOException {
    this.channel = channel;
    this.secret = secret;
    this.lines = lines;
    this.own = own;
    channel.configureBlocking(false);
    if (channel.supportedOptions().contains(StandardSocketOptions.TCP_NODELAY)) {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }
    from =
        channel.getRemoteAddress() instanceof InetSocketAddress network
            ? Greeting.address(network)
            : null;
    in = ByteBuffer.allocate(own == null ? Greeting.HELLO_BYTES : Greeting.CHALLENGE_BYTES);
    out.add(own == null ? Greeting.challenge(nonce) : Greeting.hello(own.rank, own.start, nonce));
    key = channel.register(selector, SelectionKey.OP_READ, this);
  }

  /**
   * The launcher's end.
   *
   * @param channel connected; made non-blocking, and registered with {@code selector}
   * @param secret the run's secret
   * @param lines lines of the expected processes; null for an unexpected name
   */
  static ControlEnd ofLauncher(
      SocketChannel channel, Selector selector, RunSecret secret, Function<Name, ControlLine> lines)
      throws IOException {
    return new ControlEnd(channel, selector, secret, lines, null);
  }

  /**
   * A rank's end.
   *
   * @param channel connected; made non-blocking, and registered with {@code selector}
   * @param secret the run's secret
   * @param own the rank's line
   */
  static ControlEnd ofRank(
      SocketChannel channel, Selector selector, RunSecret secret, ControlLine own)
      throws IOException {
    return new ControlEnd(channel, selector, secret, name -> own, own);
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
  long read() {
    return read;
  }

  /** The line to the proven peer; null before the proof. */
  ControlLine line() {
    return line;
  }

  /** Whether the peer has claimed to be an expected one, and sent nothing else. */
  boolean claimsToBeExpected() {
    return greeting != null;
  }

  /** What a rank without proof has sent so far, as a clause. */
  String said() {
    int bytes = in.position() + (greeting == null ? 0 : Greeting.HELLO_BYTES);
    return bytes == 0
        ? "it sent nothing"
        : greeting == null
            ? "it sent %s of the %s bytes of a greeting".formatted(bytes, Greeting.HELLO_BYTES)
            : "it claimed to be rank " + greeting.rank() + " and did not prove it";
  }

  /**
   * Reads what has arrived.
   *
   * @throws IOException if the connection has ended or its content is wrong
   */
  void take() throws IOException {
    while (true) {
      int bytes = channel.read(in);
      if (bytes < 0) {
        throw new EOFException("ended");
      }
      read = bytes > 0 ? System.nanoTime() : read;
      if (stage == Stage.HELLO) {
        Greeting.checkHead(in);
      }
      if (in.hasRemaining()) {
        return;
      }
      understand(in.flip());
    }
  }

  private void understand(ByteBuffer words) throws IOException {
    switch (stage) {
      case HELLO -> hello(words);
      case PROOF -> proof(words);
      case LENGTH -> expect(Stage.RECORD, Seal.following(words.getInt()));
      default -> record(words);
    }
  }

  private void expect(Stage next, int bytes) {
    stage = next;
    in = ByteBuffer.allocate(bytes);
  }

  private void hello(ByteBuffer words) throws IOException {
    words.position(Greeting.HEAD_BYTES);
    Name name =
        own == null ? new Name(words.getInt(), words.getInt()) : new Name(own.rank, own.start);
    if (lines.apply(name) == null) {
      throw new MalformedRecordException(
          "expected a rank that this run has started, found rank " + name.rank());
    }
    String ownNonce = Greeting.text(nonce);
    String other = Greeting.text(Greeting.nonce(words));
    String here = Greeting.address(channel.getLocalAddress());
    String there = Greeting.address(channel.getRemoteAddress());
    greeting =
        own == null
            ? new Greeting(name.rank(), name.start(), other, ownNonce, there, here)
            : new Greeting(name.rank(), name.start(), ownNonce, other, here, there);
    if (own != null) {
      out.add(greeting.proof(Greeting.End.RANK, secret, own.received));
    }
    expect(Stage.PROOF, Greeting.PROOF_BYTES);
  }

  private void proof(ByteBuffer words) throws IOException {
    Greeting.End self = own == null ? Greeting.End.LAUNCHER : Greeting.End.RANK;
    Greeting.End peer = own == null ? Greeting.End.RANK : Greeting.End.LAUNCHER;
    long received = greeting.check(peer, secret, words);
    ControlLine proved = lines.apply(new Name(greeting.rank(), greeting.start()));
    if (proved == null) {
      throw new EOFException("its process has ended");
    }
    proved.acknowledge(received);
    sent = received;
    ours = greeting.seal(self, secret);
    theirs = greeting.seal(peer, secret);
    if (own == null) {
      out.add(greeting.proof(self, secret, proved.received));
    }
    line = proved;
    expect(Stage.LENGTH, Integer.BYTES);
    beat();
  }

  @SuppressWarnings("ByteBufferBackingArray") // Allocated by this class, from index 0 on.
  private void record(ByteBuffer words) throws IOException {
    ControlRecord record = RecordCodec.decode(theirs.open(words.array()));
    line.heard = System.nanoTime();
    if (record instanceof Heartbeat beat) {
      line.acknowledge(beat.received());
      line.listener.lives(beat);
    } else if (own == null && record instanceof RankReport report) {
      line.listener.report(report);
    } else if (own != null && record instanceof Order order) {
      line.listener.order(order);
    } else {
      throw new MalformedRecordException(
          own == null ? "expected a report, found an order" : "expected an order, found a report");
    }
    expect(Stage.LENGTH, Integer.BYTES);
    if (!(record instanceof Heartbeat)) {
      line.received++;
      beat();
    }
  }

  /** Sends a heartbeat, unless other records are pending. */
  void beat() {
    if (line != null && out.size() < 2) {
      Heartbeat beat = new Heartbeat(line.received, line.listener.waiting());
      out.add(ours.seal(RecordCodec.encode(beat)));
    }
  }

  /** Sends pending records, as far as the channel accepts them. */
  void write() throws IOException {
    if (line != null) {
      for (byte[] next = line.after(sent); next != null; next = line.after(sent)) {
        out.add(ours.seal(next));
        sent++;
      }
    }
    while (!out.isEmpty()) {
      channel.write(out.peek());
      if (out.peek().hasRemaining()) {
        break;
      }
      out.remove();
    }
    key.interestOps(SelectionKey.OP_READ | (out.isEmpty() ? 0 : SelectionKey.OP_WRITE));
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // It was broken already.
    }
  }
}
