package io.github.amb.core.delay;

import io.github.amb.core.command.Registry;
import io.github.amb.core.command.UsageException;
import io.github.amb.core.delay.GaussianMixture.Component;
import java.util.ArrayList;
import java.util.List;

/**
 * The delay models by name, and mixtures written out as {@code mean,std,weight;mean,std,weight;…}
 * with times in seconds. To add a named one, add a line here.
 */
public final class DelayModels {
  private static final String SHAPE = "mean,std,weight;mean,std,weight;...";

  private static final Registry<Entry> ALL =
      new Registry<>(
          "delay model",
          List.of(
              new Entry("none", "no induced delay", DelayModel.NONE),
              new Entry("niagara", "up to 6.5 s", mixture("0,0,.4; 0,.4,.3; 2,.3,.2; 5,.3,.1")),
              new Entry(
                  "cedar", "up to 0.4 s", mixture("0,0,.4; .05,.04,.3; .15,.03,.2; .25,.03,.1"))));

  private DelayModels() {}

  /**
   * A delay model that a user can name.
   *
   * @param name what the user types
   * @param summary one line for help
   * @param model the distribution
   */
  public record Entry(String name, String summary, DelayModel model) implements Registry.Entry {}

  /** All named models. */
  public static Registry<Entry> all() {
    return ALL;
  }

  /**
   * The model called {@code text}, or the mixture that it writes out.
   *
   * @throws UsageException if there is no such name, or naming everything that is wrong with the
   *     mixture
   */
  public static DelayModel named(String text) {
    for (Entry entry : ALL.all()) {
      if (entry.name().equals(text)) {
        return entry.model();
      }
    }
    if (text.contains(",") || text.contains(";")) {
      return mixture(text);
    }
    throw new UsageException(ALL.unknown(text) + "; or write a mixture as " + SHAPE);
  }

  private static GaussianMixture mixture(String text) {
    List<String> problems = new ArrayList<>();
    List<Component> components = new ArrayList<>();
    String[] parts = text.split(";", -1);
    for (int i = 0; i < parts.length; i++) {
      addComponent(parts[i], "component " + (i + 1), components, problems);
    }
    if (components.size() == parts.length) {
      GaussianMixture.addWeightProblem(components, problems);
    }
    if (!problems.isEmpty()) {
      problems.replaceAll(problem -> "delay model '" + text + "': " + problem);
      throw new UsageException(problems);
    }
    return new GaussianMixture(components);
  }

  private static void addComponent(
      String text, String where, List<Component> components, List<String> problems) {
    String[] numbers = text.split(",", -1);
    try {
      if (numbers.length == 3) {
        Component component =
            new Component(
                Double.parseDouble(numbers[0]),
                Double.parseDouble(numbers[1]),
                Double.parseDouble(numbers[2]));
        components.add(component);
        component.addProblems(where, problems);
        return;
      }
    } catch (NumberFormatException e) {
      // Reported below, as a wrong count of numbers is.
    }
    problems.add(where + ": expected mean,std,weight, found '" + text.strip() + "'");
  }
}
