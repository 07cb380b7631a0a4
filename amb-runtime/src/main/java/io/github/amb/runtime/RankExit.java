package io.github.amb.runtime;

import static io.github.amb.core.record.Printable.printable;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.update.NonFiniteGradientException;
import io.github.amb.core.update.NonFiniteParametersException;
import io.github.amb.runtime.launch.ExitFile;
import io.github.amb.runtime.launch.RankControl;
import io.github.amb.runtime.launch.RunOutcome;
import java.io.IOException;

/**
 * How a rank leaves. MPJ Express' launcher exits 0 whatever happens, so the code is also written to
 * the {@link ExitFile}, where {@code scripts/mpjrun} finds it.
 */
final class RankExit {
  private RankExit() {}

  /**
   * All went well.
   *
   * @param shared whether the rank shares its JVM with other ranks: then it just returns
   */
  static void done(RankControl control, boolean shared) {
    if (control.rank() == 0) {
      record(0, "", true);
    }
    if (!shared) {
      control.finished();
      flushAndHalt(0);
    }
  }

  /**
   * Bad usage, which every rank sees alike: the master says it.
   *
   * @param shared whether the rank shares its JVM with the master, whose exit ends it too
   */
  static void refused(int rank, UsageException e, boolean shared) {
    if (rank > 0 && shared) {
      return;
    }
    if (rank == 0) {
      tell(e);
    }
    flushAndHalt(Amb.USAGE);
  }

  /** Says what is wrong, for a rank that leaves in another way. */
  static void tell(UsageException e) {
    record(Amb.USAGE, "", true);
    e.getMessage().lines().forEach(line -> System.err.println("amb: " + printable(line)));
  }

  /**
   * A failure: its cause goes to our launcher at once, before others see what it leads to, and its
   * trace to the rank's log. Where another launcher shows both, the cause comes last.
   */
  static void failed(RankControl control, Throwable e) {
    tell(control, e);
    flushAndHalt(control.rank() > 0 && isNotFinite(e) ? RunOutcome.NOT_FINITE : Amb.FAILED);
  }

  private static boolean isNotFinite(Throwable e) {
    return e instanceof NonFiniteGradientException || e instanceof NonFiniteParametersException;
  }

  /** A failure of a thread that nobody waits for; the rank cannot do without it. */
  static void failed(RankControl control, Thread thread, Throwable e) {
    failed(control, new EngineException(Amb.describe(thread, e), e));
  }

  /** The same, for a rank that leaves in another way. */
  static void tell(RankControl control, Throwable e) {
    String cause = "rank " + control.rank() + ": " + Amb.describe(e);
    record(Amb.FAILED, cause, !RankControl.isLoss(e));
    control.failed(e, Amb.describe(e));
    e.printStackTrace();
    if (!control.isLaunched()) {
      System.err.println("amb: " + cause);
    }
  }

  private static void record(int code, String cause, boolean own) {
    try {
      ExitFile.record(code, cause, own);
    } catch (IOException e) {
      System.err.println("amb: cannot write the exit code: " + e.getMessage());
    }
  }

  /** MPJ's selector thread is no daemon, so the process ends only this way. */
  private static void flushAndHalt(int code) {
    System.out.flush();
    System.err.flush();
    Runtime.getRuntime().halt(code);
  }
}
