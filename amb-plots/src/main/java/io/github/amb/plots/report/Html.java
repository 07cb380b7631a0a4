package io.github.amb.plots.report;

import io.github.amb.core.option.Decimal;
import io.github.amb.plots.PlainText;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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
    html.append(
        heading.stream()
            .map(text -> "<th>" + escaped(text) + "</th>")
            .collect(Collectors.joining("", "<tr>", "</tr>")));
    html.append("</thead>\n<tbody>\n");
    rows.forEach(row -> html.append(row(heading, row)).append('\n'));
    return html.append("</tbody></table></div>\n").toString();
  }

  /** A row whose cells know their heading, which a narrow page shows beside them. */
  private static String row(List<String> heading, List<String> texts) {
    return IntStream.range(0, texts.size())
        .mapToObj(
            i ->
                "<td data-label=\"%s\">%s</td>"
                    .formatted(escaped(heading.get(i)), escaped(texts.get(i))))
        .collect(Collectors.joining("", "<tr>", "</tr>"));
  }

  /**
   * A table of numbers from 0 on, with shades.
   *
   * @param row what a row is, from 1; columns have numbers from 0
   */
  static String heatMap(String row, int[][] numbers) {
    int most = Arrays.stream(numbers).flatMapToInt(Arrays::stream).max().orElse(0);
    StringBuilder html = new StringBuilder("<table class=\"heat\">\n<tr><th>" + row + "</th>");
    int columns = Arrays.stream(numbers).mapToInt(own -> own.length).max().orElse(0);
    for (int column = 0; column < columns; column++) {
      html.append("<th>").append(column).append("</th>");
    }
    for (int i = 0; i < numbers.length; i++) {
      html.append("</tr>\n<tr><th>").append(i + 1).append("</th>");
      for (int number : numbers[i]) {
        double shade = 0.8 * number / Math.max(1, most);
        html.append(
            Decimal.format(
                "<td style=\"background: rgba(31, 119, 180, %.2f)\">%d</td>", shade, number));
      }
    }
    return html.append("</tr>\n</table>\n").toString();
  }

  /** A section with a heading. */
  static String section(String id, String heading, String content) {
    return "<section id=\"%s\"><h2>%s</h2>\n%s</section>\n"
        .formatted(escaped(id), escaped(heading), content);
  }
}
