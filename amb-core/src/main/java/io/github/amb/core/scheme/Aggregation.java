package io.github.amb.core.scheme;

/** Which results are enough for one update, and what the update makes of them. */
interface Aggregation {
  /** Whether what has been gathered is enough. */
  boolean isEnough(Gathering gathering);

  /**
   * Updates the master's parameters with what has been gathered.
   *
   * @param gathering closed; its results may be modified
   * @return the number of examples that went into the update
   */
  long update(Gathering gathering, MasterContext master, double learningRate);

  /** The first {@code count} gradients, added up and divided by the number of their examples. */
  static Aggregation first(int count) {
    return new Aggregation() {
      @Override
      public boolean isEnough(Gathering gathering) {
        return gathering.results() >= count;
      }

      @Override
      public long update(Gathering gathering, MasterContext master, double learningRate) {
        long examples = gathering.examples();
        gathering.apply(master.update(), master.parameters(), examples, learningRate);
        return examples;
      }
    };
  }
}
