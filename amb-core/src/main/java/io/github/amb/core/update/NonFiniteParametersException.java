package io.github.amb.core.update;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Finite;
import io.github.amb.core.gradient.Layout;

/**
 * An entry of the parameters, or of an update rule's state, is infinite or not a number. A network
 * may hide it, as ReLU hides a bias that is not a number, so that all results are finite. No step
 * can follow, and the vector is not the result of the last step.
 */
public final class NonFiniteParametersException extends ArithmeticException {
  private static final String DIVERGED = "; training has diverged, try a smaller learning rate";

  private final String what;
  private final String found;
  private final boolean placed;

  private NonFiniteParametersException(String message, String what, String found, boolean placed) {
    super(message);
    this.what = what;
    this.found = found;
    this.placed = placed;
  }

  /**
   * An exception for an entry that was found after an update.
   *
   * @param what name of the vector
   * @param block the block that holds the entry
   * @param index index of the entry in the vector
   * @param value the entry
   */
  NonFiniteParametersException(String what, Block block, int index, float value) {
    this(what + found(block, index, value) + DIVERGED, what, found(block, index, value), false);
  }

  /**
   * A copy of this exception whose message has the rank and the step. If it has them already, it is
   * not changed.
   *
   * @param rank the rank whose update it was, 0 for the master
   * @param step number of the update, from 1
   */
  public NonFiniteParametersException at(int rank, long step) {
    if (placed) {
      return this;
    }
    String message = "step %d: %s of rank %d after the update%s".formatted(step, what, rank, found);
    var known = new NonFiniteParametersException(message + DIVERGED, what, found, true);
    known.initCause(this);
    return known;
  }

  /** Whether the message has the rank and the step. */
  public boolean isPlaced() {
    return placed;
  }

  /**
   * Checks initial parameters.
   *
   * @param parameters the flat vector; not modified
   * @param step number of the first update
   * @throws NonFiniteParametersException if an entry is infinite or not a number
   */
  public static void expectFinite(Layout layout, float[] parameters, long step) {
    int bad = Finite.firstBad(parameters, 0, layout.size());
    if (bad >= 0) {
      String what = "parameters before step " + step;
      String found = found(layout.blockAt(bad), bad, parameters[bad]);
      String remedy = "; begin with finite ones, as in the file that --network names";
      throw new NonFiniteParametersException(what + found + remedy, what, found, true);
    }
  }

  /**
   * Checks parameters that a worker has updated.
   *
   * @param parameters the flat vector; not modified
   * @param rank the worker
   * @param step number of the update, from 1
   * @throws NonFiniteParametersException if an entry is infinite or not a number
   */
  public static void expectFinite(Layout layout, float[] parameters, int rank, long step) {
    int bad = Finite.firstBad(parameters, 0, layout.size());
    if (bad >= 0) {
      Block block = layout.blockAt(bad);
      throw new NonFiniteParametersException("parameters", block, bad, parameters[bad])
          .at(rank, step);
    }
  }

  private static String found(Block block, int index, float value) {
    return ", block %s, entry %d: expected a finite number, found %s"
        .formatted(block.name(), index - block.offset(), value);
  }
}
