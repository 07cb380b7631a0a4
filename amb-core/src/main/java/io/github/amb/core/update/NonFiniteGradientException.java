package io.github.amb.core.update;

/**
 * Training has diverged: a gradient, or its encoding, has a number that is infinite or not a
 * number.
 */
public final class NonFiniteGradientException extends DivergedException {
  private static final String OVERFLOW = "an encoding that overflows";

  private final String batch;
  private final int rank;
  private final String block;
  private final String problem;
  private final String found;

  /**
   * @param rank the worker that sent the gradient
   * @param block name of the block that holds the entry
   * @param index index of the entry within the block
   * @param value the entry
   */
  public NonFiniteGradientException(int rank, String block, int index, float value) {
    this(
        rank,
        block,
        ", entry %d: expected a finite number, found %s".formatted(index, value),
        String.valueOf(value));
  }

  private NonFiniteGradientException(int rank, String block, String problem, String found) {
    this("", "", rank, block, problem, found);
  }

  /**
   * An exception for a gradient whose entries are finite and too large for the codec.
   *
   * @param rank the worker that sent the gradient
   * @param block name of the block whose encoding is not finite
   */
  public static NonFiniteGradientException ofEncoding(int rank, String block) {
    return new NonFiniteGradientException(
        rank, block, ": expected an encoding of finite numbers, found " + OVERFLOW, OVERFLOW);
  }

  private NonFiniteGradientException(
      String step, String batch, int rank, String block, String problem, String found) {
    super("%sgradient of rank %d%s, block %s%s".formatted(step, rank, batch, block, problem), true);
    this.batch = batch;
    this.rank = rank;
    this.block = block;
    this.problem = problem;
    this.found = found;
  }

  /**
   * A copy of this exception whose message has the step.
   *
   * @param lasting the worker's permanent number
   * @param step number of the update, from 1
   */
  public NonFiniteGradientException at(int lasting, long step) {
    return caused(
        new NonFiniteGradientException(
            "step " + step + ": ", batch, lasting, block, problem, found));
  }

  /**
   * A copy of this exception whose message has the batch. Call this before {@link #at}.
   *
   * @param first position of the gradient's first example in the worker's order, from 0; negative
   *     if the examples are not consecutive
   * @param examples number of examples
   */
  public NonFiniteGradientException of(long first, long examples) {
    return caused(
        new NonFiniteGradientException("", batch(first, examples), rank, block, problem, found));
  }

  private static String batch(long first, long examples) {
    return first < 0 ? "" : ", " + examples(first, examples);
  }

  /** Describes consecutive examples by their positions in the worker's order, from 0. */
  public static String examples(long first, long examples) {
    return "examples %s to %s of its order".formatted(first, first + examples - 1);
  }

  private NonFiniteGradientException caused(NonFiniteGradientException known) {
    known.initCause(this);
    return known;
  }

  /** Describes the entry and its block. */
  public String found() {
    return found(block, found);
  }

  /** Describes what is not finite, and its block. */
  public static String found(String block, String found) {
    return "block %s, which has %s".formatted(block, found);
  }

  /** Rank of the worker that sent the gradient. */
  public int rank() {
    return rank;
  }

  /** Name of the block that holds the entry. */
  public String block() {
    return block;
  }
}
