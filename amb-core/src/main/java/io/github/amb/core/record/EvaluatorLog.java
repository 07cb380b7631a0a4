package io.github.amb.core.record;

import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.LogFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;

/**
 * Appends evaluations to a run's {@code evaluator.jsonl}. It is a separate file, as the run may
 * still be writing its other logs.
 */
public final class EvaluatorLog implements AutoCloseable {
  private final LogFile log;

  /**
   * Opens the log, or creates it. An incomplete last line, left by a crash, is removed. No other
   * process may have the log open.
   *
   * @throws IOException if it cannot be opened, or is a symbolic link
   */
  public EvaluatorLog(RunDirectory run) throws IOException {
    log = new LogFile(BoundedFile.expectFile(run.evaluatorLog()));
    log.open(StandardOpenOption.CREATE);
    try (FileChannel channel = FileChannel.open(run.evaluatorLog(), StandardOpenOption.WRITE)) {
      String text = Files.readString(run.evaluatorLog(), StandardCharsets.ISO_8859_1);
      channel.truncate(text.lastIndexOf('\n') + 1L);
    }
  }

  /** Appends one line and flushes it. */
  public void append(EvaluationRecord record) throws IOException {
    log.add(RecordLog.line(record));
    log.flush();
  }

  @Override
  public void close() throws IOException {
    log.close();
  }
}
