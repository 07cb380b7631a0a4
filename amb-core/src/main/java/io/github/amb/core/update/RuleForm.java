package io.github.amb.core.update;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The library whose definition of an update rule is used, where libraries differ. */
public enum RuleForm {
  /** {@code tf.compat.v1.train}: ε inside RMSProp's root, whose mean square is 1 at first. */
  TENSORFLOW,

  /**
   * {@code torch.optim}: ε outside roots, added to Adam's root after the correction of its bias.
   */
  PYTORCH,

  /**
   * {@code keras.optimizers}: the rate is part of the momentum; RMSProp's mean square starts at 0.
   */
  KERAS;

  /** The names, as users type them. */
  public static List<String> names() {
    return Arrays.stream(values()).map(RuleForm::toString).toList();
  }

  /**
   * Returns the form with a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static RuleForm named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
