package io.github.amb.core.update;

import io.github.amb.core.option.OptionValues;
import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
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

  static final Setting<Double> MOMENTUM =
      Setting.share("momentum", null)
          .help("mom: share of the accumulated gradient kept per step; default 0.9");
  static final Setting<Integer> NESTEROV =
      Setting.integer("nesterov", null, 0, 1).help("mom: 1 for Nesterov's momentum").implying(1);
  static final Setting<List<Double>> BETAS =
      Setting.share("betas", null)
          .list(null)
          .in("two numbers from 0 up to less than 1, as 0.9,0.999", values -> values.size() == 2)
          .help("adm, adamw: decay of the two moments; default 0.9,0.999");
  static final Setting<Double> RHO =
      Setting.share("rho", null).help("rms: decay of the square; default 0.9");
  static final Setting<Double> EPSILON =
      Setting.positive("epsilon", null)
          .help("rms, adm, adamw: added to divisors; default 1e-10 with rms, else 1e-8");
  static final Setting<Integer> VARIANCE_STEPS =
      Setting.integer("variance-steps", null, 1)
          .help(
              "adm, adamw: steps after which the second moment stays as it is; with a codec whose"
                  + " warm-up ends then, 1-bit Adam");
  static final Setting<String> FORM =
      Setting.oneOf("rule-form", null, RuleForm.names())
          .help(
              "mom, rms, adm, adamw: the library whose formula is used (place of rate and epsilon,"
                  + " first mean square); default pytorch with adamw, else tensorflow");

  private static final EntryArguments NO_ARGUMENTS = new EntryArguments("update rule", "");

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
            MOMENTUM,
            NESTEROV,
            FORM),
        new Entry(
            Description.of("rms", "RMSProp, with TensorFlow's constants unless set")
                .use("A first try with little tuning; the rule of AMB's experiments.")
                .formula("s <- rho s + (1 - rho) g^2; w <- w - eta g / sqrt(s + epsilon)")
                .source("Tieleman and Hinton, RMSProp, 2012")
                .aliases("rmsprop"),
            0.001,
            UpdateRules::rmsProp,
            RHO,
            EPSILON,
            FORM),
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
            BETAS,
            EPSILON,
            VARIANCE_STEPS,
            FORM),
        new Entry(
            Description.of("adamw", "Adam in PyTorch's form, with decoupled weight decay")
                .use("As adm, where weight decay matters.")
                .formula("adm's step with epsilon sqrt(1 - b2^t), and w <- w - eta decay w")
                .source("Loshchilov and Hutter, Decoupled Weight Decay Regularization, ICLR 2019"),
            0.001,
            (n, given) -> adam(n, given, RuleForm.PYTORCH, true),
            BETAS,
            EPSILON,
            VARIANCE_STEPS,
            FORM),
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
     * @param options the user's values of the rule's options
     * @param arguments what a user wrote behind the name
     */
    UpdateRule create(int parameters, OptionValues options, EntryArguments arguments);
  }

  /**
   * An update rule that a user can name.
   *
   * @param description name and texts
   * @param arguments what may follow the name
   * @param defaultLearningRate learning rate when the user gives none
   * @param factory makes the rule for a number of parameters
   * @param options the options it has
   */
  public record Entry(
      Description description,
      String arguments,
      double defaultLearningRate,
      Factory factory,
      List<Setting<?>> options)
      implements Registry.Entry {
    Entry(
        Description description,
        double defaultLearningRate,
        BiFunction<Integer, OptionValues, UpdateRule> factory,
        Setting<?>... options) {
      this(
          description,
          "",
          defaultLearningRate,
          (parameters, given, arguments) -> factory.apply(parameters, given),
          List.of(options));
    }

    /** A rule with arguments behind its name. */
    public Entry(
        Description description, String arguments, double defaultLearningRate, Factory factory) {
      this(description, arguments, defaultLearningRate, factory, List.of());
    }

    @Override
    public List<String> usage() {
      List<String> lines = new ArrayList<>();
      lines.add("--learning-rate  default " + defaultLearningRate);
      lines.addAll(Registry.Entry.super.usage());
      return lines;
    }

    /**
     * Creates the rule, with the options' defaults, for flat vectors of {@code parameters} entries.
     */
    public UpdateRule create(int parameters) {
      return create(parameters, OptionValues.NONE);
    }

    /**
     * Creates the rule for flat vectors of {@code parameters} entries.
     *
     * @throws UsageException naming every option that it has no use for, or an argument that is
     *     wrong
     */
    public UpdateRule create(int parameters, OptionValues given) {
      List<String> problems = ALL.unused(this, given.names());
      UsageException.expectNone(problems);
      return factory.create(parameters, given, NO_ARGUMENTS);
    }

    /** Whether it remembers a mean of gradients. */
    public boolean hasMomentum() {
      return options.contains(MOMENTUM) || options.contains(BETAS);
    }

    private Entry with(Registry.Choice<Entry> choice) {
      Factory chosen =
          (parameters, given, none) ->
              choice.make(arguments -> factory.create(parameters, given, arguments));
      return new Entry(description, arguments, defaultLearningRate, chosen, options);
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

  private static RuleForm form(OptionValues given, RuleForm usual) {
    return given.has(FORM) ? RuleForm.named(given.get(FORM)) : usual;
  }

  private static UpdateRule momentum(int parameters, OptionValues given) {
    double momentum = given.get(MOMENTUM, Momentum.DEFAULT_MOMENTUM);
    RuleForm form = form(given, RuleForm.TENSORFLOW);
    return new Momentum(parameters, momentum, form, given.get(NESTEROV, 0) == 1);
  }

  private static UpdateRule rmsProp(int parameters, OptionValues given) {
    return new RmsProp(
        parameters,
        given.get(RHO, RmsProp.DEFAULT_DECAY),
        given.get(EPSILON, RmsProp.DEFAULT_EPSILON),
        form(given, RuleForm.TENSORFLOW));
  }

  private static UpdateRule adam(
      int parameters, OptionValues given, RuleForm usual, boolean decouplesDecay) {
    List<Double> betas = given.get(BETAS, List.of(Adam.DEFAULT_BETA1, Adam.DEFAULT_BETA2));
    return new Adam(
        parameters,
        betas.get(0),
        betas.get(1),
        given.get(EPSILON, Adam.DEFAULT_EPSILON),
        form(given, usual),
        decouplesDecay,
        given.has(VARIANCE_STEPS) ? given.get(VARIANCE_STEPS) : Long.MAX_VALUE);
  }
}
