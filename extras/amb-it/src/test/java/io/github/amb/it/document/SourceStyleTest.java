package io.github.amb.it.document;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Sources of all modules. What stands for a library's class is not ours. */
class SourceStyleTest {
  private static final SourceTree TREE = SourceTree.HERE;
  private static final Path MAIN = Path.of("src/main/java/io/github/amb");
  private static final Path TEST = Path.of("src/test/java/io/github/amb");
  private static final int MAX_LINES = 600;

  private static Stream<Path> classes(Path... folders) {
    return Stream.of(folders)
        .flatMap(TREE::sources)
        .filter(file -> !file.endsWith("package-info.java"));
  }

  @Test
  void noClassHasMoreThan600Lines() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path file : classes(MAIN).toList()) {
      long lines = Files.readAllLines(file).size();
      if (lines > MAX_LINES) {
        found.add(file + ": " + lines);
      }
    }
    assertEquals(List.of(), found);
  }

  /**
   * Some of the words that the glossary of docs/style.md replaces; texts have a list of their own.
   */
  @Test
  void sourcesHaveTheGlossarysWords() throws IOException {
    Pattern replaced = Pattern.compile("(?i)refus|roster|newcomer");
    List<String> found = new ArrayList<>();
    for (Path file : classes(MAIN, TEST).toList()) {
      if (!file.endsWith("SourceStyleTest.java")
          && replaced.matcher(Files.readString(file)).find()) {
        found.add(file.toString());
      }
    }
    Prose.warn("words that the glossary replaces", found);
  }

  /** Java's parsers accept {@code 10d} and {@code 0x1p3}. */
  @Test
  void numbersOfUsersAreReadInOnePlace() throws IOException {
    Pattern parsers = Pattern.compile("(Double|Float)(\\.|::)(parse|valueOf\\(\\w*[tT]ext)");
    List<String> found = new ArrayList<>();
    for (Path file : classes(MAIN).toList()) {
      boolean ours = file.endsWith("Decimal.java") || file.toString().matches(".*(bench|peer).*");
      if (!ours && parsers.matcher(Files.readString(file)).find()) {
        found.add(file.toString());
      }
    }
    assertEquals(List.of(), found);
  }
}
