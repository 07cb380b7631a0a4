package io.github.amb.runtime.fault;

/**
 * The steps of one worker's results in one world. Under asynchronous schemes they leave some out;
 * what is to happen in one of these happens to the next result.
 */
final class ResultSteps {
  private long last;
  private boolean begun;

  /** Whether the next result, of this step, is the first since {@code wanted} came. */
  boolean isFirstSince(long wanted, long step) {
    return wanted <= step && (begun ? wanted > last : wanted == step);
  }

  /** A result is sent. */
  void sent(long step) {
    begun = true;
    last = step;
  }
}
