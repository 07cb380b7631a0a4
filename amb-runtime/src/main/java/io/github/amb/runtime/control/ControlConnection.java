package io.github.amb.runtime.control;

import io.github.amb.core.thread.Daemon;
import io.github.amb.core.thread.Waits;
import io.github.amb.runtime.mpj.RunSecret;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * A rank's end of the connection to its launcher. It reconnects whenever the connection breaks, and
 * keeps reports until the launcher has acknowledged them.
 */
public final class ControlConnection {
  private static final long FIRST_PAUSE_MILLIS = 20;

  /**
   * If two checks are further apart than this, in nanoseconds, it was this process that did not
   * run.
   */
  private static final long OWN_PAUSE = TimeUnit.SECONDS.toNanos(3);

  /** Receives the launcher's records, on a thread of the connection. */
  public interface Listener {
    /** An order has arrived. */
    void order(Order order);

    /** What the rank's program waits for now; null if it does not wait. */
    Heartbeat.Wait waiting();

    /** The launcher has been silent for as long as this rank tolerates. */
    void silent();
  }

  private final SocketAddress launcher;
  private final RunSecret secret;
  private final int rank;
  private final int start;
  private final ControlTimes times;
  private final long patience;
  private final Listener listener;
  private final Backlog backlog = new Backlog();
  private SocketChannel channel;
  private Seal ours;
  private long sent;
  private long received;
  private boolean due;
  private boolean closed;
  private volatile long heard = System.nanoTime();
  private volatile long progress = heard;

  /**
   * Begins to connect.
   *
   * @param place as {@link ControlServer#place} returns it
   * @param rank number in the run
   * @param start how often the rank was started before
   * @param secret the run's secret
   * @param times limits of the connection
   * @param patience silence of the launcher in nanoseconds after which the listener is called
   * @param listener receives orders
   */
  public ControlConnection(
      String place,
      RunSecret secret,
      int rank,
      int start,
      ControlTimes times,
      long patience,
      Listener listener) {
    launcher = ControlPlace.parse(place);
    this.secret = secret;
    this.rank = rank;
    this.start = start;
    this.times = times;
    this.patience = patience;
    this.listener = listener;
    Daemon.start("control-read", this::converse);
    Daemon.start("control-write", this::say);
  }

  /** Sends a report; returns at once. */
  public synchronized void send(RankReport report) {
    backlog.add(report);
    notifyAll();
  }

  /** Waits until all reports have arrived; returns false after {@code millis} milliseconds. */
  public boolean flush(long millis) {
    try {
      return backlog.awaitEmpty(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Removes the launcher's file, if it has one, after the launcher's death. */
  public void removePlace() {
    ControlPlace.remove(launcher);
  }

  /** Ends the connection, for tests. Otherwise it lasts as long as the process. */
  synchronized void close() {
    closed = true;
    disconnect(channel);
    notifyAll();
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  /** Keeps a connection open. */
  private void converse() {
    // Loads the classes of a greeting now, as there is little time for it later.
    secret.authenticate("first use", Greeting.text(Greeting.nonce()));
    long pause = FIRST_PAUSE_MILLIS;
    while (!isClosed()) {
      SocketChannel opened = null;
      try {
        opened = open();
        opened.connect(launcher);
        Seal theirs = greet(opened);
        pause = FIRST_PAUSE_MILLIS;
        while (true) {
          understand(RecordCodec.decode(theirs.open(record(opened))));
        }
      } catch (IOException e) {
        // The next attempt follows, until the rank's patience ends.
      }
      disconnect(opened);
      pause = pause(pause);
    }
  }

  private long pause(long millis) {
    Waits.run(() -> TimeUnit.MILLISECONDS.sleep(millis));
    return Math.min(2 * millis, times.heartbeat().toMillis());
  }

  private synchronized SocketChannel open() throws IOException {
    progress = System.nanoTime();
    channel = ControlPlace.channel(launcher);
    return channel;
  }

  private synchronized void disconnect(SocketChannel broken) {
    if (channel != null && channel == broken) {
      ours = null;
      try {
        channel.close();
      } catch (IOException e) {
        // It was broken already.
      }
    }
  }

  private Seal greet(SocketChannel opened) throws IOException {
    if (launcher instanceof InetSocketAddress) {
      opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }
    byte[] nonce = Greeting.nonce();
    write(opened, Greeting.hello(rank, start, nonce));
    ByteBuffer challenge = read(opened, Greeting.CHALLENGE_BYTES);
    Greeting.checkHead(challenge.duplicate().position(challenge.limit()));
    challenge.position(Integer.BYTES + Byte.BYTES);
    Greeting greeting =
        new Greeting(
            rank,
            start,
            Greeting.text(nonce),
            Greeting.text(Greeting.nonce(challenge)),
            Greeting.address(opened.getLocalAddress()),
            Greeting.address(opened.getRemoteAddress()));
    write(opened, greeting.proof(Greeting.End.RANK, secret, received));
    ByteBuffer answer = read(opened, Greeting.PROOF_BYTES);
    long came = greeting.check(Greeting.End.LAUNCHER, secret, answer);
    backlog.acknowledge(came);
    begin(greeting, came);
    return greeting.seal(Greeting.End.LAUNCHER, secret);
  }

  private synchronized void begin(Greeting greeting, long came) {
    ours = greeting.seal(Greeting.End.RANK, secret);
    sent = came;
    due = true;
    notifyAll();
  }

  private byte[] record(SocketChannel opened) throws IOException {
    int length = read(opened, Integer.BYTES).getInt();
    return read(opened, Seal.following(length)).array();
  }

  private ByteBuffer read(SocketChannel opened, int bytes) throws IOException {
    ByteBuffer in = ByteBuffer.allocate(bytes);
    while (in.hasRemaining()) {
      if (opened.read(in) < 0) {
        throw new EOFException("the launcher closed the connection");
      }
    }
    progress = System.nanoTime();
    return in.flip();
  }

  private static void write(SocketChannel opened, ByteBuffer words) throws IOException {
    while (words.hasRemaining()) {
      opened.write(words);
    }
  }

  private void understand(ControlRecord record) throws MalformedRecordException {
    heard = System.nanoTime();
    if (record instanceof Heartbeat beat) {
      backlog.acknowledge(beat.received());
    } else if (record instanceof Order order) {
      listener.order(order);
      came();
    } else {
      throw new MalformedRecordException("expected an order, found a report");
    }
  }

  private synchronized void came() {
    received++;
    due = true;
    notifyAll();
  }

  /** Sends pending records, and checks for the launcher's heartbeats. */
  private void say() {
    long beaten = System.nanoTime();
    long looked = beaten;
    try {
      while (!isClosed()) {
        awaitNews();
        long now = System.nanoTime();
        look(now, now - looked);
        looked = now;
        boolean beat = now - beaten >= times.heartbeat().toNanos();
        beaten = beat ? now : beaten;
        sayNews(beat);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits for news, a quarter of a heartbeat at most. */
  @SuppressWarnings("WaitNotInLoop") // Its caller is the loop.
  private synchronized void awaitNews() throws InterruptedException {
    boolean news = ours != null && (due || backlog.after(sent) != null);
    if (!news && !closed) {
      wait(Math.max(1, times.heartbeat().toMillis() / 4));
    }
  }

  private void look(long now, long pause) {
    if (pause > OWN_PAUSE) {
      heard = now;
      progress = now;
    }
    if (now - heard > patience) {
      listener.silent();
    }
    synchronized (this) {
      long limit = ours == null ? times.greeting().toNanos() : times.broken();
      if (now - progress > limit) {
        disconnect(channel);
      }
    }
  }

  private void sayNews(boolean beat) {
    SocketChannel to = null;
    try {
      while (true) {
        ByteBuffer next;
        synchronized (this) {
          to = channel;
          next = ours == null ? null : next(beat);
        }
        if (next == null) {
          return;
        }
        write(to, next);
        beat = false;
      }
    } catch (IOException e) {
      disconnect(to);
    }
  }

  private ByteBuffer next(boolean beat) {
    if (due || beat) {
      due = false;
      return ours.seal(RecordCodec.encode(new Heartbeat(received, listener.waiting())));
    }
    byte[] next = backlog.after(sent);
    if (next == null) {
      return null;
    }
    sent++;
    return ours.seal(next);
  }
}
