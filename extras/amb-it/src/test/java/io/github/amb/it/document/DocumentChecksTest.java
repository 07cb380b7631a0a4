package io.github.amb.it.document;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each check of {@link DocumentStyleTest} finds what it is there to find. */
class DocumentChecksTest {
  private static final SourceTree TREE = SourceTree.HERE;
  private static final ShellCommands COMMANDS = new ShellCommands(TREE, Set.of());

  @TempDir Path folder;

  @Test
  void aLongLineIsFound() {
    assertEquals(1, Prose.longLines(page("word ".repeat(21))).size());
  }

  @Test
  void tablesCodeAndLinksMayBeLong() {
    MarkdownPage page =
        page(
            "| " + "word ".repeat(30) + "|",
            "",
            "```",
            "word ".repeat(30),
            "```",
            "- [a link](" + "word-".repeat(30) + ")");

    assertEquals(List.of(), Prose.longLines(page));
  }

  @Test
  void aLongSentenceIsFound() {
    List<String> lines = List.of("word ".repeat(18), "word ".repeat(18) + ".");

    assertEquals(1, Prose.longSentences(MarkdownPage.of("page", lines)).size());
  }

  @Test
  void aLongSentenceOfACellIsFound() {
    assertEquals(1, Prose.longSentences(page("| short | " + "word ".repeat(36) + "|")).size());
  }

  @Test
  void twoSentencesAreTwo() {
    assertEquals(
        List.of(), Prose.longSentences(page("word ".repeat(20) + "end. Word " + "a ".repeat(20))));
  }

  @Test
  void aBannedPhraseIsFoundAcrossLines() {
    assertEquals(1, banned("The run goes", "on with two workers.").size());
  }

  @Test
  void aBannedStemIsFound() {
    assertEquals(1, banned("It Normalises a batch.").size());
  }

  @Test
  void codeIsNotSearchedForPhrases() {
    assertEquals(List.of(), banned("The message is `the run goes on`.", "A foregoing one."));
  }

  @Test
  void aLinkToNoFileIsFound() {
    assertEquals(1, links("See [that](nowhere.md).").size());
  }

  @Test
  void aLinkToNoHeadingIsFound() {
    assertEquals(1, links("# A heading", "See [that](#another-heading).").size());
  }

  @Test
  void aLinkToAHeadingLeadsSomewhere() {
    assertEquals(List.of(), links("# A `heading`, too", "See [that](#a-heading-too)."));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "scripts/no-such-script",
        "scripts/amb tarin digits fmb rms 64",
        "scripts/amb train digits fmb rms 64 --no-such-option 3",
        "DATA=dir scripts/amb train digits fmb rms 64 | scripts/amb no-command",
        "job=\"--network lenet --no-such-option 3\"",
        "ip netns exec lab1 scripts/amb train digits fmb rms 64 --no-such-option",
        "scripts/amb-srun mnist fmb rms 64 --no-such-option",
        "sbatch --wrap 'scripts/amb-srun mnist fmb rms 64 --no-such-option'",
        "scripts/amb train digits amb rms 64 --amb-time-limit 2",
        "scripts/amb bench no",
        "scripts/amb export runs/a --no-such-option",
        "mvn -Pno-such-profile verify",
        "scripts/build -Pno-such-profile",
        "mvn -pl no-such-module verify",
        "mvn -Dtest=NoSuchTest verify",
        "mvn -Dtest=SoakTest -Psystem verify",
        "scripts/test --unit -Dtest=SoakTest"
      })
  void aCommandThatIsNotThereIsFound(String line) {
    assertNotEquals(List.of(), COMMANDS.problems(page("```sh", line, "```")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "scripts/amb train digits amb rms 64 --amb_time_limit 2 \\\n  --amb-num-partitions 4   # --a-comment",
        "scripts/amb export runs/a --format npz && scripts/amb plot runs/a --save",
        "$ scripts/amb summarize runs/A runs/B",
        "mvn -Psystem -pl amb-core,amb-models verify -Dtest=DocumentStyleTest"
      })
  void aCommandThatIsThereIsNone(String line) {
    assertEquals(List.of(), COMMANDS.script(List.of(line.split("\n"))));
  }

  @Test
  void anOptionThatIsNotThereIsFoundInText() {
    assertEquals(1, COMMANDS.problems(page("Give `--workers 3` and `--no-such-option`.")).size());
  }

  @Test
  void aClassThatIsNotThereIsFound() {
    MarkdownPage page = page("`Scheme`, `NoSuchScheme`, `Foreign`, `RUN` and `amb train`.");

    assertEquals(
        List.of("page.md:1: no class NoSuchScheme"),
        new ClassNames(TREE, Set.of("Foreign")).problems(page));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pie",
        "flowchart LR\n a[\"A\"] --> b",
        "flowchart LR\n a[\"A\"] --> b[\"B\"",
        "flowchart LR\n subgraph s\n a[\"A\"]",
        "flowchart LR\n a[\"A\"] is b[\"B\"]",
        "sequenceDiagram\n participant A\n A->>B: hello",
        "sequenceDiagram\n participant A\n A->>A hello",
        "sequenceDiagram\n participant A\n A->>A: hello; bye",
        "sequenceDiagram\n participant A\n loop twice\n A->>A: hello",
        "gantt\n title T\n work : a, after b, 2",
        "gantt\n title T\n work without a length"
      })
  void aDiagramThatIsNotWholeIsFound(String text) {
    assertNotEquals(List.of(), Diagram.problems(List.of(text.split("\n"))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "flowchart TB\n subgraph s[\"S (1)\"]\n a[\"A\"] & b[(\"B\")] -->|text| c((\"C\"))\n end",
        "sequenceDiagram\n participant A as a rank\n loop twice\n A->>A: hello (again)\n end",
        "gantt\n dateFormat X\n section S\n one :a, 0, 3\n two :crit, after a, 2"
      })
  void aWholeDiagramIsWhole(String text) {
    assertEquals(List.of(), Diagram.problems(List.of(text.split("\n"))));
  }

  private List<String> banned(String... lines) {
    return new Prose(List.of("# a comment", "goes on", "normalis*")).bannedPhrases(page(lines));
  }

  private List<String> links(String... lines) {
    Path file = folder.resolve("page.md");
    return Links.problems(page(lines), file);
  }

  private static MarkdownPage page(String... lines) {
    return MarkdownPage.of("page.md", List.of(lines));
  }
}
