package io.github.amb.core.update;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Finite;
import io.github.amb.core.gradient.Layout;

/**
 * Parameters, or what an update rule keeps beside them, with an entry that is infinite or not a
 * number. A network may hide it, as ReLU hides a bias that is not a number, so that all results are
 * finite. No step can follow, and the vector is not what the last step has left.
 */
public final class NonFiniteParametersException extends ArithmeticException {
  private static final long serialVersionUID = 1L;
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
   * Found after an update.
   *
   * @param what the vector
   * @param index of the entry in the vector
   */
  NonFiniteParametersException(String what, Block block, int index, float value) {
    this(what + found(block, index, value) + DIVERGED, what, found(block, index, value), false);
  }

  /**
   * The same, by those who know whose update it was; what they have said before stays.
   *
   * @param rank 0 for the master
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

  /** Whether it is known whose update it was. */
  public boolean isPlaced() {
    return placed;
  }

  /**
   * Checks what training begins with.
   *
   * @param step the first one
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

  private static String found(Block block, int index, float value) {
    return ", block %s, entry %d: expected a finite number, found %s"
        .formatted(block.name(), index - block.offset(), value);
  }
}
