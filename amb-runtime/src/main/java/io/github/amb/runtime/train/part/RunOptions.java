package io.github.amb.runtime.train.part;

import static io.github.amb.models.network.NetworkSettings.NETWORK;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.runtime.config.RecordedSettings;
import io.github.amb.runtime.config.Settings;
import java.io.IOException;
import java.util.Map;

/** Reads the description of a run directory that the user names, and checks its options. */
public final class RunOptions {
  private RunOptions() {}

  /**
   * The description of a run whose options are valid.
   *
   * @param where the option that names the run, such as {@code --resume}; empty for an argument
   * @throws UsageException with file and line of all problems
   */
  public static RunInfo info(String where, RunDirectory run) {
    try {
      RunInfo info = run.read();
      String network = RecordedSettings.read(run.info()).given(NETWORK);
      return network == null ? info : info.withConfiguration(Map.of(NETWORK.name(), network));
    } catch (IOException e) {
      throw unreadable(where, run, e);
    }
  }

  /** The options of a run, which {@link #info} has checked. */
  public static Settings read(String where, RunDirectory run) {
    try {
      return RecordedSettings.read(run.info());
    } catch (IOException e) {
      throw unreadable(where, run, e);
    }
  }

  private static UsageException unreadable(String where, RunDirectory run, IOException e) {
    return new UsageException(
        "%sexpected a run directory, found '%s': cannot read run.json: %s",
        where.isEmpty() ? "" : where + ": ", run.path(), e.getMessage());
  }
}
