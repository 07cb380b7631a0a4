package io.github.amb.runtime.train.rank;

import static io.github.amb.runtime.fault.FaultSettings.DEAD_AFTER;
import static io.github.amb.runtime.fault.FaultSettings.STALL_AFTER;

import io.github.amb.core.engine.Clock;
import io.github.amb.runtime.config.Settings;
import io.github.amb.runtime.fault.FaultInjector;

/**
 * Faults of a virtual rank. A rank that ends or stops is gone; the others notice after {@code
 * --dead-after} or {@code --stall-after} seconds of virtual time.
 *
 * @param settings the run's options
 */
record VirtualSignals(Settings settings) implements FaultInjector.Signals {
  /** Ends a virtual rank's program. */
  static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long detection;

    Killed(double seconds) {
      detection = Clock.nanos(seconds);
    }

    /** Nanoseconds of virtual time until the others notice. */
    long detection() {
      return detection;
    }
  }

  @Override
  public void kill() {
    throw new Killed(settings.get(DEAD_AFTER));
  }

  @Override
  public void stall() {
    throw new Killed(settings.get(STALL_AFTER));
  }

  @Override
  public void fail(String cause) {
    kill();
  }

  @Override
  public void exhaustMemory() {
    kill();
  }
}
