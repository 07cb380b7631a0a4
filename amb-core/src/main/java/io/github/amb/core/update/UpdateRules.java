package io.github.amb.core.update;

import static io.github.amb.core.update.RuleSettings.or;

import io.github.amb.core.command.Registry;
import io.github.amb.core.command.UsageException;
import java.util.List;
import java.util.function.BiFunction;

/** The update rules by name. To add one, add a class and a line here. */
public final class UpdateRules {
  private static final Registry<Entry> ALL =
      new Registry<>(
          "update rule",
          List.of(
              new Entry("sgd", 0.1, "stochastic gradient descent", (n, given) -> new Sgd()),
              new Entry(
                  "mom",
                  0.01,
                  "gradient descent with momentum, 0.9 unless set",
                  UpdateRules::momentum,
                  RuleSettings.MOMENTUM,
                  RuleSettings.NESTEROV,
                  RuleSettings.FORM),
              new Entry(
                  "rms",
                  0.001,
                  "RMSProp, with TensorFlow's constants unless set",
                  UpdateRules::rmsProp,
                  RuleSettings.RHO,
                  RuleSettings.EPSILON,
                  RuleSettings.FORM),
              new Entry(
                  "adm",
                  0.001,
                  "Adam, with TensorFlow's constants unless set",
                  (n, given) -> adam(n, given, RuleForm.TENSORFLOW),
                  RuleSettings.BETAS,
                  RuleSettings.EPSILON,
                  RuleSettings.FORM),
              new Entry(
                  "adamw",
                  0.001,
                  "Adam in PyTorch's form, with decoupled weight decay",
                  (n, given) -> adam(n, given, RuleForm.PYTORCH),
                  RuleSettings.BETAS,
                  RuleSettings.EPSILON,
                  RuleSettings.FORM),
              new Entry(
                  "dual-averaging",
                  0.01,
                  "from the initial parameters, minus the rate times the sum of all gradients",
                  (n, given) -> new DualAveraging(n))));

  private UpdateRules() {}

  /**
   * An update rule that a user can name.
   *
   * @param name what the user types
   * @param defaultLearningRate learning rate when the user gives none
   * @param summary one line for help
   * @param factory makes the rule for a number of parameters
   * @param options names of the settings that it has
   */
  public record Entry(
      String name,
      double defaultLearningRate,
      String summary,
      BiFunction<Integer, RuleSettings, UpdateRule> factory,
      List<String> options)
      implements Registry.Entry {
    Entry(
        String name,
        double defaultLearningRate,
        String summary,
        BiFunction<Integer, RuleSettings, UpdateRule> factory,
        String... options) {
      this(name, defaultLearningRate, summary, factory, List.of(options));
    }

    /** A new rule for flat vectors of {@code parameters} entries. */
    public UpdateRule create(int parameters) {
      return create(parameters, RuleSettings.NONE);
    }

    /**
     * A new rule for flat vectors of {@code parameters} entries.
     *
     * @throws UsageException as {@link #check} does
     */
    public UpdateRule create(int parameters, RuleSettings given) {
      check(given);
      return factory.apply(parameters, given);
    }

    /**
     * Checks that the rule has all that is set.
     *
     * @throws UsageException naming every setting that it has no use for
     */
    public void check(RuleSettings given) {
      List<String> problems =
          given.given().stream()
              .filter(option -> !options.contains(option))
              .map(this::notMine)
              .toList();
      if (!problems.isEmpty()) {
        throw new UsageException(problems);
      }
    }

    private String notMine(String option) {
      List<String> owners =
          ALL.all().stream()
              .filter(entry -> entry.options().contains(option))
              .map(Entry::name)
              .toList();
      return "update rule %s: has no use for --%s, which belongs to %s; leave it out or change the rule"
          .formatted(name, option, String.join(", ", owners));
    }

    /** Whether it changes the parameters it finds, so that others may change them in between. */
    public boolean incremental() {
      return !name.equals("dual-averaging");
    }

    /** Whether weight decay shrinks the parameters themselves, and is no part of the gradient. */
    public boolean decouplesDecay() {
      return name.equals("adamw");
    }
  }

  /** All rules, by name. */
  public static Registry<Entry> all() {
    return ALL;
  }

  /**
   * The rule called {@code name}.
   *
   * @throws UsageException if there is none
   */
  public static Entry named(String name) {
    return ALL.named(name);
  }

  private static UpdateRule momentum(int parameters, RuleSettings given) {
    double momentum = or(given.momentum(), Momentum.DEFAULT_MOMENTUM);
    RuleForm form = given.formOr(RuleForm.TENSORFLOW);
    return Boolean.TRUE.equals(given.nesterov())
        ? new Nesterov(parameters, momentum, form)
        : new Momentum(parameters, momentum, form);
  }

  private static UpdateRule rmsProp(int parameters, RuleSettings given) {
    return new RmsProp(
        parameters,
        or(given.rho(), RmsProp.DEFAULT_DECAY),
        or(given.epsilon(), RmsProp.DEFAULT_EPSILON),
        given.formOr(RuleForm.TENSORFLOW));
  }

  private static UpdateRule adam(int parameters, RuleSettings given, RuleForm usual) {
    List<Double> betas = given.betas();
    return new Adam(
        parameters,
        betas == null ? Adam.DEFAULT_BETA1 : betas.get(0),
        betas == null ? Adam.DEFAULT_BETA2 : betas.get(1),
        or(given.epsilon(), Adam.DEFAULT_EPSILON),
        given.formOr(usual));
  }
}
