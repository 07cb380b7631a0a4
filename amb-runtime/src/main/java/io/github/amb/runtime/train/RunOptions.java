package io.github.amb.runtime.train;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.runtime.config.RecordedSettings;
import io.github.amb.runtime.config.Settings;
import java.io.IOException;

/** What a run directory that the user names says of its run, checked. */
public final class RunOptions {
  private RunOptions() {}

  /**
   * The description of a run, whose options are right as well.
   *
   * @param where how the user named it, such as {@code --resume}; empty for an argument
   * @throws UsageException naming file and line of all that is wrong
   */
  public static RunInfo info(String where, RunDirectory run) {
    try {
      RunInfo info = run.read();
      RecordedSettings.read(run.info());
      return info;
    } catch (IOException e) {
      throw unreadable(where, run, e);
    }
  }

  /** Its options, as {@link #info} has found them right. */
  static Settings read(String where, RunDirectory run) {
    try {
      return RecordedSettings.read(run.info());
    } catch (IOException e) {
      throw unreadable(where, run, e);
    }
  }

  private static UsageException unreadable(String where, RunDirectory run, IOException e) {
    return new UsageException(
        "%sexpected a run directory, found '%s': cannot read run.json: %s"
            .formatted(where.isEmpty() ? "" : where + ": ", run.path(), e.getMessage()));
  }
}
