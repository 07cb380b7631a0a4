package io.github.amb.core.record;

import java.io.IOException;
import java.util.function.Consumer;

/** Keeps a run's records. */
public interface RecordSink extends Consumer<LogRecord>, AutoCloseable {
  /**
   * Puts the master's records accepted so far on the disk. Those of workers follow when the system
   * writes them, as one file for each of a thousand workers would take long. A failure is a
   * warning. Any thread may call it.
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
