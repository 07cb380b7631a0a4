package io.github.amb.core.scheme.context;

import io.github.amb.core.engine.EngineException;
import io.github.amb.core.record.ExitCode;

/** The workers that are left are too few for {@code --min-workers}, or for the scheme. */
public final class TooFewWorkersException extends EngineException {
  private final int workers;

  /**
   * @param workers that are left
   * @param cause null if there is none
   */
  public TooFewWorkersException(int workers, String message, Throwable cause) {
    super(message, cause);
    this.workers = workers;
  }

  public int exitCode() {
    return workers == 0 ? ExitCode.ALL_WORKERS_LOST : ExitCode.TOO_FEW_WORKERS;
  }
}
