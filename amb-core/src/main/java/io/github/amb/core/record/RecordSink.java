package io.github.amb.core.record;

import java.io.IOException;
import java.util.function.Consumer;

/** Keeps a run's records. */
public interface RecordSink extends Consumer<LogRecord>, AutoCloseable {
  /**
   * Keeps what is still pending.
   *
   * @throws IOException if a record is missing
   */
  @Override
  void close() throws IOException;
}
