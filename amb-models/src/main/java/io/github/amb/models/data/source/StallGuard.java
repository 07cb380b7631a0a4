package io.github.amb.models.data.source;

import io.github.amb.core.thread.Daemon;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Closes a stream that delivers no bytes for too long, so that a read of it fails. */
final class StallGuard implements AutoCloseable {
  private final InputStream stream;
  private final long patience;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(Daemon.factory("amb-stall-guard"));
  private volatile long last = System.nanoTime();

  @SuppressWarnings("FutureReturnValueIgnored") // It ends with the timer.
  StallGuard(InputStream stream, Duration patience) {
    this.stream = stream;
    this.patience = patience.toNanos();
    timer.scheduleWithFixedDelay(
        this::check, this.patience, this.patience / 4, TimeUnit.NANOSECONDS);
  }

  /** Reports that bytes were received. */
  void progress() {
    last = System.nanoTime();
  }

  private void check() {
    if (System.nanoTime() - last > patience) {
      try {
        stream.close();
      } catch (IOException e) {
        throw new IllegalStateException("cannot close a stalled download", e);
      }
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
