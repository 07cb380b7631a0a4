package io.github.amb.core.update;

/** A gradient with an entry that is infinite or not a number: training has diverged. */
public final class NonFiniteGradientException extends DivergedException {
  private static final long serialVersionUID = 1L;

  private final String batch;
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
    this("", "", rank, block, index, value);
  }

  private NonFiniteGradientException(
      String step, String batch, int rank, String block, int index, float value) {
    super(
        "%sgradient of rank %d%s, block %s, entry %d: expected a finite number, found %s"
            .formatted(step, rank, batch, block, index, value),
        true);
    this.batch = batch;
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
    return caused(
        new NonFiniteGradientException("step " + step + ": ", batch, lasting, block, index, value));
  }

  /**
   * The same, with the batch, by those who know it; before the step.
   *
   * @param first place of the gradient's first example in the worker's order, from 0; below 0 if
   *     they are not one after the other
   * @param examples how many there are
   */
  public NonFiniteGradientException of(long first, long examples) {
    return caused(
        new NonFiniteGradientException("", batch(first, examples), rank, block, index, value));
  }

  private static String batch(long first, long examples) {
    return first < 0 ? "" : ", " + examples(first, examples);
  }

  /** Names a batch by its examples' places in the worker's order, which follow each other. */
  public static String examples(long first, long examples) {
    return "examples %s to %s of its order".formatted(first, first + examples - 1);
  }

  private NonFiniteGradientException caused(NonFiniteGradientException known) {
    known.initCause(this);
    return known;
  }

  /** What was found, and in which block. */
  public String found() {
    return found(block, value);
  }

  /** The same of any vector. */
  public static String found(String block, float value) {
    return "block %s, which has %s".formatted(block, value);
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
