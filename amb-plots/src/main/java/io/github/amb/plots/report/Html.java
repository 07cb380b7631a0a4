package io.github.amb.plots.report;

import io.github.amb.plots.PlainText;
import java.util.List;
import java.util.stream.Collectors;

/** Text and tables as HTML. */
final class Html {
  private Html() {}

  /** Escapes text for elements and attributes, with the characters that pages may have. */
  static String escaped(String text) {
    return PlainText.of(text)
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  /** A table with a heading per column. */
  static String table(String id, List<String> heading, List<List<String>> rows) {
    StringBuilder html = new StringBuilder();
    html.append("<div class=\"wide\"><table id=\"").append(escaped(id)).append("\">\n<thead>");
    html.append(row("th", heading)).append("</thead>\n<tbody>\n");
    rows.forEach(row -> html.append(row("td", row)).append('\n'));
    return html.append("</tbody></table></div>\n").toString();
  }

  private static String row(String cell, List<String> texts) {
    return texts.stream()
        .map(text -> "<%s>%s</%s>".formatted(cell, escaped(text), cell))
        .collect(Collectors.joining("", "<tr>", "</tr>"));
  }

  /** A section with a heading. */
  static String section(String id, String heading, String content) {
    return "<section id=\"%s\"><h2>%s</h2>\n%s</section>\n"
        .formatted(escaped(id), escaped(heading), content);
  }
}
