package io.github.amb.core.record;

import com.fasterxml.jackson.databind.ObjectWriter;
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
 * Writes records to the logs of a run directory, a line at a time, each flushed at once. Records
 * that the disk refuses are kept, and written when it takes them again; those that it never took
 * are counted.
 */
public final class RecordLog implements Consumer<LogRecord>, AutoCloseable {
  /** Bytes of records kept while the disk is full; those that come then are lost. */
  static final long MOST_HELD = 32L << 20;

  private static final ObjectWriter JSON = RunDirectory.JSON.writerFor(LogRecord.class);

  private final RunDirectory run;
  private final Disk disk;
  private final Consumer<String> warnings;
  private final Map<Integer, LogFile> workers = new HashMap<>();
  private final LogFile master;
  private final SortedMap<String, Long> lost = new TreeMap<>();
  private boolean full;

  /**
   * Makes {@code master.jsonl}; workers' logs are opened when their first record comes. A record
   * that cannot be written is an {@link UncheckedIOException}.
   *
   * @throws IOException if the file exists or cannot be made
   */
  public RecordLog(RunDirectory run) throws IOException {
    this(run, StandardOpenOption.CREATE_NEW, Disk.REAL, RecordLog::fail);
  }

  private static void fail(String warning) {
    throw new UncheckedIOException(warning, new IOException(warning));
  }

  /**
   * The same, for a run that does not end before its time because its disk is full.
   *
   * @param warnings receives a line when the disk refuses records, and when it takes them again
   */
  public static RecordLog create(RunDirectory run, Disk disk, Consumer<String> warnings)
      throws IOException {
    return new RecordLog(run, StandardOpenOption.CREATE_NEW, disk, warnings);
  }

  /**
   * Goes on with the logs of a run that is taken up.
   *
   * @throws IOException if the file cannot be opened
   */
  public static RecordLog append(RunDirectory run, Disk disk, Consumer<String> warnings)
      throws IOException {
    return new RecordLog(run, StandardOpenOption.CREATE, disk, warnings);
  }

  private RecordLog(RunDirectory run, StandardOpenOption how, Disk disk, Consumer<String> warnings)
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
    if (full && files().mapToLong(LogFile::heldBytes).sum() > MOST_HELD) {
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
      refused(e);
    }
  }

  private static byte[] line(LogRecord record) {
    try {
      byte[] json = JSON.writeValueAsBytes(record);
      byte[] line = Arrays.copyOf(json, json.length + 1);
      line[json.length] = '\n';
      return line;
    } catch (IOException e) {
      throw new UncheckedIOException("every record can be written as JSON", e);
    }
  }

  /** A log that cannot be written does not keep the others from it. */
  private void flushAll() throws IOException {
    IOException refused = null;
    for (LogFile file : files().toList()) {
      try {
        file.flush();
      } catch (IOException e) {
        refused = e;
      }
    }
    if (refused != null) {
      throw refused;
    }
    full = false;
    warnings.accept(run.path() + ": the disk takes records again");
  }

  private void refused(IOException e) {
    if (!full) {
      full = true;
      warnings.accept(
          "%s: cannot write records: %s; they are kept in memory, the run goes on"
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
   * Writes what is kept, if the disk takes it now.
   *
   * @throws LostRecordsException if records are missing; it counts them
   */
  @Override
  public synchronized void close() throws IOException {
    try {
      if (full) {
        disk.check();
        flushAll();
      }
    } catch (IOException e) {
      // What is left is counted.
    }
    for (LogFile file : files().toList()) {
      lost(file, file.heldLines());
      close(file);
    }
    if (!lost.isEmpty()) {
      throw new LostRecordsException(run.path(), lost);
    }
  }

  /** Some file systems say only now that they have not taken what was written. */
  private void close(LogFile file) {
    try {
      file.close();
    } catch (IOException e) {
      warnings.accept("%s: cannot be closed: %s".formatted(file.name(), e.getMessage()));
      lost(file, 1);
    }
  }
}
