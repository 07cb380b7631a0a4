package io.github.amb.plots;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Tables for LaTeX with the package {@code booktabs}. Columns of numbers are aligned right. */
public final class LatexTable {
  private static final Pattern NUMBER = Pattern.compile("[<−-]?\\d.*|[–-]?");
  private static final Pattern MARKED = Pattern.compile("`([^`]*)`|\\*\\*([^*]*)\\*\\*");
  private static final Pattern BETWEEN_CELLS = Pattern.compile("(?<!\\\\)\\|");
  private static final Map<String, String> ESCAPED = new LinkedHashMap<>();

  static {
    ESCAPED.put("\\", "\\textbackslash{}");
    List.of("$", "&", "%", "#", "_").forEach(sign -> ESCAPED.put(sign, "\\" + sign));
    ESCAPED.put("{", "\\{");
    ESCAPED.put("}", "\\}");
    ESCAPED.put("|", "\\textbar{}");
    ESCAPED.put("~", "\\textasciitilde{}");
    ESCAPED.put("^", "\\textasciicircum{}");
    ESCAPED.put("<", "$<$");
    ESCAPED.put(">", "$>$");
    ESCAPED.put("−", "$-$");
    ESCAPED.put("±", "$\\pm$");
    ESCAPED.put("×", "$\\times$");
    ESCAPED.put("≥", "$\\ge$");
    ESCAPED.put("≤", "$\\le$");
    ESCAPED.put("–", "--");
    ESCAPED.put("…", "\\ldots{}");
  }

  private LatexTable() {}

  /**
   * A table.
   *
   * @param lines the headings, then the cells of each row; all of the same length, at least 1
   */
  public static String of(List<List<String>> lines) {
    List<List<String>> rows = lines.subList(1, lines.size());
    String columns =
        IntStream.range(0, lines.get(0).size())
            .mapToObj(i -> rows.stream().allMatch(row -> isNumber(row.get(i))) ? "r" : "l")
            .collect(Collectors.joining());
    return "\\begin{tabular}{%s}\n\\toprule\n%s\\midrule\n%s\\bottomrule\n\\end{tabular}\n"
        .formatted(
            columns,
            line(lines.get(0)),
            rows.stream().map(LatexTable::line).collect(Collectors.joining()));
  }

  /** The tables of a page in Markdown, each with the heading before it as a comment. */
  public static String ofPage(String markdown) {
    StringBuilder text = new StringBuilder("% \\usepackage{booktabs}\n");
    List<List<String>> table = new ArrayList<>();
    for (String line : (markdown + "\n\n").lines().toList()) {
      if (line.startsWith("| ")) {
        table.add(cells(line));
      } else if (line.startsWith("#")) {
        text.append("\n% ").append(line.replaceFirst("^#+ *", "")).append('\n');
      }
      if (!line.startsWith("| ") && !table.isEmpty()) {
        table.remove(1); // The line below the headings.
        text.append(of(table));
        table.clear();
      }
    }
    return text.toString();
  }

  private static List<String> cells(String line) {
    String inner = line.substring(1, line.lastIndexOf('|'));
    return BETWEEN_CELLS
        .splitAsStream(inner)
        .map(cell -> cell.strip().replace("\\|", "|"))
        .toList();
  }

  private static boolean isNumber(String cell) {
    return NUMBER.matcher(cell).matches();
  }

  private static String line(List<String> cells) {
    return cells.stream().map(LatexTable::cell).collect(Collectors.joining(" & ", "", " \\\\\n"));
  }

  /** Code and bold letters as Markdown has them stay such. */
  private static String cell(String text) {
    Matcher marked = MARKED.matcher(text);
    StringBuilder cell = new StringBuilder();
    int end = 0;
    while (marked.find()) {
      cell.append(escaped(text.substring(end, marked.start())));
      boolean code = marked.group(1) != null;
      cell.append(code ? "\\texttt{" : "\\textbf{");
      cell.append(escaped(code ? marked.group(1) : marked.group(2))).append('}');
      end = marked.end();
    }
    return cell.append(escaped(text.substring(end))).toString();
  }

  private static String escaped(String text) {
    return text.codePoints()
        .mapToObj(Character::toString)
        .map(sign -> ESCAPED.getOrDefault(sign, sign))
        .collect(Collectors.joining());
  }
}
