package io.github.amb.it.document;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page, taken apart as far as the checks of documents need it.
 *
 * @param name for messages
 * @param lines from the first on
 * @param paragraphs of prose, and cells of tables, without code, marks and link targets
 * @param blocks of fenced code
 */
record MarkdownPage(
    String name, List<String> lines, List<Paragraph> paragraphs, List<Block> blocks) {
  private static final Pattern ITEM = Pattern.compile("^\\s*([-*]|\\d+\\.)\\s+(.*)$");
  private static final Pattern LINK = Pattern.compile("!?\\[([^\\]]*)\\]\\(([^)\\s]+)\\)");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  /** Text that belongs together. */
  record Paragraph(int line, String text) {}

  /** Fenced code; the line is that of the fence. */
  record Block(int line, String language, List<String> lines) {}

  /** Something on a line. */
  record Found(int line, String text) {}

  static MarkdownPage read(Path file) {
    try {
      return of(file.normalize().toString(), Files.readAllLines(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static MarkdownPage of(String name, List<String> lines) {
    Reader reader = new Reader();
    for (int i = 0; i < lines.size(); i++) {
      reader.line(i + 1, lines.get(i));
    }
    reader.endParagraph();
    return new MarkdownPage(name, lines, reader.paragraphs, reader.blocks);
  }

  /** Lines outside fenced code and tables. */
  List<Found> proseLines() {
    List<Found> result = new ArrayList<>();
    forEachLineOutsideCode(
        (number, line) -> {
          if (!line.strip().startsWith("|")) {
            result.add(new Found(number, line));
          }
        });
    return result;
  }

  /** Targets of links and images. */
  List<Found> links() {
    return inLines(LINK, 2, true);
  }

  /** What stands between backquotes. */
  List<Found> codes() {
    return inLines(CODE, 1, false);
  }

  private List<Found> inLines(Pattern pattern, int group, boolean withoutCode) {
    List<Found> result = new ArrayList<>();
    forEachLineOutsideCode(
        (number, line) -> {
          String text = withoutCode ? CODE.matcher(line).replaceAll("code") : line;
          Matcher matcher = pattern.matcher(text);
          while (matcher.find()) {
            result.add(new Found(number, matcher.group(group)));
          }
        });
    return result;
  }

  /** What may follow a number sign in a link to this page, as GitHub makes it of the headings. */
  Set<String> anchors() {
    Map<String, Integer> seen = new HashMap<>();
    Set<String> result = new HashSet<>();
    forEachLineOutsideCode(
        (number, line) -> {
          if (line.startsWith("#")) {
            String slug = slug(line.replaceFirst("^#+\\s*", ""));
            int before = seen.merge(slug, 1, Integer::sum) - 1;
            result.add(before == 0 ? slug : slug + "-" + before);
          }
        });
    return result;
  }

  private static String slug(String heading) {
    return LINK.matcher(heading)
        .replaceAll("$1")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N}\\s_-]", "")
        .strip()
        .replaceAll("\\s", "-");
  }

  private interface LineVisitor {
    void visit(int number, String line);
  }

  private void forEachLineOutsideCode(LineVisitor visitor) {
    Set<Integer> inside = new HashSet<>();
    for (Block block : blocks) {
      for (int i = 0; i <= block.lines().size() + 1; i++) {
        inside.add(block.line() + i);
      }
    }
    for (int i = 0; i < lines.size(); i++) {
      if (!inside.contains(i + 1)) {
        visitor.visit(i + 1, lines.get(i));
      }
    }
  }

  private static final class Reader {
    private final List<Paragraph> paragraphs = new ArrayList<>();
    private final List<Block> blocks = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private int start;
    private Block open;

    private void line(int number, String line) {
      String stripped = line.strip();
      if (open != null) {
        if (stripped.equals("```")) {
          blocks.add(open);
          open = null;
        } else {
          open.lines().add(line);
        }
      } else if (stripped.startsWith("```")) {
        endParagraph();
        open = new Block(number, stripped.substring(3).strip(), new ArrayList<>());
      } else if (stripped.startsWith("|")) {
        endParagraph();
        cells(number, stripped);
      } else if (stripped.startsWith("#")) {
        endParagraph();
        add(number, stripped.replaceFirst("^#+\\s*", ""));
        endParagraph();
      } else if (stripped.isEmpty()) {
        endParagraph();
      } else {
        Matcher item = ITEM.matcher(line);
        if (item.matches()) {
          endParagraph();
          add(number, item.group(2));
        } else {
          add(number, stripped);
        }
      }
    }

    private void cells(int number, String row) {
      String[] cells = CODE.matcher(row).replaceAll("`code`").split("(?<!\\\\)\\|");
      for (String cell : cells) {
        if (!cell.matches("[\\s:-]*")) {
          add(number, cell.strip());
          endParagraph();
        }
      }
    }

    private void add(int number, String words) {
      if (text.length() == 0) {
        start = number;
      } else {
        text.append(' ');
      }
      text.append(words);
    }

    private void endParagraph() {
      if (text.length() > 0) {
        String plain = CODE.matcher(text).replaceAll("code");
        plain = LINK.matcher(plain).replaceAll("$1");
        paragraphs.add(new Paragraph(start, plain.replaceAll("[*_]{1,2}(?=\\S)|(?<=\\S)[*]+", "")));
        text.setLength(0);
      }
    }
  }
}
