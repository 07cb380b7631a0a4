package io.github.amb.it.document;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The checks of sentences. Each gives a line of text per problem. */
final class Prose {
  private static final int COLUMNS = 100;
  private static final int WORDS = 35;
  private static final Pattern SENTENCE_END = Pattern.compile("(?<=[.!?])[\"')\\]]*\\s+(?=\\S)");
  private static final Pattern ABBREVIATION = Pattern.compile("(?:e\\.g|i\\.e|et al|cf|vs|no)\\.");
  private static final Pattern WORD = Pattern.compile("\\S*[\\p{L}\\p{N}]\\S*");
  private static final Pattern LINK_ONLY =
      Pattern.compile("\\s*([-*]|\\d+\\.)?\\s*!?\\[[^\\]]*\\]\\([^)]*\\)[.,;:)]*");

  private final List<Pattern> banned;

  /**
   * @param phrases one per line; a word that ends in an asterisk stands for all that begin so
   */
  Prose(List<String> phrases) {
    banned =
        phrases.stream()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .map(Prose::pattern)
            .toList();
  }

  private static Pattern pattern(String phrase) {
    String words =
        Pattern.quote(phrase.strip()).replace("*", "\\E\\p{L}*\\Q").replace(" ", "\\E\\s+\\Q");
    return Pattern.compile(
        "(?<![\\p{L}\\p{N}])" + words + "(?![\\p{L}\\p{N}])",
        Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
  }

  /** Prints what a writer may want to change. Style fails no build. */
  static void warn(String what, List<String> found) {
    found.forEach(problem -> System.err.println("style: " + what + ": " + problem));
  }

  static List<String> longLines(MarkdownPage page) {
    return page.proseLines().stream()
        .filter(line -> line.text().codePointCount(0, line.text().length()) > COLUMNS)
        .filter(line -> !LINK_ONLY.matcher(line.text()).matches())
        .map(line -> at(page, line.line()) + "more than " + COLUMNS + " columns")
        .toList();
  }

  static List<String> longSentences(MarkdownPage page) {
    List<String> problems = new ArrayList<>();
    for (MarkdownPage.Paragraph paragraph : page.paragraphs()) {
      longSentences(paragraph.text())
          .forEach(sentence -> problems.add(at(page, paragraph.line()) + sentence));
    }
    return problems;
  }

  /** The sentences of a text that are too long, each after its number of words. */
  static List<String> longSentences(String text) {
    List<String> problems = new ArrayList<>();
    for (String sentence : SENTENCE_END.split(ABBREVIATION.matcher(text).replaceAll("such as"))) {
      long words = WORD.matcher(sentence).results().count();
      if (words > WORDS) {
        problems.add(words + " words: " + sentence);
      }
    }
    return problems;
  }

  List<String> bannedPhrases(MarkdownPage page) {
    List<String> problems = new ArrayList<>();
    for (MarkdownPage.Paragraph paragraph : page.paragraphs()) {
      banned(paragraph.text()).forEach(hit -> problems.add(at(page, paragraph.line()) + hit));
    }
    return problems;
  }

  /** The banned phrases in a text, in quotes. */
  List<String> banned(String text) {
    return banned.stream()
        .flatMap(phrase -> phrase.matcher(text).results())
        .map(hit -> "'" + hit.group() + "'")
        .toList();
  }

  static String at(MarkdownPage page, int line) {
    return page.name() + ":" + line + ": ";
  }
}
