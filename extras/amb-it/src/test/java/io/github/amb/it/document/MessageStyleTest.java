package io.github.amb.it.document;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What {@code docs/style.md} says of messages, help, log lines and comments, as far as a program
 * can check it. Here, because only this module sees all sources.
 */
class MessageStyleTest {
  private static final Path ROOT = SourceTree.HERE.root();
  private static final List<Path> SOURCES =
      SourceTree.HERE.sources(Path.of("src/main/java")).sorted().toList();

  /** Sources whose text blocks are scripts, not sentences. */
  private static final Set<String> SCRIPTS = Set.of("Completion.java");

  @Test
  void noMessageHasABannedPhrase() throws IOException {
    Prose prose = prose();

    Prose.warn(
        "messages have banned phrases",
        problems(JavaText::messages, passage -> prose.banned(passage.text()), source -> true));
  }

  @Test
  void sentencesOfMessagesHaveAtMost35Words() {
    Prose.warn(
        "messages have long sentences",
        problems(
            JavaText::messages,
            MessageStyleTest::longSentences,
            source -> !SCRIPTS.contains(name(source))));
  }

  @Test
  void noCommentHasABannedPhrase() throws IOException {
    Prose prose = prose();

    Prose.warn(
        "comments have banned phrases",
        problems(JavaText::comments, passage -> prose.banned(passage.text()), source -> true));
  }

  @Test
  void joinedLiteralsAreOneText() {
    JavaText text = JavaText.of("f(\"The run \"\n    + \"goes on\", 'a', \"x\"); // why \"so\"\n");

    assertEquals(
        List.of(new JavaText.Passage(1, "The run goes on"), new JavaText.Passage(2, "x")),
        text.messages());
    assertEquals(List.of(new JavaText.Passage(2, "why \"so\"")), text.comments());
  }

  private static List<String> longSentences(JavaText.Passage passage) {
    return Stream.of(passage.text().split("\n\\s*\n"))
        .flatMap(paragraph -> Prose.longSentences(paragraph).stream())
        .toList();
  }

  private static Prose prose() throws IOException {
    return new Prose(Files.readAllLines(ROOT.resolve("docs/banned-phrases.txt")));
  }

  private static String name(Path source) {
    return source.getFileName().toString();
  }

  private static List<String> problems(
      Function<JavaText, List<JavaText.Passage>> texts,
      Function<JavaText.Passage, List<String>> check,
      Predicate<Path> checked) {
    List<String> problems = new ArrayList<>();
    for (Path source : SOURCES) {
      if (checked.test(source)) {
        for (JavaText.Passage passage : texts.apply(JavaText.of(SourceTree.text(source)))) {
          check
              .apply(passage)
              .forEach(problem -> problems.add(source + ":" + passage.line() + ": " + problem));
        }
      }
    }
    return problems;
  }
}
