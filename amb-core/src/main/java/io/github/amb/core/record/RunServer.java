package io.github.amb.core.record;

import io.github.amb.core.option.UsageException;

/**
 * Shows a run to browsers and monitoring programs while it trains.
 *
 * <p>A module adds one by implementing this interface and naming the class in {@code
 * META-INF/services/io.github.amb.core.record.RunServer}.
 */
public interface RunServer {
  /** A server that listens until it is closed. */
  interface Listening extends AutoCloseable {
    /** The address to open or to scrape. */
    String url();

    @Override
    void close();
  }

  /**
   * Serves a page that follows the run.
   *
   * @param run a run directory
   * @param host the address to listen at
   * @param port 0 for any free one
   * @throws UsageException if the address cannot be listened at
   */
  Listening page(RunDirectory run, String host, int port);

  /**
   * Serves the run's numbers in Prometheus' text format.
   *
   * @param run a run directory
   * @param host the address to listen at
   * @param port 0 for any free one
   * @throws UsageException if the address cannot be listened at
   */
  Listening metrics(RunDirectory run, String host, int port);
}
