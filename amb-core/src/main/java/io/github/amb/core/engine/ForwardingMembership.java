package io.github.amb.core.engine;

/** Forwards all calls to another membership; subclasses change the generations that it joins. */
public abstract class ForwardingMembership implements Membership {
  private final Membership membership;

  protected ForwardingMembership(Membership membership) {
    this.membership = membership;
  }

  /**
   * Returns the generation that this rank uses in place of the one that it has joined.
   *
   * @param generation the one that it has joined
   * @param before why the last generation ended; null for the first one
   */
  protected abstract Generation joined(Generation generation, EngineException before);

  @Override
  public Generation first() {
    return joined(membership.first(), null);
  }

  @Override
  public Generation next(EngineException failure) {
    return joined(membership.next(failure), failure);
  }

  @Override
  public boolean isReplacement() {
    return membership.isReplacement();
  }

  @Override
  public void training() {
    membership.training();
  }

  @Override
  public void trainingOver() {
    membership.trainingOver();
  }

  @Override
  public boolean changes() {
    return membership.changes();
  }
}
