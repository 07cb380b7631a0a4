package io.github.amb.core.scheme;

import io.github.amb.core.engine.Frame;

/**
 * What sets the rounds of one synchronous scheme apart from another's.
 *
 * @param answer kind of the workers' results
 * @param aggregation which results are enough for an update, and what becomes of them
 * @param timeLimit where the workers' time limit comes from
 * @param advisor what workers are told besides
 */
record Round(Frame.Kind answer, Aggregation aggregation, TimeLimit timeLimit, Advisor advisor) {
  /** Workers send gradients, as many as {@code aggregation} takes. */
  static Round ofGradients(Aggregation aggregation) {
    return new Round(Frame.Kind.GRADIENT, aggregation, TimeLimit.NONE, Advisor.NONE);
  }

  /** Workers send what they changed, one result each. */
  static Round ofDeltas(Aggregation aggregation, Advisor advisor) {
    return new Round(Frame.Kind.DELTA, aggregation, TimeLimit.NONE, advisor);
  }

  /** The same with a time limit set by the master. */
  Round within(TimeLimit limit) {
    return new Round(answer, aggregation, limit, advisor);
  }
}
