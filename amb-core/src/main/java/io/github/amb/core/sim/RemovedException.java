package io.github.amb.core.sim;

import io.github.amb.core.engine.EngineException;

/** The other nodes continue without this one. */
public final class RemovedException extends EngineException {
  RemovedException(int node) {
    super("rank " + node + " was removed");
  }
}
