package io.github.amb.core.scheme;

/** How many local iterations a worker does between two sets of parameters. */
interface LocalIterations {
  /** New parameters have come; the first iteration starts now. */
  void begin();

  /**
   * Whether to do another iteration.
   *
   * @param done iterations done at these parameters, at least 1
   */
  boolean goOn(int done);

  /** Whether an iteration has an induced delay. {@code done} is the number before it. */
  default boolean delayed(int done) {
    return true;
  }
}
