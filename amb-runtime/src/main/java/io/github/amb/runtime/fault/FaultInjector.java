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

  /** How a fault affects a rank. */
  public interface Signals {
    /** Ends the rank at once. */
    void kill();

    /** Stops the rank until it is woken from outside. */
    void stall();

    /** Throws an exception in the rank. */
    void fail(String cause);

    /** Exhausts the rank's memory. */
    void exhaustMemory();
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
      case KILL -> signals.kill();
      case STALL -> signals.stall();
      case THROW -> signals.fail("fault injected in step " + message.step());
      case OUT_OF_MEMORY -> signals.exhaustMemory();
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
