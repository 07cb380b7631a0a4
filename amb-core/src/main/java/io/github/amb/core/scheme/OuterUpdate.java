package io.github.amb.core.scheme;

import io.github.amb.core.update.MasterUpdate;
import io.github.amb.core.update.UpdateRule;
import io.github.amb.core.update.WeightDecay;

/**
 * Takes what every worker changed, weights the changes, and takes their mean as the gradient of an
 * outer update. Running statistics are averaged.
 */
final class OuterUpdate implements Aggregation {
  private final int workers;
  private final MasterUpdate outer;
  private final double learningRate;
  private final Weighting weighting;

  /**
   * @param rule the outer update rule
   * @param learningRate its learning rate, whatever the workers' own is
   */
  OuterUpdate(
      MasterContext master,
      int workers,
      UpdateRule rule,
      double learningRate,
      Weighting weighting) {
    this.workers = workers;
    this.learningRate = learningRate;
    this.weighting = weighting;
    master.state().register("outer-update", rule);
    outer = new MasterUpdate(master.update().layout(), rule, WeightDecay.NONE);
    outer.hook(master.update().hook());
  }

  @Override
  public boolean isEnough(Gathering gathering) {
    return gathering.results() >= workers;
  }

  @Override
  public long update(Gathering gathering, MasterContext master, double workersLearningRate) {
    long examples = gathering.examples();
    long divisor = weighting.scale(gathering, outer.layout());
    gathering.apply(outer, master.parameters(), divisor, learningRate);
    // The run's own rule is applied by workers; it counts the run's updates all the same.
    master.update().rule().steps(outer.rule().steps());
    return examples;
  }
}
