package io.github.amb.plots.panel;

import io.github.amb.core.delay.DelayModel;
import io.github.amb.core.delay.DelayModels;
import io.github.amb.core.delay.GaussianMixture;
import io.github.amb.core.delay.GaussianMixture.Component;
import io.github.amb.core.option.Decimal;
import io.github.amb.core.option.UsageException;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunGroup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.commons.statistics.distribution.FoldedNormalDistribution;

/**
 * A panel of the configured probability densities of stragglers' delays. For a mixture of folded
 * normal distributions, the density is Σ w f(x; μ, σ) over its components with σ above 0. Atoms
 * have no density and are listed in the caption.
 */
public final class DelayDensity extends Panel {
  private static final int POINTS = 400;

  private final Function<Run, List<Component>> components;

  /** Induced delays of computation. */
  public static DelayDensity ofComputation() {
    return new DelayDensity(
        "comp_straggler_dist", Quantity.real("induced delay (s)"), DelayDensity::induced);
  }

  /** Delays of messages in asynchronous schemes. */
  public static DelayDensity ofCommunication() {
    return new DelayDensity(
        "comm_straggler_dist", Quantity.real("delay of a message (s)"), DelayDensity::held);
  }

  private DelayDensity(String name, Quantity x, Function<Run, List<Component>> components) {
    super(Axes.linear(name, x, Quantity.real("density (1/s)"), Mark.LINE, true));
    this.components = components;
  }

  private static List<Component> induced(Run run) {
    try {
      DelayModel model = DelayModels.named(run.info().configured("induce", "none"));
      double scale = Decimal.real(run.info().configured("induce-scale", "1"));
      return model.scaled(scale) instanceof GaussianMixture mixture
          ? mixture.components()
          : List.of();
    } catch (UsageException | IllegalArgumentException e) {
      return List.of();
    }
  }

  private static List<Component> held(Run run) {
    double std = Decimal.any(run.info().configured("async-delay-std", "0"), 0);
    return std > 0 ? List.of(new Component(0, std, 1)) : List.of();
  }

  @Override
  public List<Series> series(List<RunGroup> groups, View view) {
    List<Series> series = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      List<Component> smooth =
          components.apply(groups.get(i).runs().get(0)).stream()
              .filter(component -> component.std() > 0)
              .toList();
      if (!smooth.isEmpty()) {
        series.add(new Series(i, density(smooth)));
      }
    }
    return series;
  }

  private static List<Point> density(List<Component> components) {
    double end = components.stream().mapToDouble(c -> c.mean() + 5 * c.std()).max().orElseThrow();
    List<Point> points = new ArrayList<>(POINTS + 1);
    for (int i = 0; i <= POINTS; i++) {
      double x = end * i / POINTS;
      double density =
          components.stream()
              .mapToDouble(
                  c -> c.weight() * FoldedNormalDistribution.of(c.mean(), c.std()).density(x))
              .sum();
      points.add(new Point(x, density));
    }
    return points;
  }

  @Override
  public String caption(List<RunGroup> groups) {
    Map<String, List<String>> byAtoms = new LinkedHashMap<>();
    for (RunGroup group : groups) {
      String atoms =
          components.apply(group.runs().get(0)).stream()
              .filter(component -> component.std() == 0)
              .map(c -> "%s at %s s".formatted(c.weight(), c.mean()))
              .collect(Collectors.joining(", "));
      byAtoms.computeIfAbsent(atoms, key -> new ArrayList<>()).add(group.label());
    }
    String text =
        byAtoms.entrySet().stream()
            .filter(entry -> !entry.getKey().isEmpty())
            .map(entry -> which(entry.getValue(), groups) + entry.getKey())
            .collect(Collectors.joining("; "));
    return text.isEmpty() ? "" : "Probability of a single delay, beside the density: " + text + ".";
  }

  private static String which(List<String> labels, List<RunGroup> groups) {
    return labels.size() == groups.size() ? "" : String.join(", ", labels) + ": ";
  }
}
