package io.github.amb.core.update;

import java.util.ArrayList;
import java.util.List;

/**
 * The user's settings of an update rule; null for the rule's default.
 *
 * @param momentum μ, from 0 to less than 1
 * @param nesterov whether momentum is Nesterov's
 * @param betas β₁ and β₂ of Adam, each from 0 to less than 1
 * @param rho ρ of RMSProp, from 0 to less than 1
 * @param epsilon ε, positive
 * @param form the library whose definition is used
 */
public record RuleSettings(
    Double momentum,
    Boolean nesterov,
    List<Double> betas,
    Double rho,
    Double epsilon,
    RuleForm form) {
  /** The rule's defaults. */
  public static final RuleSettings NONE = new RuleSettings(null, null, null, null, null, null);

  static final String MOMENTUM = "momentum";
  static final String NESTEROV = "nesterov";
  static final String BETAS = "betas";
  static final String RHO = "rho";
  static final String EPSILON = "epsilon";
  static final String FORM = "rule-form";

  /** Names of the settings that are not null. */
  List<String> given() {
    List<String> given = new ArrayList<>();
    add(given, MOMENTUM, momentum);
    add(given, NESTEROV, nesterov);
    add(given, BETAS, betas);
    add(given, RHO, rho);
    add(given, EPSILON, epsilon);
    add(given, FORM, form);
    return given;
  }

  private static void add(List<String> given, String name, Object value) {
    if (value != null) {
      given.add(name);
    }
  }

  /** The form that is set, or {@code usual}. */
  RuleForm formOr(RuleForm usual) {
    return form == null ? usual : form;
  }

  /** {@code value}, or {@code usual} if it is null. */
  static double or(Double value, double usual) {
    return value == null ? usual : value;
  }
}
