package io.github.amb.core.state;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * All that one rank remembers between steps. Parts register when they are made, and find themselves
 * restored on return if the rank takes up a run where it was left.
 *
 * <p>Used by the rank's thread alone.
 */
public final class StateRegistry {
  /** Hears of every step's end. */
  @FunctionalInterface
  public interface StepListener {
    /** Does nothing. */
    StepListener NONE = (step, time) -> {};

    /**
     * An update has been applied, and is about to be recorded.
     *
     * @param step updates applied
     * @param time seconds since training started
     */
    default void stepEnds(long step, double time) {}

    /**
     * An update has been applied and recorded; nothing of the master changes until return.
     *
     * @param step updates applied
     * @param time seconds since training started
     */
    void stepDone(long step, double time);

    /** No further step; workers have not been told yet. */
    default void trainingOver() {}
  }

  private final Map<String, Checkpointed> members = new LinkedHashMap<>();
  private StateMap saved;
  private boolean exact;
  private StepListener listener = StepListener.NONE;

  /**
   * Adds a part, in place of an earlier one of that name, and restores it if its state was saved.
   *
   * @param name letters, digits, dots and dashes
   * @throws IllegalStateException if what was saved does not fit it
   */
  public void register(String name, Checkpointed member) {
    members.put(name, member);
    if (saved != null && saved.has(name) && (exact || saved.fits(name, member))) {
      saved.restore(name, member);
      if (!exact) {
        member.enteredWorld();
      }
    }
  }

  /** Restores parts from {@code state} as they register, instead of what they start with. */
  public void restoreFrom(StateMap state) {
    saved = state;
    exact = true;
  }

  /**
   * The same when the world has changed: a part that what was saved does not fit, as it has
   * something for each worker, starts anew.
   */
  public void restoreFitting(StateMap state) {
    saved = state;
    exact = false;
  }

  /** Saves every part's state. */
  public void save(StateMap into) {
    members.forEach(into::save);
  }

  /** Every part's state now, in arrays of its own. */
  public StateMap state() {
    StateMap state = new StateMap();
    save(state);
    return state;
  }

  /** Sets who hears of every step's end. */
  public void listen(StepListener listener) {
    this.listener = listener;
  }

  /** Tells the listener that no step follows; masters only. */
  public void trainingOver() {
    listener.trainingOver();
  }

  /** Tells the listener that an update is about to be recorded; masters only. */
  public void stepEnds(long step, double time) {
    listener.stepEnds(step, time);
  }

  /** Tells the listener that it is recorded; masters only. */
  public void stepDone(long step, double time) {
    listener.stepDone(step, time);
  }
}
