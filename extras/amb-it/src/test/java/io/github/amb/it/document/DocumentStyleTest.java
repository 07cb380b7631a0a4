package io.github.amb.it.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What {@code docs/style.md} says of documents, as far as a program can check it: what leads a
 * reader astray fails, style is a warning. Here, because only this module sees every command.
 */
class DocumentStyleTest {
  private static final Path ROOT = SourceTree.HERE.root();
  private static final SourceTree TREE = SourceTree.HERE;

  private static final List<String> AT_THE_TOP =
      List.of(
          "README.md",
          "CONTRIBUTING.md",
          "CHANGELOG.md",
          "SECURITY.md",
          "CODE_OF_CONDUCT.md",
          "data/README.md");

  /** Tables that a program writes, also of wrong commands; and the page of words not to use. */
  private static final Set<String> NOT_PROSE =
      Set.of("docs/reference/commands.md", "docs/results/fault-matrix.md", "docs/style.md");

  /** Options of MPI's launchers, Slurm and predecessor programs that documents name. */
  private static final Set<String> FOREIGN =
      Set.of(
          "--tag-output", "--output-filename", "--oversubscribe", "--no-kill", "--eval-batch-size");

  /** Classes of Java, DL4J and TensorFlow that documents name. */
  private static final Set<String> FOREIGN_CLASSES =
      Set.of(
          "Bcast",
          "IllegalStateException",
          "ModelSerializer",
          "OutOfMemoryError",
          "Reduce",
          "RnnOutputLayer",
          "SyncReplicasOptimizer");

  static Stream<String> pages() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      List<String> documents =
          files
              .map(file -> ROOT.relativize(file).toString().replace('\\', '/'))
              .filter(name -> name.endsWith(".md"))
              .sorted()
              .toList();
      return Stream.concat(AT_THE_TOP.stream(), documents.stream());
    }
  }

  static Stream<String> prose() throws IOException {
    return pages().filter(name -> !NOT_PROSE.contains(name));
  }

  @ParameterizedTest
  @MethodSource("prose")
  void linesHaveAtMost100Columns(String name) {
    Prose.warn(name + " has lines of more than 100 columns", Prose.longLines(page(name)));
  }

  @ParameterizedTest
  @MethodSource("prose")
  void sentencesHaveAtMost35Words(String name) {
    Prose.warn(name + " has long sentences", Prose.longSentences(page(name)));
  }

  @ParameterizedTest
  @MethodSource("prose")
  void noPhraseIsBanned(String name) throws IOException {
    Prose prose = new Prose(Files.readAllLines(ROOT.resolve("docs/banned-phrases.txt")));

    Prose.warn(name + " has banned phrases", prose.bannedPhrases(page(name)));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void linksLeadSomewhere(String name) {
    Path file = ROOT.resolve(name);

    assertEquals(List.of(), Links.problems(MarkdownPage.read(file), file));
  }

  /** Links within {@code docs} and the tree's root, of which the archive has a part. */
  @ParameterizedTest
  @MethodSource("pages")
  void theArchiveHasWhatAPageLinksTo(String name) {
    String archive = TREE.text("extras/amb-dist/src/assembly/dist.xml");
    Path file = ROOT.resolve(name);
    List<String> missing =
        MarkdownPage.read(file).links().stream()
            .map(link -> link.text().split("#", 2)[0])
            .filter(link -> !link.isEmpty() && !link.matches("(https?|mailto):.*"))
            .map(link -> ROOT.relativize(file.resolveSibling(link).normalize()).getName(0))
            .map(Path::toString)
            .filter(top -> !archive.contains("../../" + top + "<") && !archive.contains(">" + top))
            .toList();
    assertEquals(List.of(), missing, "add it to dist.xml");
  }

  @ParameterizedTest
  @MethodSource("prose")
  void commandsAndTheirOptionsExist(String name) {
    assertEquals(List.of(), new ShellCommands(TREE, FOREIGN).problems(page(name)));
  }

  @ParameterizedTest
  @MethodSource("prose")
  void classesExist(String name) {
    assertEquals(List.of(), new ClassNames(TREE, FOREIGN_CLASSES).problems(page(name)));
  }

  @ParameterizedTest
  @MethodSource("pages")
  void diagramsAreWhole(String name) {
    for (MarkdownPage.Block block : page(name).blocks()) {
      if (block.language().equals("mermaid")) {
        assertEquals(List.of(), Diagram.problems(block.lines()), name + ":" + block.line());
      }
    }
  }

  @Test
  void testNamesHaveAtMost50Characters() throws IOException {
    Pattern method = Pattern.compile("^  (?:public )?void (\\w{51,})\\(", Pattern.MULTILINE);
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(ROOT)) {
      for (Path file :
          files.filter(f -> f.toString().matches(".*/src/test/java/.*Test\\.java")).toList()) {
        method.matcher(Files.readString(file)).results().map(m -> m.group(1)).forEach(found::add);
      }
    }
    Prose.warn("names of more than 50 characters", found);
  }

  @Test
  void exemptPagesExist() {
    NOT_PROSE.forEach(name -> assertTrue(Files.exists(ROOT.resolve(name)), name));
  }

  private static MarkdownPage page(String name) {
    return MarkdownPage.read(ROOT.resolve(name));
  }
}
