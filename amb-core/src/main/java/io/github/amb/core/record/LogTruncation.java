package io.github.amb.core.record;

import com.fasterxml.jackson.databind.ObjectReader;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes back what a run has logged after a step, when it is taken up from there. All logs are read
 * first; the first change comes with {@link #apply}.
 */
public final class LogTruncation {
  /** Keeps all bytes as they are. */
  private static final Charset BYTES = StandardCharsets.ISO_8859_1;

  private static final ObjectReader JSON = RunDirectory.JSON.readerFor(LogRecord.class);

  private final RunDirectory run;
  private final Disk disk;
  private final long step;
  private final List<Path> changed = new ArrayList<>();

  /**
   * Reads the logs of the master, the workers and the evaluator.
   *
   * @param step the last one that stays; −1 for none, then logs are moved whatever is in them
   * @param disk asked before each change
   * @throws IOException if a log cannot be read, or a line is no record; the message says which
   */
  public LogTruncation(RunDirectory run, long step, Disk disk) throws IOException {
    this.run = run;
    this.disk = disk;
    this.step = step;
    List<Path> logs = new ArrayList<>(List.of(run.masterLog(), run.evaluatorLog()));
    run.workers().forEach(rank -> logs.add(run.workerLog(rank)));
    for (Path log : logs) {
      if (Files.exists(log) && (step < 0 || isTorn(log) || split(log, k -> {}, l -> {}) > 0)) {
        changed.add(log);
      }
    }
  }

  /**
   * Removes all records of later steps, and last lines without their end. A run that is killed
   * meanwhile has each log as it was or as it will be.
   *
   * @param aside receives the records that are removed
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
        Files.move(later, target, StandardCopyOption.ATOMIC_MOVE);
      }
      disk.check();
      Files.move(kept, log, StandardCopyOption.ATOMIC_MOVE);
      Files.deleteIfExists(later);
    }
  }

  /** Copies the lines of a log to two new files; returns how many are in the second. */
  private long split(Path log, Path kept, Path later) throws IOException {
    long removed;
    try (BufferedWriter keeping = create(kept);
        BufferedWriter removing = create(later)) {
      removed = split(log, line -> write(keeping, line), line -> write(removing, line));
    }
    sync(kept);
    sync(later);
    return removed;
  }

  private static BufferedWriter create(Path file) throws IOException {
    Files.deleteIfExists(file);
    return Files.newBufferedWriter(file, BYTES, StandardOpenOption.CREATE_NEW);
  }

  private static void write(BufferedWriter out, String line) throws IOException {
    out.write(line);
    out.write('\n');
  }

  private static void sync(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  /** Whether the last line lacks its end, as a crash leaves it. */
  private static boolean isTorn(Path log) throws IOException {
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ)) {
      ByteBuffer last = ByteBuffer.allocate(1);
      return channel.size() > 0
          && channel.read(last, channel.size() - 1) == 1
          && last.get(0) != '\n';
    }
  }

  /** Takes a line. */
  @FunctionalInterface
  private interface Lines {
    void take(String line) throws IOException;
  }

  /** Gives away all lines that have an end; returns how many are of later steps. */
  private long split(Path log, Lines kept, Lines later) throws IOException {
    boolean torn = isTorn(log);
    long removed = 0;
    try (BufferedReader in = Files.newBufferedReader(log, BYTES)) {
      String line = in.readLine();
      for (long number = 1; line != null; number++) {
        String next = in.readLine();
        if (next == null && torn) {
          break;
        }
        if (stepOf(line, log, number) <= step) {
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

  private static long stepOf(String line, Path log, long number) throws IOException {
    try {
      return stepOf(JSON.readValue(line.getBytes(BYTES)));
    } catch (IOException | RuntimeException e) {
      throw new IOException(
          "%s:%d: expected a record, found %.200s".formatted(log, number, line), e);
    }
  }

  private static long stepOf(LogRecord record) {
    if (record instanceof StepRecord step) {
      return step.step();
    }
    if (record instanceof WorkerRecord worker) {
      return worker.masterStep();
    }
    if (record instanceof CollectRecord collected) {
      return collected.step();
    }
    if (record instanceof EvaluationRecord evaluation) {
      return evaluation.step();
    }
    if (record instanceof MembershipRecord membership) {
      return membership.step();
    }
    return ((DropRecord) record).step();
  }
}
