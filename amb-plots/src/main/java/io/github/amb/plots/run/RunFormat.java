package io.github.amb.plots.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Predicate;

/**
 * A format of run directories.
 *
 * @param contents the files of a directory of this format, for messages
 * @param fits whether a directory seems to have this format
 * @param reader reads a run
 */
record RunFormat(String contents, Predicate<Path> fits, Reader reader) {
  /** Reads runs. */
  interface Reader {
    /**
     * Reads a run.
     *
     * @throws io.github.amb.core.option.UsageException if a file is malformed
     * @throws IOException if a file cannot be read
     */
    Run read(Path directory) throws IOException;
  }
}
