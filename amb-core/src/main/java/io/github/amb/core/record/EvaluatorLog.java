package io.github.amb.core.record;

import io.github.amb.core.file.BoundedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.StandardOpenOption;

/**
 * Appends evaluations to a run's {@code evaluator.jsonl}. It is a separate file, as the run may
 * still be writing its other logs.
 */
public final class EvaluatorLog implements AutoCloseable {
  private final FileChannel channel;

  /**
   * Opens the log, or creates it. An incomplete last line, left by a crash, is removed. No other
   * process may have the log open.
   *
   * @throws IOException if it cannot be opened, or is a symbolic link
   */
  public EvaluatorLog(RunDirectory run) throws IOException {
    channel =
        FileChannel.open(
            BoundedFile.expectFile(run.evaluatorLog()),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS);
    String text = Files.readString(run.evaluatorLog(), StandardCharsets.ISO_8859_1);
    channel.truncate(text.lastIndexOf('\n') + 1L);
    channel.position(channel.size());
  }

  /** Appends one line and flushes it. */
  public void append(EvaluationRecord record) throws IOException {
    String line = RunDirectory.JSON.writerFor(LogRecord.class).writeValueAsString(record) + "\n";
    ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
