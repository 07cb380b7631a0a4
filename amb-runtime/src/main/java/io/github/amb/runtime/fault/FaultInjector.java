package io.github.amb.runtime.fault;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.Message;

/**
 * A worker's communicator. It injects the faults of its rank when the worker sends a result, and
 * informs the clock of each step. Equal runs have equal faults.
 */
public final class FaultInjector extends ForwardingCommunicator {
  private final RankFaults faults;
  private final FaultyClock clock;
  private final Signals signals;
  private float[] before = {}; // The values of the last result, where they may come again.

  /** How faults that end or stop a rank affect it. */
  @FunctionalInterface
  public interface Signals {
    /** Makes a fault happen in a step of a rank with this clock. */
    void happen(Fault fault, long step, Clock clock);
  }

  /**
   * @param communicator the wrapped one
   * @param faults of this worker
   * @param clock this worker's clock; receives the steps
   * @param signals carry out the faults
   */
  public FaultInjector(
      Communicator communicator, RankFaults faults, FaultyClock clock, Signals signals) {
    super(communicator);
    this.faults = faults;
    this.clock = clock;
    this.signals = signals;
  }

  @Override
  protected boolean received(Message message) {
    if (message.kind() == Message.Kind.PARAMETERS) {
      faults.reached(message.step());
      clock.step(message.step());
    }
    return true;
  }

  @Override
  protected void sending(int to, Message message) {
    if (!message.isResult()) {
      return;
    }
    float[] old = before;
    if (faults.has(Fault.Kind.STALE_RESULT)) {
      before = new float[message.length()];
      System.arraycopy(message.values(), 0, before, 0, before.length);
    }
    for (Fault fault : faults.due(Fault.Place.RESULT, message.step(), clock.seconds())) {
      happen(fault, message, old);
    }
  }

  private void happen(Fault fault, Message message, float[] old) {
    switch (fault.kind()) {
      case NAN -> {
        if (message.length() > 0) {
          message.values()[0] = Float.NaN;
        }
      }
      case CORRUPT_VALUES -> {
        for (int i = 0; i < message.length(); i++) {
          float value = (float) (message.values()[i] * fault.amount());
          message.values()[i] = Math.max(-Float.MAX_VALUE, Math.min(Float.MAX_VALUE, value));
        }
      }
      case STALE_RESULT -> {
        if (old.length == message.length()) {
          System.arraycopy(old, 0, message.values(), 0, old.length);
        }
      }
      default -> signals.happen(fault, message.step(), clock);
    }
  }
}
