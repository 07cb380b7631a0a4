package io.github.amb.core.record;

import java.io.IOException;
import java.util.function.Consumer;

/** Keeps a run's records. */
public interface RecordSink extends Consumer<LogRecord>, AutoCloseable {
  /**
   * Puts the records accepted so far on the disk. A failure is a warning. Any thread may call it.
   */
  void sync();

  /**
   * Keeps what is still pending.
   *
   * @throws IOException if a record is missing
   */
  @Override
  void close() throws IOException;
}
