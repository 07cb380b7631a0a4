package io.github.amb.plots.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunInfo;
import io.github.amb.plots.figure.Figures;
import io.github.amb.plots.figure.PanelSize;
import io.github.amb.plots.figure.Timeline;
import io.github.amb.plots.panel.Content;
import io.github.amb.plots.panel.Drawing;
import io.github.amb.plots.panel.Panels;
import io.github.amb.plots.panel.RunPanels;
import io.github.amb.plots.panel.View;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunLabels;
import io.github.amb.plots.summary.Summary;
import io.github.amb.plots.summary.SummaryColumns;
import io.github.amb.plots.summary.SummaryTarget;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Runs on one page: results, figures, what differs between the runs, the whole summary, how each
 * run ended, and their configurations. The page needs no other file and no network. Its only
 * scripts are those of this class: a browser runs none that has another checksum.
 */
public final class RunsPage {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** Maximum number of timelines that a picture can show. */
  private static final int MAX_TIMELINES = 6;

  /** The columns of what came out. */
  private static final List<String> RESULTS =
      List.of("run", "state", "final", "best", "loss", "time", "to-target", "apart", "speed-up");

  private final List<Run> runs;
  private final List<String> labels;
  private final List<String> names = new ArrayList<>(List.of(""));

  private RunsPage(List<Run> runs) {
    this.runs = runs;
    labels = RunLabels.of(runs);
    names.addAll(labels);
  }

  /**
   * Creates the page.
   *
   * @param runs one or more
   * @param target what to measure the time to
   */
  public static String of(List<Run> runs, SummaryTarget target) {
    RunsPage report = new RunsPage(runs);
    Summary summary = Summary.compare(runs, target, null);
    StringBuilder body = new StringBuilder();
    body.append("<h1>").append(Html.escaped(report.title())).append("</h1>\n");
    body.append(Html.section("results", "Results", report.results(summary)));
    body.append(Html.section("figures", "Figures", report.figures()));
    body.append(report.shards());
    body.append(Html.section("differences", "Differences", report.differences()));
    body.append(Html.section("summary", "All numbers", report.summary(summary)));
    body.append(Html.section("endings", "How the runs ended", report.endings()));
    body.append(Html.section("configuration", "Configuration", report.configuration()));
    return PageFrame.of(report.title(), body.toString());
  }

  private String title() {
    return runs.size() == 1 ? labels.get(0) : runs.size() + " runs";
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

  /** The number of examples of each class that each worker has, of runs that say it. */
  private String shards() {
    StringBuilder html = new StringBuilder();
    for (int i = 0; i < runs.size(); i++) {
      String counts = runs.get(i).info().environment().get(RunInfo.CLASSES_OF_WORKERS);
      try {
        int[][] read = counts == null ? new int[0][] : JSON.readValue(counts, int[][].class);
        if (read != null && read.length > 0 && !Arrays.asList(read).contains(null)) {
          html.append("<h3>").append(Html.escaped(labels.get(i))).append("</h3>\n");
          html.append(Html.heatMap("worker", read));
        }
      } catch (JsonProcessingException e) {
        // Somebody else has written it.
      }
    }
    return html.isEmpty() ? "" : Html.section("shards", "Classes of workers", html.toString());
  }

  private String results(Summary summary) {
    String virtual = SummaryColumns.virtualTimes(summary);
    return table("results-table", SummaryColumns.table(summary, RESULTS))
        + (virtual.isEmpty() ? "" : "<p>" + Html.escaped(virtual) + "</p>\n");
  }

  private String summary(Summary summary) {
    StringBuilder html = new StringBuilder();
    html.append(table("summary-table", SummaryColumns.table(summary, SummaryColumns.keys())));
    SummaryColumns.notes(summary)
        .forEach(note -> html.append("<p>").append(Html.escaped(note)).append("</p>\n"));
    return html.toString();
  }

  private static String table(String id, List<List<String>> rows) {
    return Html.table(id, rows.get(0), rows.subList(1, rows.size()));
  }

  private String figures() {
    StringBuilder html = new StringBuilder();
    html.append(progress());
    html.append(images("Distributions", () -> panels("panel_hist")));
    html.append(images("Traffic", () -> panels("codecs")));
    List<Run> some = runs.subList(0, Math.min(MAX_TIMELINES, runs.size()));
    html.append(images("Timeline", () -> Timeline.draw(some, List.of(), View.PLAIN)));
    return html.isEmpty() ? "<p>Nothing was recorded that could be drawn.</p>\n" : html.toString();
  }

  /** Curves that a script draws; images where no script runs. */
  private String progress() {
    Drawing drawing;
    try {
      drawing = panels(Panels.MAIN);
    } catch (UsageException e) {
      return "";
    }
    return "<h3>Progress</h3>\n"
        + "<p>Point at a curve for its values. Drag to zoom, click twice to see all. Click a"
        + " name to hide its curve.</p>\n"
        + caption(drawing)
        + "<div id=\"curves\"></div>\n"
        + "<script id=\"curve-data\" type=\"application/json\">"
        + CurveData.of(drawing)
        + "</script>\n<noscript>\n"
        + images(drawing, CurveData::isCurve)
        + "</noscript>\n";
  }

  private Drawing panels(String type) {
    return RunPanels.overview(runs, Panels.ofType(type, runs), View.PLAIN);
  }

  private static String images(String name, Supplier<Drawing> drawing) {
    try {
      Drawing drawn = drawing.get();
      return "<h3>%s</h3>\n".formatted(name) + images(drawn, content -> true) + caption(drawn);
    } catch (UsageException e) {
      return "";
    }
  }

  private static String caption(Drawing drawing) {
    return drawing.caption().isEmpty() ? "" : "<p>" + Html.escaped(drawing.caption()) + "</p>\n";
  }

  /** An image per panel, so that narrow pages have one below the other. */
  private static String images(Drawing drawing, Predicate<Content> which) {
    StringBuilder html = new StringBuilder("<div class=\"panels\">\n");
    for (Content content : drawing.contents()) {
      if (which.test(content)) {
        Drawing one = new Drawing(List.of(content), drawing.labels(), "", List.of());
        String svg = Figures.svg(one, View.PLAIN, PanelSize.DEFAULT);
        html.append(
            "<img alt=\"%s\" src=\"data:image/svg+xml;base64,%s\"/>\n"
                .formatted(
                    Html.escaped(content.frame().name()),
                    Base64.getEncoder().encodeToString(svg.getBytes(StandardCharsets.UTF_8))));
      }
    }
    return html.append("</div>\n").toString();
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
