package io.github.amb.plots.run;

import java.io.IOException;
import java.nio.file.Path;

/** A format of run directories. */
public interface RunFormat {
  /** The files of a directory of this format, for messages. */
  String contents();

  /** Whether a directory seems to have this format. */
  boolean fits(Path directory);

  /**
   * Reads a run.
   *
   * @throws io.github.amb.core.option.UsageException if a file is malformed
   * @throws IOException if a file cannot be read
   */
  Run read(Path directory) throws IOException;
}
