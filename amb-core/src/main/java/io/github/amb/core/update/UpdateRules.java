package io.github.amb.core.update;

import io.github.amb.core.command.Registry;
import io.github.amb.core.command.UsageException;
import java.util.List;
import java.util.function.IntFunction;

/** The update rules by name. To add one, add a class and a line here. */
public final class UpdateRules {
  private static final Registry<Entry> ALL =
      new Registry<>(
          "update rule",
          List.of(
              new Entry("sgd", 0.1, "stochastic gradient descent", n -> new Sgd()),
              new Entry("mom", 0.01, "gradient descent with momentum 0.9", Momentum::new),
              new Entry("rms", 0.001, "RMSProp with TensorFlow's constants", RmsProp::new),
              new Entry("adm", 0.001, "Adam with TensorFlow's constants", Adam::new),
              new Entry(
                  "dual-averaging",
                  0.01,
                  "from the initial parameters, minus the rate times the sum of all gradients",
                  DualAveraging::new,
                  false)));

  private UpdateRules() {}

  /**
   * An update rule that a user can name.
   *
   * @param name what the user types
   * @param defaultLearningRate learning rate when the user gives none
   * @param summary one line for help
   * @param factory makes the rule for a number of parameters
   * @param incremental whether it changes the parameters it finds, so that others may change them
   *     between its steps
   */
  public record Entry(
      String name,
      double defaultLearningRate,
      String summary,
      IntFunction<UpdateRule> factory,
      boolean incremental)
      implements Registry.Entry {
    Entry(
        String name, double defaultLearningRate, String summary, IntFunction<UpdateRule> factory) {
      this(name, defaultLearningRate, summary, factory, true);
    }

    /** A new rule for flat vectors of {@code parameters} entries. */
    public UpdateRule create(int parameters) {
      return factory.apply(parameters);
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
}
