package io.github.amb.core.record;

import com.fasterxml.jackson.databind.ObjectWriter;
import io.github.amb.core.file.Disk;
import io.github.amb.core.file.LogFile;
import io.github.amb.core.file.LostRecordsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Writes records to the logs of a run directory, one line each, flushed at once. While the disk is
 * full, records are held in memory and written later. Records that could never be written are
 * counted.
 */
public final class RecordLog implements RecordSink {
  /** Maximum number of bytes held while the disk is full; further records are lost. */
  static final long MAX_HELD = 32L << 20;

  private static final ObjectWriter JSON = RunDirectory.JSON.writerFor(LogRecord.class);

  private final RunDirectory run;
  private final Disk disk;
  private final Consumer<String> warnings;
  private final Map<Integer, LogFile> workers = new HashMap<>();
  private final LogFile master;
  private final SortedMap<String, Long> lost = new TreeMap<>();
  private boolean full;

  /**
   * Creates {@code master.jsonl}. A worker's log is opened with its first record. A record that
   * cannot be written throws an {@link UncheckedIOException}.
   *
   * @throws IOException if the file exists or cannot be created
   */
  public RecordLog(RunDirectory run) throws IOException {
    this(run, StandardOpenOption.CREATE_NEW, Disk.REAL, RecordLog::fail);
  }

  private static void fail(String warning) {
    throw new UncheckedIOException(warning, new IOException(warning));
  }

  /**
   * Opens the logs of a run that continues while its disk is full.
   *
   * @param how {@code CREATE_NEW} for a new run, {@code CREATE} to append to those of a resumed one
   * @param disk checked before each write
   * @param warnings receives a log line when the disk becomes full, and when it has space again
   * @throws IOException if {@code master.jsonl} cannot be opened so
   */
  public RecordLog(RunDirectory run, StandardOpenOption how, Disk disk, Consumer<String> warnings)
      throws IOException {
    this.run = run;
    this.disk = disk;
    this.warnings = warnings;
    master = new LogFile(run.masterLog());
    master.open(how);
  }

  /** Appends one line. */
  @Override
  public synchronized void accept(LogRecord record) {
    LogFile file = fileFor(record);
    if (full && files().mapToLong(LogFile::heldBytes).sum() > MAX_HELD) {
      lost(file, 1);
    } else {
      file.add(line(record));
    }
    try {
      disk.check();
      if (full) {
        flushAll();
      } else {
        file.flush();
      }
    } catch (IOException e) {
      rejected(e);
    }
  }

  /** Records that are held in memory stay there. */
  @Override
  public void sync() {
    try {
      master.force();
    } catch (IOException e) {
      warnings.accept("%s: cannot be flushed to the disk: %s".formatted(master.name(), e));
    }
  }

  static byte[] line(LogRecord record) {
    try {
      byte[] json = JSON.writeValueAsBytes(record);
      byte[] line = Arrays.copyOf(json, json.length + 1);
      line[json.length] = '\n';
      return line;
    } catch (IOException e) {
      throw new UncheckedIOException("every record can be written as JSON", e);
    }
  }

  /** Flushes all logs, also if one of them cannot be written. */
  private void flushAll() throws IOException {
    IOException rejected = null;
    for (LogFile file : files().toList()) {
      try {
        file.flush();
      } catch (IOException e) {
        rejected = e;
      }
    }
    if (rejected != null) {
      throw rejected;
    }
    full = false;
    warnings.accept(run.path() + ": the disk has space again; all held records are written");
  }

  private void rejected(IOException e) {
    if (!full) {
      full = true;
      warnings.accept(
          "%s: cannot write records: %s; they are held in memory and the run continues; make room on the disk"
              .formatted(run.path(), e.getMessage()));
    }
  }

  private Stream<LogFile> files() {
    return Stream.concat(Stream.of(master), workers.values().stream());
  }

  private LogFile fileFor(LogRecord record) {
    return record instanceof WorkerRecord worker
        ? workers.computeIfAbsent(worker.rank(), rank -> new LogFile(run.workerLog(rank)))
        : master;
  }

  private void lost(LogFile file, long records) {
    if (records > 0) {
      lost.merge(file.name(), records, Long::sum);
    }
  }

  /**
   * Writes held records, if the disk has space.
   *
   * @throws LostRecordsException if records are missing; it has their numbers
   */
  @Override
  public synchronized void close() throws IOException {
    try {
      if (full) {
        disk.check();
        flushAll();
      }
    } catch (IOException e) {
      // The exception below counts what is left.
    }
    for (LogFile file : files().toList()) {
      lost(file, file.heldLines());
      close(file);
    }
    if (!lost.isEmpty()) {
      throw new LostRecordsException(run.path(), lost);
    }
  }

  /** Closes a log. Some file systems report only now that an earlier write failed. */
  private void close(LogFile file) {
    try {
      file.close();
    } catch (IOException e) {
      warnings.accept("%s: cannot be closed: %s".formatted(file.name(), e.getMessage()));
      lost(file, 1);
    }
  }
}
