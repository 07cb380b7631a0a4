package io.github.amb.runtime.checkpoint;

import io.github.amb.core.engine.EngineException;

/** A signal has asked the run to end, and its last step is complete. */
public final class StoppedException extends EngineException {
  StoppedException() {
    super("interrupted by a signal (SIGINT, SIGTERM or SIGHUP)");
  }
}
