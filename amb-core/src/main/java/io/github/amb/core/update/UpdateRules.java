package io.github.amb.core.update;

import static io.github.amb.core.update.RuleSettings.or;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.EntryArguments;
import io.github.amb.core.plugin.Plugin;
import io.github.amb.core.plugin.Registry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** The update rules by name. To add one of ours, add a class and an entry here. */
public final class UpdateRules implements Plugin<UpdateRules.Entry> {
  /** All rules, by name. */
  public static final Registry<Entry> ALL = new Registry<>("update rule", Entry.class);

  private static final EntryArguments NO_ARGUMENTS = new EntryArguments("update rule", "");

  @Override
  public Class<Entry> kind() {
    return Entry.class;
  }

  @Override
  public List<Entry> entries() {
    return List.of(
        new Entry(
            Description.of("sgd", "stochastic gradient descent")
                .use("Schemes with local steps, and theory.")
                .formula("w <- w - eta g")
                .source("Robbins and Monro, A Stochastic Approximation Method, 1951"),
            0.1,
            (n, given) -> new Sgd()),
        new Entry(
            Description.of("mom", "gradient descent with momentum, 0.9 unless set")
                .use("Image networks trained to their best accuracy.")
                .formula("a <- mu a + g; w <- w - eta a")
                .source("Polyak, 1964; Nesterov, 1983, with --nesterov")
                .aliases("momentum"),
            0.01,
            UpdateRules::momentum,
            RuleSettings.MOMENTUM,
            RuleSettings.NESTEROV,
            RuleSettings.FORM),
        new Entry(
            Description.of("rms", "RMSProp, with TensorFlow's constants unless set")
                .use("A first try with little tuning; the rule of AMB's experiments.")
                .formula("s <- rho s + (1 - rho) g^2; w <- w - eta g / sqrt(s + epsilon)")
                .source("Tieleman and Hinton, RMSProp, 2012")
                .aliases("rmsprop"),
            0.001,
            UpdateRules::rmsProp,
            RuleSettings.RHO,
            RuleSettings.EPSILON,
            RuleSettings.FORM),
        new Entry(
            Description.of("adm", "Adam, with TensorFlow's constants unless set")
                .use("A first try with little tuning.")
                .formula(
                    "m, v <- running means of g, g^2;"
                        + " w <- w - eta sqrt(1 - b2^t) / (1 - b1^t) m / (sqrt(v) + epsilon)")
                .source("Kingma and Ba, Adam, ICLR 2015")
                .aliases("adam"),
            0.001,
            (n, given) -> adam(n, given, RuleForm.TENSORFLOW, false),
            RuleSettings.BETAS,
            RuleSettings.EPSILON,
            RuleSettings.FORM),
        new Entry(
            Description.of("adamw", "Adam in PyTorch's form, with decoupled weight decay")
                .use("As adm, where weight decay matters.")
                .formula("adm's step with epsilon sqrt(1 - b2^t), and w <- w - eta decay w")
                .source("Loshchilov and Hutter, Decoupled Weight Decay Regularization, ICLR 2019"),
            0.001,
            (n, given) -> adam(n, given, RuleForm.PYTORCH, true),
            RuleSettings.BETAS,
            RuleSettings.EPSILON,
            RuleSettings.FORM),
        new Entry(
            Description.of(
                    "dual-averaging",
                    "from the initial parameters, minus the rate times the sum of all gradients")
                .use("Convex problems, with --lrate-schedule inverse-sqrt, as AMB is analyzed.")
                .formula("w <- w_0 - eta(t) (g_1 + ... + g_t)")
                .source(
                    "Nesterov, Primal-Dual Subgradient Methods, 2009; Ferdinand et al., ICLR 2019"),
            0.01,
            (n, given) -> new DualAveraging(n)));
  }

  /** Makes a rule. */
  @FunctionalInterface
  public interface Factory {
    /**
     * A new rule.
     *
     * @param parameters length of the flat vector
     * @param settings what a user has set of our rules
     * @param arguments what a user wrote behind the name
     */
    UpdateRule create(int parameters, RuleSettings settings, EntryArguments arguments);
  }

  /**
   * An update rule that a user can name.
   *
   * @param description name and texts
   * @param arguments what may follow the name
   * @param defaultLearningRate learning rate when the user gives none
   * @param factory makes the rule for a number of parameters
   * @param options names of the settings that it has
   */
  public record Entry(
      Description description,
      String arguments,
      double defaultLearningRate,
      Factory factory,
      List<String> options)
      implements Registry.Entry {
    Entry(
        Description description,
        double defaultLearningRate,
        BiFunction<Integer, RuleSettings, UpdateRule> factory,
        String... options) {
      this(
          description,
          "",
          defaultLearningRate,
          (parameters, settings, arguments) -> factory.apply(parameters, settings),
          List.of(options));
    }

    /** A rule of a plugin, which has arguments behind its name and no other settings. */
    public Entry(
        Description description, String arguments, double defaultLearningRate, Factory factory) {
      this(description, arguments, defaultLearningRate, factory, List.of());
    }

    @Override
    public List<String> usage() {
      List<String> lines = new ArrayList<>();
      lines.add("--learning-rate  default " + defaultLearningRate);
      options.forEach(option -> lines.add("--" + option));
      return lines;
    }

    /** Creates the rule, with default settings, for flat vectors of {@code parameters} entries. */
    public UpdateRule create(int parameters) {
      return create(parameters, RuleSettings.NONE);
    }

    /**
     * Creates the rule for flat vectors of {@code parameters} entries.
     *
     * @throws UsageException naming every setting that it has no use for, or an argument that is
     *     wrong
     */
    public UpdateRule create(int parameters, RuleSettings given) {
      check(given);
      return factory.create(parameters, given, NO_ARGUMENTS);
    }

    private Entry with(Registry.Choice<Entry> choice) {
      Factory chosen =
          (parameters, settings, none) ->
              choice.make(arguments -> factory.create(parameters, settings, arguments));
      return new Entry(description, arguments, defaultLearningRate, chosen, options);
    }

    private void check(RuleSettings given) {
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
      String owners = ALL.names(entry -> entry.options().contains(option));
      return "update rule %s: has no use for --%s, which belongs to %s; leave it out or change the rule"
          .formatted(name(), option, owners);
    }
  }

  /**
   * The rule of a text.
   *
   * @param text {@code NAME[:ARGUMENTS]}
   * @throws UsageException if there is none
   */
  public static Entry named(String text) {
    Registry.Choice<Entry> choice = ALL.choose(text);
    return choice.entry().with(choice);
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

  private static UpdateRule adam(
      int parameters, RuleSettings given, RuleForm usual, boolean decouplesDecay) {
    List<Double> betas = given.betas();
    return new Adam(
        parameters,
        betas == null ? Adam.DEFAULT_BETA1 : betas.get(0),
        betas == null ? Adam.DEFAULT_BETA2 : betas.get(1),
        or(given.epsilon(), Adam.DEFAULT_EPSILON),
        given.formOr(usual),
        decouplesDecay);
  }
}
