package io.github.amb.core.record;

import com.fasterxml.jackson.databind.ObjectWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Writes records to the logs of a run directory, a line at a time, each flushed at once. */
public final class RecordLog implements Consumer<LogRecord>, AutoCloseable {
  private static final ObjectWriter JSON = RunDirectory.JSON.writerFor(LogRecord.class);

  private final RunDirectory run;
  private final Map<Integer, OutputStream> workers = new HashMap<>();
  private final OutputStream master;

  /**
   * Opens {@code master.jsonl}; workers' logs are opened when their first record comes.
   *
   * @throws IOException if the file exists or cannot be made
   */
  public RecordLog(RunDirectory run) throws IOException {
    this.run = run;
    master = Files.newOutputStream(run.masterLog(), StandardOpenOption.CREATE_NEW);
  }

  /**
   * Appends one line.
   *
   * @throws UncheckedIOException if it cannot be written
   */
  @Override
  public synchronized void accept(LogRecord record) {
    try {
      byte[] json = JSON.writeValueAsBytes(record);
      byte[] line = Arrays.copyOf(json, json.length + 1);
      line[json.length] = '\n';
      streamFor(record).write(line);
    } catch (IOException e) {
      throw new UncheckedIOException(run.path() + ": cannot write a record: " + e.getMessage(), e);
    }
  }

  private OutputStream streamFor(LogRecord record) throws IOException {
    if (!(record instanceof WorkerRecord worker)) {
      return master;
    }
    OutputStream stream = workers.get(worker.rank());
    if (stream == null) {
      stream = Files.newOutputStream(run.workerLog(worker.rank()));
      workers.put(worker.rank(), stream);
    }
    return stream;
  }

  @Override
  public synchronized void close() throws IOException {
    master.close();
    for (OutputStream stream : workers.values()) {
      stream.close();
    }
  }
}
