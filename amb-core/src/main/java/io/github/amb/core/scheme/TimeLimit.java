package io.github.amb.core.scheme;

/** Where the time limit of each step comes from. */
interface TimeLimit {
  /** Workers keep to their own. */
  TimeLimit NONE =
      new TimeLimit() {
        @Override
        public double next() {
          return 0;
        }

        @Override
        public void observe(Gathering results, double stepTime) {
          // Nothing to learn.
        }
      };

  /** Seconds for the workers' next computation, infinite for no limit; 0 leaves it to them. */
  double next();

  /**
   * Learns from a step.
   *
   * @param results every worker's
   * @param stepTime seconds from before the parameters were sent to after the update
   */
  void observe(Gathering results, double stepTime);
}
