package io.github.amb.runtime.fault;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Work;
import java.util.List;

/**
 * The clock of a worker that becomes slow: each piece of its work takes so many times as long, and
 * is over only then, so that a time limit leaves it fewer pieces.
 */
public final class SlowClock implements Clock {
  private final Clock clock;
  private final List<Fault> faults;
  private double factor = 1;
  private long last;

  /**
   * @param self the worker's lasting number
   * @param faults those of any worker
   */
  public SlowClock(Clock clock, int self, List<Fault> faults) {
    this.clock = clock;
    this.faults =
        faults.stream()
            .filter(fault -> fault.kind() == Fault.Kind.SLOW && fault.rank() == self)
            .toList();
  }

  /** The worker begins a step. */
  void step(long step) {
    factor = 1;
    for (Fault fault : faults) {
      factor *= step >= fault.step() ? fault.factor() : 1;
    }
  }

  @Override
  public long now() {
    last = clock.now();
    return last;
  }

  @Override
  public void sleep(long nanos) {
    clock.sleep(nanos);
    last = clock.now();
  }

  /** Sleeps for the work that was done since this clock was last asked, times what is missing. */
  @Override
  public void charge(Work work, long amount) {
    clock.charge(work, amount);
    if (factor > 1) {
      clock.sleep((long) ((clock.now() - last) * (factor - 1)));
    }
    last = clock.now();
  }
}
