package io.github.amb.runtime.launch;

import io.github.amb.runtime.mpj.RunSecret;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;

/**
 * A rank's end of its connection with the launcher on another host ({@link Lifelines}): tells it
 * every second that this process lives, and ends the process when the launcher has been silent for
 * too long, so that nothing goes on behind a link that is cut.
 */
final class Lifeline implements Runnable {
  /** System property: host and port of the launcher's end. */
  static final String PLACE_PROPERTY = "amb.lifeline";

  /** System property: silence in milliseconds after which this process ends. */
  static final String SILENCE_PROPERTY = "amb.lifeline.silence";

  /** If this much passes between two looks, it was this process that did not run. */
  private static final long OWN_PAUSE = TimeUnit.SECONDS.toNanos(3);

  private final int rank;
  private final InetSocketAddress launcher;
  private final long patience;
  private volatile long heard = System.nanoTime();

  private Lifeline(int rank, String place) {
    this.rank = rank;
    String[] words = place.split(" ");
    launcher = new InetSocketAddress(words[0], Integer.parseInt(words[1]));
    patience = TimeUnit.MILLISECONDS.toNanos(Long.getLong(SILENCE_PROPERTY, 30_000));
  }

  /**
   * Starts the lifeline of {@code rank} if the launcher is on another host, which then does not
   * know the number of this process, either.
   */
  static void start(int rank) {
    String place = System.getProperty(PLACE_PROPERTY);
    if (place != null) {
      RankReport.process(rank);
      Lifeline lifeline = new Lifeline(rank, place);
      daemon("lifeline", lifeline);
      daemon("lifeline-watch", lifeline::watch);
    }
  }

  private static void daemon(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Keeps a connection; makes a new one whenever it breaks. */
  @Override
  public void run() {
    try {
      while (true) {
        try (Socket socket = new Socket()) {
          connect(socket);
        } catch (IOException e) {
          // Tried again, until the watch loses patience.
        }
        TimeUnit.MILLISECONDS.sleep(Lifelines.PULSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void connect(Socket socket) throws IOException, InterruptedException {
    socket.connect(launcher, (int) TimeUnit.NANOSECONDS.toMillis(patience));
    socket.setTcpNoDelay(true);
    socket.setSoTimeout((int) TimeUnit.NANOSECONDS.toMillis(patience));
    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
    out.writeInt(rank);
    out.writeUTF(RunSecret.own().proofOfLifeline(rank));
    InputStream in = socket.getInputStream();
    do {
      out.write(0);
      if (in.read() < 0) {
        return;
      }
      heard = System.nanoTime();
      TimeUnit.MILLISECONDS.sleep(Lifelines.PULSE_MILLIS);
    } while (true);
  }

  private void watch() {
    long lastLook = System.nanoTime();
    try {
      while (true) {
        TimeUnit.MILLISECONDS.sleep(Lifelines.PULSE_MILLIS / 2);
        long now = System.nanoTime();
        if (now - lastLook > OWN_PAUSE) {
          heard = now;
        }
        lastLook = now;
        if (now - heard > patience) {
          RankReport.failed(
              rank, "heard nothing of the launcher for %.1f s".formatted(patience / 1e9));
          Runtime.getRuntime().halt(1);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
