package io.github.amb.runtime.checkpoint;

import io.github.amb.core.engine.Communicator;
import io.github.amb.core.engine.EngineException;
import io.github.amb.core.engine.ForwardingCommunicator;
import io.github.amb.core.engine.Message;
import io.github.amb.core.state.StateMap;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The master's communicator. It asks workers for their states, and hides the answers from the
 * scheme. A worker is asked with the next parameters that it receives, and answers before it
 * computes.
 */
public final class StateCollector extends ForwardingCommunicator {
  private final boolean[] asked;
  private final boolean[] owed;
  private final long[] examples;
  private final Message late = new Message();
  private final SortedMap<Integer, StateMap> states = new TreeMap<>();
  private Runnable complete = () -> {};
  private int missing;
  private boolean over; // States are awaited, and nothing else counts.

  /**
   * @param communicator the generation's
   * @param members numbers of the ranks in the run, by rank in the generation
   */
  StateCollector(Communicator communicator, int[] members) {
    super(communicator, members);
    asked = new boolean[communicator.size()];
    owed = new boolean[communicator.size()];
    examples = new long[communicator.size()];
  }

  /**
   * Asks every worker again.
   *
   * @param complete called when the last worker has answered
   */
  public void ask(Runnable complete) {
    this.complete = complete;
    states.clear();
    Arrays.fill(asked, 1, asked.length, true);
    Arrays.fill(owed, 1, owed.length, true);
    missing = size() - 1;
  }

  /** The states that have arrived since the last {@link #ask}, by number in the run. */
  public SortedMap<Integer, StateMap> states() {
    return states;
  }

  /** Number of examples in all results that have arrived from a worker. */
  long examples(int rank) {
    return examples[rank];
  }

  /** Sets the number of examples of a worker. */
  void examples(int rank, long count) {
    examples[rank] = count;
  }

  @Override
  protected void sending(int to, Message message) {
    boolean any = false;
    boolean carries =
        message.kind() == Message.Kind.PARAMETERS || message.kind() == Message.Kind.STOP;
    for (int rank = Math.max(0, to); rank < (to == ANY ? asked.length : to + 1); rank++) {
      any |= carries && asked[rank];
      asked[rank] &= !carries;
    }
    message.stateWanted(any);
  }

  @Override
  protected boolean received(Message message) {
    boolean state = message.kind() == Message.Kind.STATE;
    if (state) {
      take(message);
    } else if (!over) {
      examples[message.source()] += message.examples();
    }
    return !state || over;
  }

  private void take(Message message) {
    StateMap state = StateMessages.state(message);
    if (owed[message.source()]) {
      owed[message.source()] = false;
      missing--;
      states.put(members[message.source()], state);
      if (missing == 0) {
        complete.run();
      }
    }
  }

  /**
   * Waits for the outstanding states after the end of training; returns at the deadline or after a
   * rank failure.
   */
  public void awaitStates(long deadline) {
    over = true;
    try {
      while (missing > 0 && receive(ANY, late, deadline)) {
        // One more has come.
      }
    } catch (EngineException e) {
      // A failed worker has no state to save; the others' positions in the data are known.
      missing = 0;
    }
  }
}
