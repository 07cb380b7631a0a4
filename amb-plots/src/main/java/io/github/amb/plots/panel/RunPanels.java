package io.github.amb.plots.panel;

import io.github.amb.core.option.UsageException;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunGroup;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Collects the data of figures of runs, and reports what is missing. */
public final class RunPanels {
  /** What a caption says before the values that are stated and not drawn. */
  private static final String CONSTANTS = "Always the same: ";

  /** A label, and its unit in parentheses. */
  private static final Pattern UNIT = Pattern.compile("(.*) \\((.*)\\)");

  private RunPanels() {}

  /**
   * Collects the data of a figure.
   *
   * @param runs one or more
   * @param panels one or more; those for which no run has data are skipped
   * @throws UsageException if no run has data for any panel
   */
  public static Drawing draw(List<Run> runs, List<Panel> panels, View view) {
    List<Run> empty = runs.stream().filter(Run::isEmpty).toList();
    List<RunGroup> groups = RunGroup.of(runs.stream().filter(run -> !run.isEmpty()).toList());
    List<String> notes = new ArrayList<>();
    empty.forEach(run -> notes.add(run.directory().path() + ": nothing recorded yet, left out"));
    groups.forEach(group -> noteEarlyEnds(group, notes));
    List<Content> contents = new ArrayList<>();
    List<String> captions = new ArrayList<>();
    List<String> apart = new ArrayList<>();
    for (Panel panel : panels) {
      Content content = panel.content(groups, view);
      if (!content.series().isEmpty()) {
        contents.add(content);
        captions.add(panel.caption(groups));
      }
      Map<Boolean, List<RunGroup>> missing =
          missing(content, groups).collect(Collectors.partitioningBy(g -> isApart(panel, g, view)));
      missing.get(true).forEach(group -> apart.add(apart(panel, group)));
      noteMissing(panel, missing.get(false), notes);
    }
    if (contents.isEmpty()) {
      throw apart.isEmpty()
          ? new UsageException(nothing(runs, empty.size() == runs.size(), panels, view))
          : new UsageException(apart);
    }
    notes.addAll(apart);
    List<String> labels = groups.stream().map(RunGroup::label).toList();
    VirtualTime time = VirtualTime.of(groups);
    captions.add(time.caption(contents));
    contents.replaceAll(time::named);
    captions.addAll(captions(contents, groups, view));
    captions.removeIf(String::isEmpty);
    return new Drawing(contents, labels, String.join(" ", captions), notes)
        .ofSchemes(groups.stream().map(SchemeStyles::scheme).toList());
  }

  /**
   * Collects the data of an overview. A panel that would show a single value is not drawn: the
   * caption states the value.
   *
   * @param runs one or more
   * @param panels one or more; those for which no run has data are skipped
   * @throws UsageException if no run has data for any panel
   */
  public static Drawing overview(List<Run> runs, List<Panel> panels, View view) {
    List<RunGroup> groups = RunGroup.of(runs.stream().filter(run -> !run.isEmpty()).toList());
    List<String> constants = new ArrayList<>();
    List<Panel> drawn = new ArrayList<>();
    for (Panel panel : panels) {
      panel
          .constant(groups)
          .ifPresentOrElse(
              value -> constants.add(constant(panel.frame(), value)), () -> drawn.add(panel));
    }
    return constants.isEmpty() || drawn.isEmpty()
        ? draw(runs, panels, view)
        : draw(runs, drawn, view).captioned(CONSTANTS + String.join("; ", constants) + ".");
  }

  private static String constant(Axes axes, double value) {
    Quantity quantity = axes.mark() == Mark.OUTLINE ? axes.x() : axes.y();
    String number = new BigDecimal(value, new MathContext(4)).stripTrailingZeros().toPlainString();
    Matcher unit = UNIT.matcher(quantity.label());
    return unit.matches()
        ? "%s %s %s".formatted(unit.group(1), number, unit.group(2))
        : quantity.label() + " " + number;
  }

  private static String nothing(List<Run> runs, boolean allEmpty, List<Panel> panels, View view) {
    String first = runs.get(0).directory().path().toString();
    String where = runs.size() == 1 ? first : first + " and " + (runs.size() - 1) + " more";
    String what =
        allEmpty
            ? "steps or evaluations in master.jsonl"
            : "records for " + String.join(", ", panels.stream().map(Panel::name).toList());
    String end = view.xMax().isPresent() ? " up to --xmax " + view.xMax().getAsDouble() : "";
    return "%s: nothing to plot: expected %s%s, found none".formatted(where, what, end);
  }

  private static Stream<RunGroup> missing(Content content, List<RunGroup> groups) {
    Set<Integer> drawn = content.series().stream().map(Series::group).collect(Collectors.toSet());
    return IntStream.range(0, groups.size()).filter(i -> !drawn.contains(i)).mapToObj(groups::get);
  }

  /** Whether a group is not drawn, but would be with one of its runs alone. */
  private static boolean isApart(Panel panel, RunGroup missing, View view) {
    return missing.runs().stream()
        .map(run -> List.of(new RunGroup(missing.label(), List.of(run))))
        .anyMatch(alone -> !panel.series(alone, view).isEmpty());
  }

  private static String apart(Panel panel, RunGroup group) {
    return "%s: the seeds of '%s' have no common %s; choose another x axis, or plot one run at a time"
        .formatted(
            panel.name(),
            group.label(),
            UNIT.matcher(panel.frame().x().label()).replaceFirst("$1"));
  }

  /** A mean reaches as far as the shortest curve, and is of the runs that have one. */
  private static void noteEarlyEnds(RunGroup group, List<String> notes) {
    if (group.runs().size() > 1) {
      group.runs().stream()
          .filter(run -> run.info().ending() == null || run.info().ending().exitCode() != 0)
          .map(
              run ->
                  "%s: ended early, or not yet; the mean of '%s' ends with it, or lacks it"
                      .formatted(run.directory().path(), group.label()))
          .forEach(notes::add);
    }
  }

  private static void noteMissing(Panel panel, List<RunGroup> missing, List<String> notes) {
    if (!missing.isEmpty()) {
      String more = missing.size() == 1 ? "" : " and " + (missing.size() - 1) + " more";
      notes.add("%s: no data of '%s'%s".formatted(panel.name(), missing.get(0).label(), more));
    }
  }

  private static List<String> captions(List<Content> contents, List<RunGroup> groups, View view) {
    List<String> parts = new ArrayList<>();
    if (contents.stream().anyMatch(Content::hasBand)) {
      parts.add(
          groups.stream().anyMatch(group -> group.runs().size() > 2)
              ? "Mean over seeds with the 95 % confidence interval of the mean (Student's t);"
                  + " of two seeds, minimum to maximum."
              : "Mean over seeds; bands: minimum to maximum.");
    }
    if (view.filterSpan() > 1) {
      parts.add(
          "Loss and accuracy: exponentially weighted moving average, span %s points."
              .formatted(
                  BigDecimal.valueOf(view.filterSpan()).stripTrailingZeros().toPlainString()));
    }
    return parts;
  }
}
