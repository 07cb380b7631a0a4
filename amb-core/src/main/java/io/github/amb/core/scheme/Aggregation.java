package io.github.amb.core.scheme;

/** Which gradients are enough for one update, and how they are put together. */
interface Aggregation {
  /** Whether what has been gathered is enough. */
  boolean isEnough(Gathering gathering);

  /**
   * Prepares gathered sums to be added up and divided.
   *
   * @param gathering closed; its results may be modified
   * @return the number of examples to divide by
   */
  long combine(Gathering gathering);

  /** The first {@code count} results, as they are. */
  static Aggregation first(int count) {
    return new Aggregation() {
      @Override
      public boolean isEnough(Gathering gathering) {
        return gathering.results() >= count;
      }

      @Override
      public long combine(Gathering gathering) {
        return gathering.examples();
      }
    };
  }
}
