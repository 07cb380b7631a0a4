package io.github.amb.plots.run;

import java.io.IOException;
import java.nio.file.Path;

/** A way in which some program wrote down a run. */
public interface RunFormat {
  /** What a directory of the format has in it, for an error message. */
  String contents();

  /** Whether a directory looks like one of the format. */
  boolean fits(Path directory);

  /**
   * Reads a run.
   *
   * @throws io.github.amb.core.command.UsageException if what is there is not what it should be
   * @throws IOException if a file cannot be read
   */
  Run read(Path directory) throws IOException;
}
