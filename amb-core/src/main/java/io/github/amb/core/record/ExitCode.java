package io.github.amb.core.record;

/** The exit codes of the {@code amb} program besides 0, as {@code docs/reference/exit-codes.md}. */
public final class ExitCode {
  /** An internal error. */
  public static final int FAILED = 1;

  /** Wrong options, files or data. */
  public static final int USAGE = 2;

  /** With {@code amb experiment --check}, a number is not within its claim. */
  public static final int CLAIM_BROKEN = 4;

  /** All workers were killed or crashed. */
  public static final int ALL_WORKERS_LOST = 20;

  /** Fewer workers are left than {@code --min-workers} or the scheme needs. */
  public static final int TOO_FEW_WORKERS = 21;

  /** A worker exits with this code if its result is not finite; that ends the run. */
  public static final int NOT_FINITE = 22;

  /** Interrupted by Ctrl-C or another signal that asks the program to end. */
  public static final int STOPPED = 130;

  /** Nobody reads standard output any more. */
  public static final int NOBODY_READS = 141;

  private ExitCode() {}
}
