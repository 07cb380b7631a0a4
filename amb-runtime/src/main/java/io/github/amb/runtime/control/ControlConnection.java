package io.github.amb.runtime.control;

import io.github.amb.core.file.Reading;
import io.github.amb.core.thread.Daemon;
import io.github.amb.core.thread.Waits;
import io.github.amb.runtime.mpj.RunSecret;
import io.github.amb.runtime.net.Channel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/**
 * A rank's connection to its launcher. It reconnects whenever the connection breaks, and keeps
 * reports until the launcher has acknowledged them.
 */
public final class ControlConnection {
  private static final long FIRST_PAUSE_MILLIS = 20;

  /**
   * If two checks are further apart than this, in nanoseconds, it was this process that did not
   * run.
   */
  private static final long OWN_PAUSE = TimeUnit.SECONDS.toNanos(3);

  private final SocketAddress launcher;
  private final RunSecret secret;
  private final ControlTimes times;
  private final long patience;
  private final ControlLine line;
  private final Selector selector;
  private SocketChannel socket;
  private long pause;
  private long looked = System.nanoTime();
  private volatile boolean closed;

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
      ControlLine.Listener listener) {
    launcher = ControlPlace.parse(place);
    this.secret = secret;
    this.times = times;
    this.patience = patience;
    selector = Reading.certain(Selector::open);
    line =
        new ControlLine(
            new Channel.Name(rank, start, false), Order.class, listener, selector::wakeup);
    Daemon.start("control", this::converse);
  }

  /** Sends a report; returns at once. */
  public void send(RankReport report) {
    line.send(report);
  }

  /** Waits until all reports have arrived; returns false after {@code millis} milliseconds. */
  public boolean flush(long millis) {
    try {
      return line.awaitEmpty(millis);
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
  void close() {
    closed = true;
    selector.wakeup();
  }

  /** Keeps a connection open. */
  private void converse() {
    // Loads the classes of a proof now, as there is little time for it later.
    secret.authenticate("first use", "");
    pause = FIRST_PAUSE_MILLIS;
    try (selector) {
      while (!closed) {
        try (SocketChannel opened = ControlPlace.channel(launcher)) {
          socket = opened;
          talk();
        } catch (IOException | CancelledKeyException e) {
          // The next attempt follows, until the rank's patience ends.
        }
        Waits.run(() -> TimeUnit.MILLISECONDS.sleep(pause));
        pause = Math.min(2 * pause, times.heartbeat().toMillis());
        look();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns when the launcher has not been heard for too long. */
  private void talk() throws IOException {
    long begun = System.nanoTime();
    long beaten = begun;
    long restarted = begun;
    Channel channel = null;
    line.ended(line.channel());
    socket.configureBlocking(false);
    socket.register(selector, SelectionKey.OP_CONNECT);
    socket.connect(launcher);
    while (!closed) {
      if (channel == null && socket.finishConnect()) {
        channel =
            Channel.connected(
                socket, selector, secret, ControlLine.PURPOSE, line.name, line::heartbeat);
      }
      boolean beat = System.nanoTime() - beaten >= times.heartbeat().toNanos();
      beaten = beat ? System.nanoTime() : beaten;
      if (channel != null) {
        for (byte[] next = channel.read(); next != null; next = channel.read()) {
          line.hear(channel, next);
        }
        if (beat) {
          line.beat();
        }
        line.write();
        channel.write();
      }
      boolean proven = line.channel() != null;
      pause = proven ? FIRST_PAUSE_MILLIS : pause;
      restarted = look() ? System.nanoTime() : restarted;
      long progress = Math.max(restarted, channel == null ? begun : channel.heard());
      if (System.nanoTime() - progress > (proven ? times.broken() : times.greeting().toNanos())) {
        return;
      }
      selector.select(key -> {}, Math.max(1, times.heartbeat().toMillis() / 4));
    }
  }

  /**
   * Checks for the launcher's heartbeats; returns whether this process did not run meanwhile, so
   * that the time does not count.
   */
  private boolean look() {
    long now = System.nanoTime();
    boolean paused = now - looked > OWN_PAUSE;
    looked = now;
    line.heard = paused ? now : line.heard;
    if (now - line.heard > patience) {
      line.listener.silent();
    }
    return paused;
  }
}
