package io.github.amb.core.update;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import java.util.ArrayList;
import java.util.List;

/**
 * L2 regularization for gradients whose momentum m is in the codec: {@code u ← m u + λ w}, and the
 * rule gets {@code g + u}. Decay then has the strength that it has with the rule {@code mom}, in
 * which the momentum is behind it. So does the optimizer of Lin et al., "Deep Gradient
 * Compression", ICLR 2018.
 */
final class DecayMomentum implements UpdateRule {
  private final UpdateRule rule;
  private final Layout layout;
  private final float coefficient;
  private final float momentum;
  private final float[] velocity;
  private final List<float[]> state;

  DecayMomentum(UpdateRule rule, Layout layout, WeightDecay decay) {
    this.rule = rule;
    this.layout = layout;
    coefficient = (float) decay.coefficient();
    momentum = (float) decay.momentum();
    velocity = new float[layout.size()];
    List<float[]> all = new ArrayList<>(rule.state());
    all.add(velocity);
    state = List.copyOf(all);
  }

  @Override
  public void beginStep() {
    rule.beginStep();
  }

  /** The gradient is the update's own memory, and is modified. */
  @Override
  public void apply(float[] parameters, float[] gradient, int from, int to, double learningRate) {
    if (layout.blockAt(from).kind() == Block.Kind.WEIGHT) {
      for (int i = from; i < to; i++) {
        velocity[i] = momentum * velocity[i] + coefficient * parameters[i];
        gradient[i] += velocity[i];
      }
    }
    rule.apply(parameters, gradient, from, to, learningRate);
  }

  @Override
  public long steps() {
    return rule.steps();
  }

  @Override
  public void steps(long steps) {
    rule.steps(steps);
  }

  @Override
  public List<float[]> state() {
    return state;
  }
}
