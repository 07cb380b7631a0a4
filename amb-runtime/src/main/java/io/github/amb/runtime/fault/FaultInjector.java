package io.github.amb.runtime.fault;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.Message;
import java.util.List;

/**
 * A worker's communicator. It injects the faults of its rank when the worker sends a result, and
 * informs the clock of each step. Equal runs have equal faults.
 */
public final class FaultInjector extends ForwardingCommunicator {
  private final List<Fault> faults;
  private final SlowClock clock;
  private final Signals signals;
  private final ResultSteps steps = new ResultSteps();

  /** How faults that end or stop a rank affect it. */
  @FunctionalInterface
  public interface Signals {
    /** Makes a fault happen in a step. */
    void happen(Fault.Kind kind, long step);
  }

  /**
   * @param communicator the wrapped one
   * @param self this worker's number in the run
   * @param faults faults of all workers
   * @param clock this worker's clock; receives the steps
   * @param signals carry out the faults
   */
  public FaultInjector(
      Communicator communicator, int self, List<Fault> faults, SlowClock clock, Signals signals) {
    super(communicator);
    this.faults = faults.stream().filter(fault -> fault.rank() == self).toList();
    this.clock = clock;
    this.signals = signals;
  }

  @Override
  protected boolean received(Message message) {
    if (message.kind() == Message.Kind.PARAMETERS) {
      clock.step(message.step());
    }
    return true;
  }

  @Override
  protected void sending(int to, Message message) {
    if (message.isResult()) {
      faults.forEach(fault -> happen(fault, message));
      steps.sent(message.step());
    }
  }

  /** Injects a fault if its step has come. */
  private void happen(Fault fault, Message message) {
    if (!steps.isFirstSince(fault.step(), message.step())) {
      return;
    }
    switch (fault.kind()) {
      case KILL, STALL, THROW, OUT_OF_MEMORY -> signals.happen(fault.kind(), message.step());
      case NAN -> {
        if (message.length() > 0) {
          message.values()[0] = Float.NaN;
        }
      }
      default -> {
        // Not a fault of a result.
      }
    }
  }
}
