package io.github.amb.core.update;

import java.util.List;

/** Implements the step count and the list of state arrays of update rules. */
abstract class AbstractUpdateRule implements UpdateRule {
  private final List<float[]> state;
  private long steps;

  AbstractUpdateRule(float[]... state) {
    this.state = List.of(state);
  }

  @Override
  public void beginStep() {
    steps++;
  }

  @Override
  public final long steps() {
    return steps;
  }

  @Override
  public final void steps(long steps) {
    this.steps = steps;
  }

  @Override
  public final List<float[]> state() {
    return state;
  }
}
