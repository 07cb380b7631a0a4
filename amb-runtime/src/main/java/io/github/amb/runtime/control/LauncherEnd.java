package io.github.amb.runtime.control;

import io.github.amb.runtime.mpj.RunSecret;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;

/**
 * The launcher's end of one connection, whose peer is unknown until it has proven which rank it is.
 */
final class LauncherEnd {
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
  private final RunSecret secret;
  private final Function<Name, ControlLine> lines;
  private final long opened = System.nanoTime();
  private final byte[] nonce = Greeting.nonce();
  private final Deque<ByteBuffer> out = new ArrayDeque<>();
  private final String from;
  private SelectionKey key;
  private ByteBuffer in = ByteBuffer.allocate(Greeting.HELLO_BYTES);
  private Stage stage = Stage.HELLO;
  private Greeting greeting;
  private ControlLine line;
  private Seal ours;
  private Seal theirs;
  private long sent;

  /**
   * @param channel non-blocking
   * @param secret the run's secret
   * @param lines lines of the expected processes; null for an unexpected name
   */
  LauncherEnd(SocketChannel channel, RunSecret secret, Function<Name, ControlLine> lines)
      throws IOException {
    this.channel = channel;
    this.secret = secret;
    this.lines = lines;
    from = from(channel.getRemoteAddress());
    out.add(Greeting.challenge(nonce));
  }

  private static String from(SocketAddress address) {
    return address instanceof InetSocketAddress ? Greeting.address(address) : null;
  }

  void register(SelectionKey registered) {
    key = registered;
  }

  /**
   * Where the connection comes from; null for one through a file, which only this user's processes
   * can access.
   */
  String from() {
    return from;
  }

  /** Nanoseconds since the connection was accepted. */
  long age() {
    return System.nanoTime() - opened;
  }

  /** The line of the proven rank; null before the proof. */
  ControlLine line() {
    return line;
  }

  /** Whether the peer has claimed to be an expected rank, and sent nothing else. */
  boolean claimsToBeExpected() {
    return greeting != null;
  }

  /** What a peer without proof has sent so far, as a clause. */
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
  void read() throws IOException {
    while (true) {
      int bytes = channel.read(in);
      if (bytes < 0) {
        throw new EOFException("ended");
      }
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
    words.position(Integer.BYTES + Byte.BYTES);
    Name name = new Name(words.getInt(), words.getInt());
    if (lines.apply(name) == null) {
      throw new MalformedRecordException(
          "expected a rank that this run has started, found rank " + name.rank());
    }
    greeting =
        new Greeting(
            name.rank(),
            name.start(),
            Greeting.text(Greeting.nonce(words)),
            Greeting.text(nonce),
            Greeting.address(channel.getRemoteAddress()),
            Greeting.address(channel.getLocalAddress()));
    expect(Stage.PROOF, Greeting.PROOF_BYTES);
  }

  private void proof(ByteBuffer words) throws IOException {
    long received = greeting.check(Greeting.End.RANK, secret, words);
    ControlLine proved = lines.apply(new Name(greeting.rank(), greeting.start()));
    if (proved == null) {
      throw new EOFException("its process has ended");
    }
    proved.backlog.acknowledge(received);
    sent = received;
    ours = greeting.seal(Greeting.End.LAUNCHER, secret);
    theirs = greeting.seal(Greeting.End.RANK, secret);
    out.add(greeting.proof(Greeting.End.LAUNCHER, secret, proved.received));
    line = proved;
    expect(Stage.LENGTH, Integer.BYTES);
  }

  @SuppressWarnings("ByteBufferBackingArray") // Allocated by this class, from index 0 on.
  private void record(ByteBuffer words) throws IOException {
    ControlRecord record = RecordCodec.decode(theirs.open(words.array()));
    if (record instanceof Heartbeat beat) {
      line.backlog.acknowledge(beat.received());
      line.listener.lives(beat);
    } else if (record instanceof RankReport report) {
      line.received++;
      line.listener.report(report);
      beat();
    } else {
      throw new MalformedRecordException("expected a report, found an order");
    }
    expect(Stage.LENGTH, Integer.BYTES);
  }

  /** Sends a heartbeat, unless other records are pending. */
  void beat() {
    if (line != null && out.size() < 2) {
      out.add(ours.seal(RecordCodec.encode(new Heartbeat(line.received, null))));
    }
  }

  /** Sends pending records, as far as the channel accepts them. */
  void write() throws IOException {
    if (line != null) {
      for (byte[] next = line.backlog.after(sent); next != null; next = line.backlog.after(sent)) {
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
