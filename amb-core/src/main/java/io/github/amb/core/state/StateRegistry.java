package io.github.amb.core.state;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * All state that one rank keeps between steps. Members register when they are created. If the rank
 * resumes a run, registration restores them.
 *
 * <p>Used by the rank's thread only.
 */
public final class StateRegistry {
  /** Is called at the end of every step. */
  @FunctionalInterface
  public interface StepListener {
    /** Does nothing. */
    StepListener NONE = (step, time) -> {};

    /**
     * Called after an update was applied, before it is recorded.
     *
     * @param step number of updates applied
     * @param time seconds since training started
     */
    default void stepEnds(long step, double time) {}

    /**
     * Called after an update was applied and recorded. The master's state does not change until
     * return.
     *
     * @param step number of updates applied
     * @param time seconds since training started
     */
    void stepDone(long step, double time);

    /** Called when no further step follows, before the workers are informed. */
    default void trainingOver() {}
  }

  /** Is called where a rank has nothing under way. */
  public interface RoundListener {
    /** Called the first time, before the state of rounds is restored. */
    void enters();

    /** Called each time. What the rank remembers is its whole state. */
    void begins();
  }

  /** Owners of state that is restored only together with the messages in transit. */
  public static final String ROUND = "round-";

  /** Owner of the messages in transit, which the virtual cluster restores. */
  public static final String CLUSTER = "cluster";

  private final Map<String, Checkpointed> members = new LinkedHashMap<>();
  private final Map<String, Checkpointed> ofRounds = new LinkedHashMap<>();
  private StateMap saved;
  private boolean exact;
  private StepListener listener = StepListener.NONE;
  private RoundListener rounds;
  private boolean entered;
  private boolean began;
  private boolean complete;

  /**
   * Adds a member, replaces an earlier one of the same name, and restores it if its state was
   * saved.
   *
   * @param name letters, digits, dots and dashes
   * @throws IllegalStateException if the saved state does not fit the member
   */
  public void register(String name, Checkpointed member) {
    members.put(name, member);
    if (saved != null && saved.has(name) && (exact || saved.fits(name, member))) {
      saved.restore(name, member);
      if (!exact) {
        member.enteredGeneration();
      }
    }
  }

  /**
   * Adds a member with state that counts only if messages in transit are kept as well, as on the
   * virtual cluster: who owes a result, when the last message was sent. It is restored when the
   * first round begins. Does nothing elsewhere.
   *
   * @param name letters, digits, dots and dashes
   */
  public void registerOfRounds(String name, Checkpointed member) {
    if (rounds != null) {
      ofRounds.put(ROUND + name, member);
    }
  }

  /** Sets the listener to rounds, before members of rounds register. */
  public void keepRounds(RoundListener listener) {
    rounds = listener;
  }

  /**
   * Called where the rank has nothing under way but what registered members remember: by a worker
   * before it waits for parameters, by the master at the end of each step.
   *
   * @throws IllegalStateException the second time, when all members have registered, if saved state
   *     belongs to none of them
   */
  public void roundBegins() {
    if (began && !complete) {
      complete = true;
      expectOwners();
    }
    began = true;
    if (rounds == null) {
      return;
    }
    if (!entered) {
      entered = true;
      rounds.enters();
      ofRounds.forEach(this::restoreOfRounds);
    }
    rounds.begins();
  }

  /** Training would continue without what nobody has restored. */
  private void expectOwners() {
    Set<String> names = saved == null ? Set.of() : saved.entries().keySet();
    for (String name : names) {
      String owner = name.substring(0, name.indexOf('/'));
      if (!owner.startsWith(ROUND) && !owner.equals(CLUSTER) && !members.containsKey(owner)) {
        throw new IllegalStateException(
            "state %s: expected a part that restores it, found only the state%s"
                .formatted(owner, StateMap.UNFIT));
      }
    }
  }

  private void restoreOfRounds(String name, Checkpointed member) {
    if (saved != null && saved.has(name)) {
      saved.restore(name, member);
    }
  }

  /** Makes members restore themselves from {@code state} when they register. */
  public void restoreFrom(StateMap state) {
    saved = state;
    exact = true;
  }

  /**
   * Makes members restore themselves from {@code state} when they register, after a change of
   * generation. A member that the saved state does not fit, because it has state per worker, keeps
   * its initial state.
   */
  public void restoreFitting(StateMap state) {
    saved = state;
    exact = false;
  }

  /** Saves the state of every member, those of rounds included. */
  public void save(StateMap into) {
    members.forEach(into::save);
    ofRounds.forEach(into::save);
  }

  /** As {@link #save}, until the second change of state from now on; see {@link StateMap#keep}. */
  public void keep(StateMap into) {
    members.forEach(into::keep);
    ofRounds.forEach(into::keep);
  }

  /** The current state of every member but those of rounds, as copies. */
  public StateMap state() {
    StateMap state = new StateMap();
    members.forEach(state::save);
    return state;
  }

  /** Sets the listener to the end of steps. */
  public void listen(StepListener listener) {
    this.listener = listener;
  }

  /** The listener to the end of steps, which masters inform. */
  public StepListener listener() {
    return listener;
  }
}
