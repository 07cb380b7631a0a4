package io.github.amb.runtime.checkpoint;

import io.github.amb.core.engine.EngineException;

/** The run has been told to end; its last step is done. */
public final class StoppedException extends EngineException {
  private static final long serialVersionUID = 1L;

  StoppedException() {
    super("interrupted by a signal (SIGINT, SIGTERM or SIGHUP)");
  }
}
