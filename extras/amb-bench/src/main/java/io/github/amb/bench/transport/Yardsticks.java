package io.github.amb.bench.transport;

import io.github.amb.bench.harness.Sample;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ServerSocketChannel;

/**
 * Measures the transfer of bytes without an engine: over a raw connection, and by a copy in memory.
 */
final class Yardsticks {
  private Yardsticks() {}

  /**
   * Seconds of {@code times} messages of {@code bytes} bytes in each direction on loopback, per
   * step.
   */
  static Sample rawSocket(int bytes, int times, int steps)
      throws IOException, InterruptedException {
    try (ServerSocketChannel server = RawSocket.listen()) {
      int port = server.socket().getLocalPort();
      Thread peer = new Thread(() -> echo(port, bytes, times, steps), "raw-socket-peer");
      peer.setDaemon(true);
      peer.start();
      RawSocket socket = RawSocket.accept(server, bytes);
      double[] seconds = new double[steps];
      for (int step = -1; step < steps; step++) {
        long start = System.nanoTime();
        for (int i = 0; i < times; i++) {
          socket.receive(bytes);
        }
        for (int i = 0; i < times; i++) {
          socket.send(bytes);
        }
        seconds[Math.max(0, step)] = (System.nanoTime() - start) / 1e9;
      }
      peer.join();
      return Sample.of(seconds);
    }
  }

  private static void echo(int port, int bytes, int times, int steps) {
    try {
      RawSocket socket = RawSocket.connect(port, bytes);
      for (int step = -1; step < steps; step++) {
        for (int i = 0; i < times; i++) {
          socket.send(bytes);
        }
        for (int i = 0; i < times; i++) {
          socket.receive(bytes);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Seconds of {@code times} copies of {@code length} floats, per step. */
  static Sample memoryCopy(int length, int times, int steps) {
    float[] from = new float[length];
    float[] to = new float[length];
    double[] seconds = new double[steps];
    for (int step = -2; step < steps; step++) {
      long start = System.nanoTime();
      for (int i = 0; i < 2 * times; i++) {
        System.arraycopy(from, 0, to, 0, length);
        from[0] += to[length - 1];
      }
      seconds[Math.max(0, step)] = (System.nanoTime() - start) / 1e9;
    }
    return Sample.of(seconds);
  }
}
