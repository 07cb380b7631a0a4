package io.github.amb.runtime;

import static io.github.amb.core.file.Printable.printable;

import io.github.amb.core.engine.EngineException;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.ExitCode;
import io.github.amb.core.scheme.context.TooFewWorkersException;
import io.github.amb.core.update.NonFiniteGradientException;
import io.github.amb.core.update.NonFiniteParametersException;
import io.github.amb.runtime.command.FailureText;
import io.github.amb.runtime.launch.ExitFile;
import io.github.amb.runtime.launch.RankControl;
import java.io.IOException;

/**
 * How a rank ends. MPJ Express' launcher always exits with 0, so the code is also written to the
 * {@link ExitFile}, which {@code scripts/mpjrun} reads.
 */
final class RankExit {
  private RankExit() {}

  /**
   * Ends a rank that has finished.
   *
   * @param control reports it
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
   * Ends a rank after bad usage. Our launcher has checked the same, so that its ranks differ from
   * it, such as by a file of their host. Under another launcher every rank finds the same, so that
   * only the master prints it.
   *
   * @param control reports it
   * @param e the problems
   * @param shared whether the rank shares its JVM with the master, whose exit ends it too
   */
  static void rejected(RankControl control, UsageException e, boolean shared) {
    if (control.rank() > 0 && shared) {
      return;
    }
    if (control.isLaunched()) {
      control.failed(e, printable(e.getMessage()).replace('\n', ' '));
    } else if (control.rank() == 0) {
      tell(e);
    }
    flushAndHalt(ExitCode.USAGE);
  }

  /** Prints and records bad usage, without ending the process. */
  static void tell(UsageException e) {
    record(ExitCode.USAGE, "", true);
    e.getMessage().lines().forEach(line -> System.err.println("amb: " + printable(line)));
  }

  /**
   * Ends a rank after a failure. The cause goes to our launcher at once, before others see its
   * effects, and the stack trace to the rank's log. Where another launcher shows both, the cause
   * comes last.
   */
  static void failed(RankControl control, Throwable e) {
    tell(control, e);
    flushAndHalt(control.rank() > 0 && isNotFinite(e) ? ExitCode.NOT_FINITE : code(e));
  }

  private static int code(Throwable e) {
    return e instanceof TooFewWorkersException few ? few.exitCode() : ExitCode.FAILED;
  }

  private static boolean isNotFinite(Throwable e) {
    return e instanceof NonFiniteGradientException || e instanceof NonFiniteParametersException;
  }

  /** Ends a rank after a failure of one of its threads, which nobody waits for. */
  static void failed(RankControl control, Thread thread, Throwable e) {
    failed(control, new EngineException(FailureText.of(thread, e), e));
  }

  /** Prints and records a failure, without ending the process. */
  static void tell(RankControl control, Throwable e) {
    String cause = "rank " + control.rank() + ": " + FailureText.of(e);
    record(code(e), cause, !RankControl.isLoss(e));
    control.failed(e, FailureText.of(e));
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

  /** Ends the process: MPJ Express' selector thread is no daemon, so that nothing else does. */
  static void flushAndHalt(int code) {
    System.out.flush();
    System.err.flush();
    Runtime.getRuntime().halt(code);
  }
}
