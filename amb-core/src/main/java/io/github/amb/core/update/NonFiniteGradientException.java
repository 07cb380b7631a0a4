package io.github.amb.core.update;

/** A gradient with an entry that is infinite or not a number: training has diverged. */
public final class NonFiniteGradientException extends DivergedException {
  private static final long serialVersionUID = 1L;

  private final int rank;
  private final String block;
  private final int index;
  private final float value;

  /**
   * @param rank the worker that it came from
   * @param block name of the block that holds the entry
   * @param index of the entry within the block
   */
  public NonFiniteGradientException(int rank, String block, int index, float value) {
    this("", rank, block, index, value);
  }

  private NonFiniteGradientException(String step, int rank, String block, int index, float value) {
    super(
        "%sgradient of rank %d, block %s, entry %d: expected a finite number, found %s"
            .formatted(step, rank, block, index, value),
        true);
    this.rank = rank;
    this.block = block;
    this.index = index;
    this.value = value;
  }

  /**
   * The same, with the step, by those who know it.
   *
   * @param lasting the worker's lasting number
   */
  public NonFiniteGradientException at(int lasting, long step) {
    var known = new NonFiniteGradientException("step " + step + ": ", lasting, block, index, value);
    known.initCause(this);
    return known;
  }

  /** Rank of the worker that the gradient came from. */
  public int rank() {
    return rank;
  }

  /** Name of the block that holds the entry. */
  public String block() {
    return block;
  }
}
