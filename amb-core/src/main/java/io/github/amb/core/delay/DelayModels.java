package io.github.amb.core.delay;

import io.github.amb.core.delay.GaussianMixture.Component;
import io.github.amb.core.option.Decimal;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.plugin.Description;
import io.github.amb.core.plugin.EntryArguments;
import io.github.amb.core.plugin.Plugin;
import io.github.amb.core.plugin.Registry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The delay models by name, and mixtures written out as {@code mean,std,weight;mean,std,weight;…}
 * with times in seconds. To add one of ours, add an entry here.
 */
public final class DelayModels implements Plugin<DelayModels.Entry> {
  private static final String SHAPE = "mean,std,weight;mean,std,weight;...";

  /** All named models. */
  public static final Registry<Entry> ALL = new Registry<>("delay model", Entry.class);

  @Override
  public List<Entry> entries() {
    return List.of(
        new Entry(
            Description.of("none", "no induced delay").use("Workers as fast as their machines."),
            DelayModel.NONE),
        mixture(
            "niagara",
            "up to 6.5 s",
            "Stragglers of a cluster with long steps; scale it with --induce-scale.",
            "0,0,.4; 0,.4,.3; 2,.3,.2; 5,.3,.1"),
        mixture(
            "cedar",
            "up to 0.4 s",
            "Stragglers of a cluster with steps well below a second.",
            "0,0,.4; .05,.04,.3; .15,.03,.2; .25,.03,.1"));
  }

  private static Entry mixture(String name, String summary, String use, String components) {
    Description description =
        Description.of(name, summary)
            .use(use)
            .formula("min(cap, |X|), X normal, of mean,std,weight: " + components)
            .source("the AMB authors' program with a master, thadikari/anytime, JSAIT 2021");
    return new Entry(description, mixture(components));
  }

  /**
   * A delay model that a user can name.
   *
   * @param description name and texts
   * @param arguments what may follow the name
   * @param factory makes the distribution
   */
  public record Entry(
      Description description, String arguments, Function<EntryArguments, DelayModel> factory)
      implements Registry.Entry {
    Entry(Description description, DelayModel model) {
      this(description, "", arguments -> model);
    }
  }

  /**
   * The model of a text, or the mixture that it writes out.
   *
   * @param text {@code NAME[:ARGUMENTS]}, or a mixture
   * @throws UsageException if there is no such name, or naming everything that is wrong with the
   *     arguments or the mixture
   */
  public static DelayModel named(String text) {
    boolean isMixture = text.matches("[^:]*[,;].*");
    if (isMixture) {
      return mixture(text);
    }
    Registry.Choice<Entry> choice = ALL.choose(text, "; or write a mixture as " + SHAPE);
    return choice.make(choice.entry().factory());
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
    problems.replaceAll(problem -> "delay model '" + text + "': " + problem);
    UsageException.expectNone(problems);
    return new GaussianMixture(components);
  }

  private static void addComponent(
      String text, String where, List<Component> components, List<String> problems) {
    String[] numbers = text.split(",", -1);
    try {
      if (numbers.length == 3) {
        Component component =
            new Component(
                Decimal.real(numbers[0].strip()),
                Decimal.real(numbers[1].strip()),
                Decimal.real(numbers[2].strip()));
        components.add(component);
        component.addProblems(where, problems);
        return;
      }
    } catch (NumberFormatException e) {
      // Reported below, as a wrong number of values is.
    }
    problems.add(where + ": expected mean,std,weight, found '" + text.strip() + "'");
  }
}
