package io.github.amb.core.update;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.amb.core.Seeds;
import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.option.OptionValues;
import io.github.amb.core.option.UsageException;
import java.nio.FloatBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Update rules in the forms of PyTorch, TensorFlow and Keras, against the formulas of their
 * documentation in double precision: some steps with gradients of many magnitudes, and a learning
 * rate that falls.
 */
class RuleFormTest {
  private static final int STEPS = 20;
  private static final double W = 0.75;

  private final double[] gradients = new double[STEPS];

  RuleFormTest() {
    SplittableRandom random = new SplittableRandom(Seeds.of(1));
    for (int t = 0; t < STEPS; t++) {
      double size = Math.pow(10, -4 * random.nextDouble());
      gradients[t] = (float) (random.nextBoolean() ? size : -size);
    }
  }

  /** Learning rate of step t, from 1. */
  private static double rate(int t) {
    return 0.1 / t;
  }

  /** {@code torch.optim.SGD} with dampening 0, {@code tf.compat.v1.train.MomentumOptimizer}. */
  @ParameterizedTest
  @EnumSource(names = {"PYTORCH", "TENSORFLOW"})
  void momentumScalesWhatIsAccumulated(RuleForm form) {
    double w = W;
    double nesterov = W;
    double b = 0;
    for (int t = 1; t <= STEPS; t++) {
      double g = gradients[t - 1];
      b = t == 1 ? g : 0.8 * b + g;
      w -= rate(t) * b;
      nesterov -= rate(t) * (g + 0.8 * b);
    }
    assertClose(w, run("mom", settings(0.8, false, form)));
    assertClose(nesterov, run("mom", settings(0.8, true, form)));
  }

  /** {@code keras.optimizers.SGD}: velocity = momentum * velocity − learning_rate * g. */
  @Test
  void kerasScalesGradientsAsTheyAreAdded() {
    double w = W;
    double nesterov = W;
    double velocity = 0;
    for (int t = 1; t <= STEPS; t++) {
      double g = gradients[t - 1];
      velocity = 0.8 * velocity - rate(t) * g;
      w += velocity;
      nesterov += 0.8 * velocity - rate(t) * g;
    }
    assertClose(w, run("mom", settings(0.8, false, RuleForm.KERAS)));
    assertClose(nesterov, run("mom", settings(0.8, true, RuleForm.KERAS)));
  }

  /** {@code torch.optim.RMSprop}: alpha, not centered, eps added to the root. */
  @Test
  void rmsPropOfPyTorchAddsEpsilonToTheRoot() {
    double w = W;
    double v = 0;
    for (int t = 1; t <= STEPS; t++) {
      double g = gradients[t - 1];
      v = 0.99 * v + 0.01 * g * g;
      w -= rate(t) * g / (Math.sqrt(v) + 1e-3);
    }
    assertClose(w, run("rms", rms(0.99, RuleForm.PYTORCH)));
  }

  /** {@code tf.compat.v1.train.RMSPropOptimizer} starts at 1, {@code keras.optimizers} at 0. */
  @ParameterizedTest
  @EnumSource(names = {"TENSORFLOW", "KERAS"})
  void rmsPropOfTensorFlowAddsEpsilonInsideTheRoot(RuleForm form) {
    double w = W;
    double v = form == RuleForm.TENSORFLOW ? 1 : 0;
    for (int t = 1; t <= STEPS; t++) {
      double g = gradients[t - 1];
      v = 0.95 * v + 0.05 * g * g;
      w -= rate(t) * g / Math.sqrt(v + 1e-3);
    }
    assertClose(w, run("rms", rms(0.95, form)));
  }

  /** {@code torch.optim.Adam}: both moments corrected, eps added to the corrected root. */
  @Test
  void adamOfPyTorchAddsEpsilonToTheCorrectedRoot() {
    double w = W;
    double m = 0;
    double v = 0;
    for (int t = 1; t <= STEPS; t++) {
      double g = gradients[t - 1];
      m = 0.8 * m + 0.2 * g;
      v = 0.95 * v + 0.05 * g * g;
      double first = m / (1 - Math.pow(0.8, t));
      double second = v / (1 - Math.pow(0.95, t));
      w -= rate(t) * first / (Math.sqrt(second) + 1e-2);
    }
    assertClose(w, run("adm", adam(RuleForm.PYTORCH)));
    assertClose(w, run("adamw", adam(null)));
  }

  /** {@code tf.compat.v1.train.AdamOptimizer} and {@code keras.optimizers.Adam}: epsilon hat. */
  @ParameterizedTest
  @EnumSource(names = {"TENSORFLOW", "KERAS"})
  void adamOfTensorFlowAddsEpsilonToThePlainRoot(RuleForm form) {
    double w = W;
    double m = 0;
    double v = 0;
    for (int t = 1; t <= STEPS; t++) {
      double g = gradients[t - 1];
      double alpha = rate(t) * Math.sqrt(1 - Math.pow(0.95, t)) / (1 - Math.pow(0.8, t));
      m = 0.8 * m + 0.2 * g;
      v = 0.95 * v + 0.05 * g * g;
      w -= alpha * m / (Math.sqrt(v) + 1e-2);
    }
    assertClose(w, run("adm", adam(form)));
  }

  /** Tang et al., 1-bit Adam, ICML 2021: v and its correction stay as they are after 7 steps. */
  @Test
  void aFrozenVarianceStaysWithItsCorrection() {
    double w = W;
    double m = 0;
    double v = 0;
    for (int t = 1; t <= STEPS; t++) {
      double g = gradients[t - 1];
      m = 0.8 * m + 0.2 * g;
      v = t > 7 ? v : 0.95 * v + 0.05 * g * g;
      double second = v / (1 - Math.pow(0.95, Math.min(t, 7)));
      w -= rate(t) * m / (1 - Math.pow(0.8, t)) / (Math.sqrt(second) + 1e-2);
    }
    OptionValues frozen = adam(RuleForm.PYTORCH).with(UpdateRules.VARIANCE_STEPS, 7);
    assertClose(w, run("adm", frozen));
  }

  /** {@code torch.optim.AdamW}: param.mul_(1 − lr * weight_decay), then Adam's step. */
  @Test
  void adamWShrinksWeightsBeforeTheStep() {
    UpdateRule rule = UpdateRules.named("adamw").create(2, adam(null));
    var layout =
        new Layout(
            List.of(
                new Block("W", Block.Kind.WEIGHT, 0, 1), new Block("b", Block.Kind.BIAS, 1, 1)));
    var decay = new WeightDecay(0.5, rule.decouplesDecay());
    var update = new MasterUpdate(layout, rule, decay);
    float[] found = {(float) W, (float) W};
    double[] w = {W, W};
    double m = 0;
    double v = 0;
    for (int t = 1; t <= STEPS; t++) {
      double g = gradients[t - 1];
      m = 0.8 * m + 0.2 * g;
      v = 0.95 * v + 0.05 * g * g;
      double root = Math.sqrt(v / (1 - Math.pow(0.95, t)));
      double step = rate(t) * m / (1 - Math.pow(0.8, t)) / (root + 1e-2);
      w[0] = w[0] * (1 - rate(t) * 0.5) - step;
      w[1] -= step;
      FloatBuffer[] sums = {FloatBuffer.wrap(new float[] {(float) g, (float) g})};
      update.apply(found, sums, new int[] {1}, 1, 1, rate(t));
    }
    assertClose(w[0], found[0]);
    assertClose(w[1], found[1]);
  }

  @Test
  void aSettingThatARuleLacksIsRejected() {
    OptionValues all =
        settings(0.9, true, RuleForm.PYTORCH)
            .with(UpdateRules.BETAS, List.of(0.9, 0.99))
            .with(UpdateRules.RHO, 0.9)
            .with(UpdateRules.EPSILON, 1e-8);
    String message =
        assertThrows(UsageException.class, () -> UpdateRules.named("rms").create(1, all))
            .getMessage();
    assertEquals(
        Stream.of("momentum, mom", "nesterov, mom", "betas, adm, adamw")
            .map(entry -> entry.split(", ", 2))
            .map(
                entry ->
                    ("update rule rms: has no use for --%s, which belongs to %s; leave it out or"
                            + " change the update rule")
                        .formatted(entry[0], entry[1]))
            .collect(Collectors.joining("\n")),
        message);
  }

  private static OptionValues settings(double momentum, boolean nesterov, RuleForm form) {
    return form(form)
        .with(UpdateRules.MOMENTUM, momentum)
        .with(UpdateRules.NESTEROV, nesterov ? 1 : 0);
  }

  private static OptionValues adam(RuleForm form) {
    return form(form).with(UpdateRules.BETAS, List.of(0.8, 0.95)).with(UpdateRules.EPSILON, 1e-2);
  }

  private static OptionValues rms(double rho, RuleForm form) {
    return form(form).with(UpdateRules.RHO, rho).with(UpdateRules.EPSILON, 1e-3);
  }

  private static OptionValues form(RuleForm form) {
    return OptionValues.NONE.with(UpdateRules.FORM, form == null ? null : form.toString());
  }

  private double run(String name, OptionValues settings) {
    UpdateRule rule = UpdateRules.named(name).create(1, settings);
    float[] w = {(float) W};
    for (int t = 1; t <= STEPS; t++) {
      rule.beginStep();
      rule.apply(w, new float[] {(float) gradients[t - 1]}, 0, 1, rate(t));
    }
    return w[0];
  }

  /**
   * A step has at most a dozen roundings of 2⁻²⁴, of numbers that add up to at most 10: gradients
   * are at most 1 and their momentum 5, and normalized ones at most 1 / √0.01.
   */
  private static void assertClose(double expected, double actual) {
    assertEquals(expected, actual, 12 * STEPS * 10 * 0x1p-24);
  }
}
