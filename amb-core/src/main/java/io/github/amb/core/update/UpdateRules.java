package io.github.amb.core.update;

import io.github.amb.core.command.Suggestion;
import io.github.amb.core.command.UsageException;
import java.util.List;
import java.util.function.IntFunction;

/** The update rules by name. To add one, add a class and a line here. */
public final class UpdateRules {
  private static final List<Entry> ALL =
      List.of(
          new Entry("sgd", 0.1, "stochastic gradient descent", n -> new Sgd()),
          new Entry("mom", 0.01, "gradient descent with momentum 0.9", Momentum::new),
          new Entry("rms", 0.001, "RMSProp with TensorFlow's constants", RmsProp::new),
          new Entry("adm", 0.001, "Adam with TensorFlow's constants", Adam::new));

  private UpdateRules() {}

  /**
   * An update rule that a user can name.
   *
   * @param name what the user types
   * @param defaultLearningRate learning rate when the user gives none
   * @param summary one line for help
   * @param factory makes the rule for a number of parameters
   */
  public record Entry(
      String name, double defaultLearningRate, String summary, IntFunction<UpdateRule> factory) {
    /** A new rule for flat vectors of {@code parameters} entries. */
    public UpdateRule create(int parameters) {
      return factory.apply(parameters);
    }
  }

  /** All rules, in the order for help. */
  public static List<Entry> all() {
    return ALL;
  }

  /** All names, in the order for help. */
  public static List<String> names() {
    return ALL.stream().map(Entry::name).toList();
  }

  /**
   * The rule called {@code name}.
   *
   * @throws UsageException if there is none
   */
  public static Entry named(String name) {
    return ALL.stream()
        .filter(entry -> entry.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new UsageException(
                    "unknown update rule '" + name + "'" + Suggestion.forName(name, names())));
  }
}
