package io.github.amb.plots.panel;

import io.github.amb.core.command.Suggestion;
import io.github.amb.core.command.UsageException;
import java.util.ArrayList;
import java.util.List;

/** All panels, and the figures that are made of several. A new panel is one line here. */
public final class Panels {
  /** The figure that is drawn unless another is asked for. */
  public static final String MAIN = "panel_main";

  private static final List<Panel> ALL =
      List.of(
          new LossVsStep(),
          new LossVsTime(),
          new HistComputeTime(),
          new AccuracyVsStep(),
          new AccuracyVsTime(),
          new HistBatchSize(),
          new CumsumVsStep(),
          new StepVsTime(),
          new LearningRateVsStep());

  private Panels() {}

  /** The names of all panels. */
  public static List<String> names() {
    return ALL.stream().map(Panel::name).toList();
  }

  /** What {@code --type} accepts: {@link #MAIN} and the names of all panels. */
  public static List<String> types() {
    List<String> types = new ArrayList<>(names());
    types.add(0, MAIN);
    return types;
  }

  /**
   * The panels of a figure type.
   *
   * @throws UsageException if there is no such type
   */
  public static List<Panel> ofType(String type) {
    return type.equals(MAIN) ? ALL : List.of(find("--type", type, types()));
  }

  /**
   * The panel of a name.
   *
   * @throws UsageException if there is none
   */
  public static Panel named(String name) {
    return find("--subset", name, names());
  }

  private static Panel find(String option, String name, List<String> known) {
    return ALL.stream()
        .filter(panel -> panel.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new UsageException(
                    "%s: unknown panel '%s'%s"
                        .formatted(option, name, Suggestion.forName(name, known))));
  }
}
