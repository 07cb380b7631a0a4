package io.github.amb.core.record;

import com.fasterxml.jackson.databind.ObjectReader;
import io.github.amb.core.file.AtomicFile;
import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.Disk;
import io.github.amb.core.option.UsageException;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Removes the records after a step from a run's logs, before the run is resumed from that step. The
 * constructor reads all logs; only {@link #apply} changes them.
 */
public final class LogTruncation {
  /** Maps every byte to one character and back. */
  private static final Charset BYTES = StandardCharsets.ISO_8859_1;

  private static final ObjectReader JSON = RunDirectory.JSON.readerFor(LogRecord.class);

  private final RunDirectory run;
  private final Disk disk;
  private final long step;
  private final boolean evaluationsToo;
  private final List<Path> changed = new ArrayList<>();

  /**
   * Reads the logs of the master, the workers and the evaluator.
   *
   * @param run the run directory
   * @param step the last step whose records stay; −1 for none, then logs are moved without being
   *     parsed
   * @param evaluationsToo whether an evaluation that ended during a later step will be repeated
   * @param disk checked before each change
   * @throws UsageException if a line of a log exceeds its limit
   * @throws IOException if a log cannot be read, or a line is not a record; the message names file
   *     and line
   */
  public LogTruncation(RunDirectory run, long step, boolean evaluationsToo, Disk disk)
      throws IOException {
    this.run = run;
    this.evaluationsToo = evaluationsToo;
    this.disk = disk;
    this.step = step;
    List<Path> logs = new ArrayList<>(List.of(run.masterLog(), run.evaluatorLog()));
    run.workers().forEach(rank -> logs.add(run.workerLog(rank)));
    for (Path log : logs) {
      if (Files.exists(log) && (step < 0 || changes(log))) {
        changed.add(log);
      }
    }
  }

  /** Whether a log has an incomplete last line, or records of later steps. */
  private boolean changes(Path log) throws IOException {
    try (InputStream in = BoundedFile.open(log)) {
      LogReader.expectShortLines(log, 1, in);
    }
    return isTorn(log) || split(log, kept -> {}, later -> {}) > 0;
  }

  /**
   * Removes all records of later steps, and incomplete last lines. If the process is killed
   * meanwhile, each log is either unchanged or completely changed.
   *
   * @param aside receives the removed records
   */
  public void apply(Superseded aside) throws IOException {
    for (Path log : changed) {
      if (step < 0) {
        aside.take(log);
        continue;
      }
      Path kept = run.path().resolve(log.getFileName() + ".kept.tmp");
      Path later = run.path().resolve(log.getFileName() + ".later.tmp");
      disk.check();
      if (split(log, kept, later) > 0) {
        Path target = aside.target(log);
        disk.check();
        AtomicFile.DURABLE.give(later, target);
      }
      disk.check();
      AtomicFile.DURABLE.give(kept, log);
      Files.deleteIfExists(later);
    }
  }

  /** Copies the lines of a log to two new files and returns the number of lines in the second. */
  private long split(Path log, Path kept, Path later) throws IOException {
    try (BufferedWriter keeping = create(kept);
        BufferedWriter removing = create(later)) {
      return split(log, line -> write(keeping, line), line -> write(removing, line));
    }
  }

  private static BufferedWriter create(Path file) throws IOException {
    Files.deleteIfExists(file);
    return Files.newBufferedWriter(file, BYTES, StandardOpenOption.CREATE_NEW);
  }

  private static void write(BufferedWriter out, String line) throws IOException {
    out.write(line);
    out.write('\n');
  }

  /** Whether the last line is incomplete, as a crash leaves it. */
  private static boolean isTorn(Path log) throws IOException {
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ)) {
      ByteBuffer last = ByteBuffer.allocate(1);
      return channel.size() > 0
          && channel.read(last, channel.size() - 1) == 1
          && last.get(0) != '\n';
    }
  }

  /** Receives a line. */
  @FunctionalInterface
  private interface Lines {
    void take(String line) throws IOException;
  }

  /** Distributes all complete lines and returns the number of those of later steps. */
  private long split(Path log, Lines kept, Lines later) throws IOException {
    boolean torn = isTorn(log);
    long removed = 0;
    boolean passed = false;
    try (BufferedReader in = Files.newBufferedReader(log, BYTES)) {
      String line = in.readLine();
      for (long number = 1; line != null; number++) {
        String next = in.readLine();
        if (next == null && torn) {
          break;
        }
        LogRecord record = record(line, log, number);
        passed |= stepOf(record) > step;
        boolean evaluation = record instanceof EvaluationRecord;
        if (stepOf(record) <= step && !(passed && evaluation && evaluationsToo)) {
          kept.take(line);
        } else {
          later.take(line);
          removed++;
        }
        line = next;
      }
    }
    return removed;
  }

  private static LogRecord record(String line, Path log, long number) throws IOException {
    try {
      LogRecord record = JSON.readValue(line.getBytes(BYTES));
      stepOf(record);
      return record;
    } catch (IOException | RuntimeException e) {
      throw new IOException(
          "%s:%d: expected a record, found %.200s".formatted(log, number, line), e);
    }
  }

  private static long stepOf(LogRecord record) {
    // A result was dropped after its step, while the next was under way.
    return record instanceof DropRecord ? record.step() + 1 : record.step();
  }
}
