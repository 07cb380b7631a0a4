package io.github.amb.runtime;

import io.github.amb.core.command.UsageException;
import io.github.amb.runtime.launch.RankReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How a rank leaves. MPJ Express' launcher exits 0 whatever happens, so the code is also written to
 * the file named by {@code AMB_EXIT_FILE} (or the system property {@code amb.exit.file}), where
 * {@code scripts/mpjrun} finds it.
 */
final class RankExit {
  private RankExit() {}

  /**
   * All went well.
   *
   * @param thread whether the rank is a thread beside other ranks: then it just returns
   */
  static void done(int rank, boolean thread) {
    if (rank == 0) {
      write(0);
    }
    if (!thread) {
      RankReport.finished(rank);
      flushAndHalt(0);
    }
  }

  /** Bad usage, which every rank sees alike: the master says it. */
  static void refused(int rank, UsageException e) {
    if (rank == 0) {
      write(Amb.USAGE);
      e.getMessage().lines().forEach(line -> System.err.println("amb: " + line));
    }
    flushAndHalt(Amb.USAGE);
  }

  /** A failure: its cause goes to the launcher, its trace to the rank's log. */
  static void failed(int rank, Throwable e) {
    write(Amb.FAILED);
    RankReport.failed(rank, Amb.describe(e));
    e.printStackTrace();
    flushAndHalt(Amb.FAILED);
  }

  private static void write(int code) {
    String file = System.getProperty("amb.exit.file", System.getenv("AMB_EXIT_FILE"));
    if (file != null) {
      try {
        Files.writeString(Path.of(file), code + "\n");
      } catch (IOException e) {
        System.err.println("amb: cannot write the exit code to " + file + ": " + e.getMessage());
      }
    }
  }

  /** MPJ's selector thread is no daemon, so the process ends only this way. */
  private static void flushAndHalt(int code) {
    System.out.flush();
    System.err.flush();
    Runtime.getRuntime().halt(code);
  }
}
