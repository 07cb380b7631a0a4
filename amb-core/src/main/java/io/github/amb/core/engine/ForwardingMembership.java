package io.github.amb.core.engine;

/** Another membership, for those that do a little more in every generation. */
public abstract class ForwardingMembership implements Membership {
  private final Membership membership;

  protected ForwardingMembership(Membership membership) {
    this.membership = membership;
  }

  /** The generation that this rank works in, in place of the one that it has joined. */
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
  public void progress() {
    membership.progress();
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
