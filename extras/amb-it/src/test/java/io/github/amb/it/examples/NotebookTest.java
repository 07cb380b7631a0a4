package io.github.amb.it.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jshell.JShell;
import jdk.jshell.Snippet;
import jdk.jshell.SnippetEvent;
import jdk.jshell.SourceCodeAnalysis.CompletionInfo;
import org.junit.jupiter.api.Test;

/** Every cell of the notebook for the Java kernel runs. */
class NotebookTest {
  private static final Path NOTEBOOK = Path.of("../../examples/notebook.ipynb");

  private static List<String> cells() throws IOException {
    List<String> cells = new ArrayList<>();
    for (JsonNode cell : JsonMapper.builder().build().readTree(NOTEBOOK.toFile()).get("cells")) {
      StringBuilder source = new StringBuilder();
      cell.get("source").forEach(line -> source.append(line.asText()));
      // A line of the kernel itself fetches the library.
      if (cell.get("cell_type").asText().equals("code") && source.charAt(0) != '%') {
        cells.add(source.toString());
      }
    }
    return cells;
  }

  private static void run(JShell shell, String cell) {
    CompletionInfo rest = shell.sourceCodeAnalysis().analyzeCompletion(cell);
    while (!rest.source().isBlank()) {
      for (SnippetEvent event : shell.eval(rest.source())) {
        assertEquals(Snippet.Status.VALID, event.status(), rest.source());
        assertNull(event.exception(), rest.source());
      }
      rest = shell.sourceCodeAnalysis().analyzeCompletion(rest.remaining());
    }
  }

  @Test
  void everyCellRuns() throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream console = System.out;
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try (JShell shell = JShell.builder().executionEngine("local").build()) {
      shell.addToClasspath(System.getProperty("java.class.path"));
      cells().forEach(cell -> run(shell, cell));
    } finally {
      System.setOut(console);
    }
    String text = printed.toString(StandardCharsets.UTF_8);
    assertTrue(text.contains("32 workers: a step waits"), text);
    assertTrue(text.contains("topk:0.1"), text);
  }
}
