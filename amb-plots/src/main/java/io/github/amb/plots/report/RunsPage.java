package io.github.amb.plots.report;

import io.github.amb.core.command.UsageException;
import io.github.amb.core.record.RunInfo;
import io.github.amb.plots.figure.Figures;
import io.github.amb.plots.figure.PanelSize;
import io.github.amb.plots.panel.Drawing;
import io.github.amb.plots.panel.Panels;
import io.github.amb.plots.panel.RunPanels;
import io.github.amb.plots.panel.View;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunLabels;
import io.github.amb.plots.summary.Summary;
import io.github.amb.plots.summary.SummaryColumns;
import io.github.amb.plots.timeline.Timeline;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/**
 * Runs on one page: the summary, figures, what differs between the runs, how each ended, and their
 * configurations. The page needs no other file and no network, and runs no script.
 */
public final class RunsPage {
  /** Maximum number of timelines that a picture can show. */
  private static final int MOST_TIMELINES = 6;

  private final List<Run> runs;
  private final List<String> labels;
  private final List<String> names;

  private RunsPage(List<Run> runs) {
    this.runs = runs;
    labels = RunLabels.of(runs);
    names = new ArrayList<>(List.of(""));
    names.addAll(labels);
  }

  /**
   * Creates the page.
   *
   * @param runs one or more
   * @param target test accuracy to measure the time to; empty to choose one
   */
  public static String of(List<Run> runs, OptionalDouble target) {
    RunsPage report = new RunsPage(runs);
    StringBuilder page = new StringBuilder();
    page.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n");
    page.append("<title>AMB: ").append(Html.escaped(report.title())).append("</title>\n");
    page.append("<style>\n").append(style()).append("</style></head><body>\n");
    page.append("<h1>").append(Html.escaped(report.title())).append("</h1>\n");
    page.append(Html.section("summary", "Summary", report.summary(target)));
    page.append(Html.section("figures", "Figures", report.figures()));
    page.append(Html.section("differences", "Differences", report.differences()));
    page.append(Html.section("endings", "How the runs ended", report.endings()));
    page.append(Html.section("configuration", "Configuration", report.configuration()));
    return page.append("</body></html>\n").toString();
  }

  private String title() {
    return runs.size() == 1 ? labels.get(0) : runs.size() + " runs";
  }

  private static String style() {
    try (InputStream css = RunsPage.class.getResourceAsStream("report.css")) {
      return new String(css.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException("report.css cannot be read from the class path", e);
    }
  }

  private String endings() {
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      RunInfo info = runs.get(i).info();
      RunInfo.Ending ending = info.ending();
      rows.add(
          List.of(
              labels.get(i),
              runs.get(i).directory().path().toString(),
              info.started() == null ? "" : info.started(),
              ending == null ? "training, or killed" : ending.cause(),
              ending == null ? "" : Integer.toString(ending.exitCode()),
              String.join(" ", info.command() == null ? List.of() : info.command())));
    }
    return Html.table(
        "endings-table",
        List.of("run", "directory", "started", "ending", "exit code", "command"),
        rows);
  }

  private String summary(OptionalDouble target) {
    Summary summary = Summary.compare(runs, target);
    StringBuilder html = new StringBuilder();
    html.append(
        Html.table(
            "summary-table", SummaryColumns.headings(summary), SummaryColumns.cells(summary)));
    SummaryColumns.notes(summary)
        .forEach(note -> html.append("<p>").append(Html.escaped(note)).append("</p>\n"));
    return html.toString();
  }

  private String figures() {
    StringBuilder html = new StringBuilder();
    html.append(figure("Progress", () -> panels(Panels.MAIN)));
    html.append(figure("Distributions", () -> panels("panel_hist")));
    html.append(figure("Traffic", () -> panels("codecs")));
    List<Run> some = runs.subList(0, Math.min(MOST_TIMELINES, runs.size()));
    html.append(figure("Timeline", () -> Timeline.draw(some, View.PLAIN)));
    return html.isEmpty() ? "<p>Nothing was recorded that could be drawn.</p>\n" : html.toString();
  }

  private Drawing panels(String type) {
    return RunPanels.overview(runs, Panels.ofType(type), View.PLAIN);
  }

  /** A figure as a separate image, as names inside one drawing may occur in another. */
  private static String figure(String name, Supplier<Drawing> drawing) {
    String svg;
    try {
      svg = Figures.svg(drawing.get(), View.PLAIN, PanelSize.DEFAULT);
    } catch (UsageException e) {
      return "";
    }
    String data = Base64.getEncoder().encodeToString(svg.getBytes(StandardCharsets.UTF_8));
    return "<h3>%s</h3>\n<img alt=\"%s\" src=\"data:image/svg+xml;base64,%s\"/>\n"
        .formatted(name, name, data);
  }

  private String differences() {
    List<List<String>> rows = SettingsTable.rows(runs, true);
    if (runs.size() == 1) {
      return "<p>There is one run.</p>\n";
    }
    return rows.isEmpty()
        ? "<p>The runs have the same configuration.</p>\n"
        : Html.table("differences-table", names, rows);
  }

  private String configuration() {
    return "<details><summary>Every setting</summary>\n"
        + Html.table("configuration-table", names, SettingsTable.rows(runs, false))
        + "</details>\n<details><summary>Environment</summary>\n"
        + Html.table("environment-table", names, SettingsTable.environment(runs))
        + "</details>\n";
  }
}
