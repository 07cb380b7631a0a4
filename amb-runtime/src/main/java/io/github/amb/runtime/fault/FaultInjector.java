package io.github.amb.runtime.fault;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.Frame;
import java.util.List;

/**
 * A worker's communicator, to which the faults of its rank happen when it sends a result, and which
 * tells its clock of steps. The same faults happen again in every run with the same options.
 */
public final class FaultInjector extends ForwardingCommunicator {
  private final List<Fault> faults;
  private final SlowClock clock;
  private final Signals signals;
  private final ResultSteps steps = new ResultSteps();

  /** What ends or stops a rank. */
  public interface Signals {
    /** The rank is gone at once. */
    void kill();

    /** The rank does nothing more until somebody wakes it. */
    void stall();

    /** The rank ends by an exception of its own. */
    void fail(String cause);

    /** The rank has no memory left. */
    void exhaustMemory();
  }

  /**
   * @param self this worker's lasting number
   * @param faults those of any worker
   * @param clock this worker's, which is told of its steps
   */
  public FaultInjector(
      Communicator communicator, int self, List<Fault> faults, SlowClock clock, Signals signals) {
    super(communicator);
    this.faults = faults.stream().filter(fault -> fault.rank() == self).toList();
    this.clock = clock;
    this.signals = signals;
  }

  @Override
  public boolean receive(int from, Frame into, long deadline) {
    boolean came = super.receive(from, into, deadline);
    if (came && into.kind() == Frame.Kind.PARAMETERS) {
      clock.step(into.step());
    }
    return came;
  }

  @Override
  public void send(int to, Frame frame, long deadline) {
    if (isResult(frame)) {
      faults.forEach(fault -> happen(fault, frame));
      steps.sent(frame.step());
    }
    super.send(to, frame, deadline);
  }

  static boolean isResult(Frame frame) {
    return frame.kind() == Frame.Kind.GRADIENT || frame.kind() == Frame.Kind.DELTA;
  }

  /** Lets a fault happen if its step has come. */
  private void happen(Fault fault, Frame frame) {
    if (!steps.isFirstSince(fault.step(), frame.step())) {
      return;
    }
    switch (fault.kind()) {
      case KILL -> signals.kill();
      case STALL -> signals.stall();
      case THROW -> signals.fail("fault injected in step " + frame.step());
      case OUT_OF_MEMORY -> signals.exhaustMemory();
      case NAN -> {
        if (frame.length() > 0) {
          frame.values()[0] = Float.NaN;
        }
      }
      default -> {
        // Not of a result.
      }
    }
  }
}
