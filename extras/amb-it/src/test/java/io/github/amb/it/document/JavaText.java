package io.github.amb.it.document;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The texts in a Java source.
 *
 * @param messages string literals and text blocks; literals that {@code +} joins are one text
 * @param comments comments, one per text, without the asterisks of their lines
 */
record JavaText(List<Passage> messages, List<Passage> comments) {
  private static final Pattern TOKEN =
      Pattern.compile(
          "\"\"\"(?s:(?:[^\\\\\"]|\\\\.|\"(?!\"\"))*+)\"\"\"|\"(?:[^\"\\\\\n]|\\\\.)*\""
              + "|'(?:[^'\\\\\n]|\\\\.)+'|//[^\n]*|(?s:/\\*.*?\\*/)");
  private static final Pattern JOINED = Pattern.compile("\\s*\\+\\s*");
  private static final String BLOCK = "\"\"\"";

  /**
   * One text.
   *
   * @param line number of its first line, from 1
   * @param text its characters; an escaped line end is a line end
   */
  record Passage(int line, String text) {}

  /** Reads the texts of a source. */
  static JavaText of(String source) {
    List<Passage> messages = new ArrayList<>();
    List<Passage> comments = new ArrayList<>();
    int end = 0;
    Matcher token = TOKEN.matcher(source);
    while (token.find()) {
      String text = token.group();
      int line =
          1 + (int) source.substring(0, token.start()).chars().filter(c -> c == '\n').count();
      if (text.startsWith("/")) {
        comments.add(new Passage(line, withoutStars(text)));
      } else if (text.startsWith("\"")) {
        boolean joined = JOINED.matcher(source.substring(end, token.start())).matches();
        if (joined && !messages.isEmpty()) {
          Passage last = messages.remove(messages.size() - 1);
          messages.add(new Passage(last.line(), last.text() + content(text)));
        } else {
          messages.add(new Passage(line, content(text)));
        }
        end = token.end();
      }
    }
    return new JavaText(messages, comments);
  }

  private static String content(String literal) {
    int quotes = literal.startsWith(BLOCK) ? BLOCK.length() : 1;
    return literal.substring(quotes, literal.length() - quotes).replace("\\n", "\n");
  }

  private static String withoutStars(String comment) {
    return comment
        .lines()
        .map(line -> line.strip().replaceFirst("^(/\\*+|\\*+/|\\*|//)\\s?", ""))
        .collect(Collectors.joining(" "));
  }
}
