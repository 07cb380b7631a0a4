package io.github.amb.core.scheme.context;

import io.github.amb.core.gradient.Fragments;
import io.github.amb.core.update.Clipping;
import io.github.amb.core.update.MasterUpdate;
import io.github.amb.core.update.UpdateRule;
import io.github.amb.core.update.WeightDecay;
import java.nio.FloatBuffer;

/**
 * An update of the master's parameters with what workers changed by updates of their own, as if the
 * sum of the changes were a gradient. Running statistics are averaged.
 */
public final class OuterUpdate {
  private final Master master;
  private final MasterUpdate outer;
  private final double learningRate;
  private Fragments fragments;

  /**
   * @param rule the outer update rule
   * @param learningRate its learning rate, whatever the workers' own is
   */
  public OuterUpdate(Master master, UpdateRule rule, double learningRate) {
    this.master = master;
    this.learningRate = learningRate;
    MasterContext context = master.context();
    context.state().register("outer-update", rule);
    MasterUpdate own = context.update();
    Clipping measured = own.clipping().unlimited();
    outer = new MasterUpdate(own.layout(), rule, WeightDecay.NONE, measured, own.hook());
  }

  /**
   * From now on each step updates the fragment whose turn it is.
   *
   * @return this
   */
  public OuterUpdate inFragments(Fragments parts) {
    fragments = parts;
    return this;
  }

  /**
   * Updates with a mean change that a scheme has formed.
   *
   * @param mean the flat vector; not modified
   */
  public void update(FloatBuffer mean) {
    master.replaceBy(mean);
    update(1);
  }

  /** Updates with the mean of the changes that have examples; if none has, nothing changes. */
  public void update() {
    update(master.gathered().withExamples());
  }

  /**
   * Updates with the sum of the changes that the master has gathered.
   *
   * @param divisor what the sum is divided by
   */
  public void update(long divisor) {
    if (fragments != null) {
      int turn = fragments.of(master.step());
      outer.only(block -> fragments.ofBlock(block) == turn);
    }
    master.update(outer, divisor, learningRate, master.gathered().examples());
    // The run's own rule is applied by workers; it counts the run's updates all the same.
    master.context().update().rule().steps(outer.rule().steps());
  }
}
