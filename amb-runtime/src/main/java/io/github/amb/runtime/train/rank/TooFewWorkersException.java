package io.github.amb.runtime.train.rank;

import io.github.amb.core.engine.EngineException;
import io.github.amb.core.record.ExitCode;

/** Fewer workers are left than {@code --min-workers}. */
public final class TooFewWorkersException extends EngineException {
  private static final long serialVersionUID = 1L;

  private final int workers;

  TooFewWorkersException(int workers, int least, EngineException cause) {
    super(
        "workers left: %d, fewer than --min-workers %d: %s"
            .formatted(workers, least, cause.getMessage()),
        cause);
    this.workers = workers;
  }

  public int exitCode() {
    return workers == 0 ? ExitCode.ALL_WORKERS_LOST : ExitCode.TOO_FEW_WORKERS;
  }
}
