package io.github.amb.runtime.fault;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Work;

/**
 * The clock of a worker that becomes slow: each micro-batch takes a multiple of its time. A time
 * limit so leaves the worker fewer micro-batches. It may jump ahead, too.
 */
public final class FaultyClock implements Clock {
  private final Clock clock;
  private final RankFaults faults;
  private double factor = 1;
  private long last;
  private long ahead;
  private long jump; // In the middle of the step's work, after its limit was set.
  private long start;
  private boolean started;

  /**
   * @param clock the real clock
   * @param faults of this worker
   */
  public FaultyClock(Clock clock, RankFaults faults) {
    this.clock = clock;
    this.faults = faults;
  }

  /** Sets the current step. */
  void step(long step) {
    start = started ? start : clock.now();
    started = true;
    factor = 1;
    for (Fault slow : faults.lasting(Fault.Place.CLOCK, step, seconds())) {
      factor *= slow.amount();
    }
    for (Fault due : faults.due(Fault.Place.CLOCK, step, seconds())) {
      jump += Clock.nanos(due.amount());
    }
  }

  /** Seconds of the real clock since the first step of the generation. */
  double seconds() {
    return Clock.seconds(start, clock.now());
  }

  @Override
  public long now() {
    last = clock.now();
    return last + ahead;
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
    ahead += jump;
    jump = 0;
  }
}
