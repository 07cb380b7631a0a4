package io.github.amb.runtime.fault;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Work;
import java.util.List;

/**
 * The clock of a worker that becomes slow: each micro-batch takes a multiple of its time. A time
 * limit so leaves the worker fewer micro-batches.
 */
public final class SlowClock implements Clock {
  private final Clock clock;
  private final List<Fault> faults;
  private double factor = 1;
  private long last;

  /**
   * @param clock the real clock
   * @param self the worker's number in the run
   * @param faults faults of all workers
   */
  public SlowClock(Clock clock, int self, List<Fault> faults) {
    this.clock = clock;
    this.faults =
        faults.stream()
            .filter(fault -> fault.kind() == Fault.Kind.SLOW && fault.rank() == self)
            .toList();
  }

  /** Sets the current step. */
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

  /** Adds the delay of the work since the last call, which a slow worker would have needed. */
  @Override
  public void charge(Work work, long amount) {
    clock.charge(work, amount);
    if (factor > 1) {
      clock.sleep((long) ((clock.now() - last) * (factor - 1)));
    }
    last = clock.now();
  }
}
