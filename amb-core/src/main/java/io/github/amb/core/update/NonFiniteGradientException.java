package io.github.amb.core.update;

/** A gradient with an entry that is infinite or not a number: training has diverged. */
public final class NonFiniteGradientException extends ArithmeticException {
  private static final long serialVersionUID = 1L;

  private final int rank;
  private final String block;

  /**
   * @param rank the worker that it came from
   * @param block name of the block that holds the entry
   * @param index of the entry within the block
   */
  public NonFiniteGradientException(int rank, String block, int index, float value) {
    super(
        "gradient of rank %d, block %s, entry %d: expected a finite number, found %s; training has diverged, try a smaller learning rate"
            .formatted(rank, block, index, value));
    this.rank = rank;
    this.block = block;
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
