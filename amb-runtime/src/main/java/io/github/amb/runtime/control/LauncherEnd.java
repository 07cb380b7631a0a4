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

/** The launcher's end of one connection, of a rank or of anything else until that is known. */
final class LauncherEnd {
  private enum Stage {
    HELLO,
    PROOF,
    LENGTH,
    RECORD
  }

  /**
   * Who says to be what.
   *
   * @param rank lasting number
   * @param start how often it was started before
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
   * @param channel not blocking
   * @param lines those of the processes that are expected; null for a name that is not
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

  /** Where it comes from; null if through a file, which this user's processes alone can reach. */
  String from() {
    return from;
  }

  /** Nanoseconds since it came. */
  long age() {
    return System.nanoTime() - opened;
  }

  /** Whom it belongs to; null as long as that is not proved. */
  ControlLine line() {
    return line;
  }

  /** Whether it has said to be a rank that is expected, and nothing else. */
  boolean claimsToBeExpected() {
    return greeting != null;
  }

  /** What it has said so far, of one that has not proved itself. */
  String said() {
    int bytes = in.position() + (greeting == null ? 0 : Greeting.HELLO_BYTES);
    return bytes == 0
        ? "it sent nothing"
        : greeting == null
            ? "it sent %s of the %s bytes of a greeting".formatted(bytes, Greeting.HELLO_BYTES)
            : "it claimed to be rank " + greeting.rank() + " and did not prove it";
  }

  /**
   * Reads what has come.
   *
   * @throws IOException if it has ended or is not to be believed
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
    long received = greeting.checkRank(secret, words);
    ControlLine proved = lines.apply(new Name(greeting.rank(), greeting.start()));
    if (proved == null) {
      throw new EOFException("its process has ended");
    }
    proved.backlog.acknowledge(received);
    sent = received;
    ours = greeting.sealOfLauncher(secret);
    theirs = greeting.sealOfRank(secret);
    out.add(greeting.proofOfLauncher(secret, proved.received));
    line = proved;
    expect(Stage.LENGTH, Integer.BYTES);
  }

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

  /** Says that the launcher lives, and what it has received, unless much is to be said already. */
  void beat() {
    if (line != null && out.size() < 2) {
      out.add(ours.seal(RecordCodec.encode(new Heartbeat(line.received, null))));
    }
  }

  /** Says what is to be said, as far as the rank takes it. */
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
