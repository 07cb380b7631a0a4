package io.github.amb.examples;

import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.EntryArguments;
import io.github.amb.core.plugin.Plugin;
import io.github.amb.core.update.UpdateRule;
import io.github.amb.core.update.UpdateRules;
import java.util.List;

/** An update rule: the sign of an interpolation of momentum and gradient. */
public final class Lion implements Plugin<UpdateRules.Entry> {
  @Override
  public List<UpdateRules.Entry> entries() {
    Description description =
        Description.of("lion", "sign momentum with two decays")
            .use("Half of Adam's memory; take a tenth of Adam's learning rate.")
            .formula("w <- w - eta (sign(b1 m + (1 - b1) g) + decay w); m <- b2 m + (1 - b2) g")
            .source("Chen et al., Symbolic Discovery of Optimization Algorithms, NeurIPS 2023");
    return List.of(
        new UpdateRules.Entry(
            description, "[:BETA1=0.9][,beta2=0.99]", 1e-4, (n, settings, a) -> rule(n, a)));
  }

  private static UpdateRule rule(int parameters, EntryArguments arguments) {
    double beta1 = arguments.first(0.9, b -> b >= 0 && b < 1, "0 up to below 1");
    double beta2 = arguments.named("beta2", 0.99, b -> b >= 0 && b < 1, "0 up to below 1");
    return new Rule(new float[parameters], (float) beta1, (float) beta2);
  }

  /** What the rule remembers is in checkpoints, as {@link #state} and {@link #steps} tell it. */
  private static final class Rule implements UpdateRule {
    private final float[] momentum;
    private final float beta1;
    private final float beta2;
    private long steps;

    Rule(float[] momentum, float beta1, float beta2) {
      this.momentum = momentum;
      this.beta1 = beta1;
      this.beta2 = beta2;
    }

    @Override
    public void beginStep() {
      steps++;
    }

    @Override
    public void apply(float[] parameters, float[] gradient, int from, int to, double rate) {
      for (int i = from; i < to; i++) {
        float direction = beta1 * momentum[i] + (1 - beta1) * gradient[i];
        parameters[i] -= (float) rate * Math.signum(direction);
        momentum[i] = beta2 * momentum[i] + (1 - beta2) * gradient[i];
      }
    }

    /** Added to the gradient, it would vanish in the sign. */
    @Override
    public boolean decouplesDecay() {
      return true;
    }

    @Override
    public long steps() {
      return steps;
    }

    @Override
    public void steps(long restored) {
      steps = restored;
    }

    @Override
    public List<float[]> state() {
      return List.of(momentum);
    }
  }
}
