package io.github.amb.runtime.fault;

/**
 * The steps of one worker's results in one generation. Asynchronous schemes skip some steps; a
 * fault of a skipped step affects the next result.
 */
final class ResultSteps {
  private long last;
  private boolean begun;

  /** Whether the result of {@code step} is the first one at or after {@code wanted}. */
  boolean isFirstSince(long wanted, long step) {
    return wanted <= step && (begun ? wanted > last : wanted == step);
  }

  /** Records that a result of {@code step} is sent. */
  void sent(long step) {
    begun = true;
    last = step;
  }
}
