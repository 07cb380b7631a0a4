package io.github.amb.runtime.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.record.RunInfo;
import io.github.amb.runtime.config.PlacedOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FigureFilesTest {
  @TempDir Path folder;

  private ExperimentRun done() throws IOException {
    var variant = new ExperimentVariant(Map.of(), new PlacedOptions().settings());
    var run = ExperimentRun.of(variant, 1, Map.of(), Map.of(), folder.resolve("runs"));
    Files.createDirectories(run.directory().path());
    var ending = new RunInfo.Ending(0, "done", 1, 1, null);
    run.directory().write(new RunInfo(2, "r", "", null, Map.of("a", 1), 1, null, Map.of(), ending));
    Files.writeString(run.directory().masterLog(), "");
    return run;
  }

  @Test
  void aFigureThatFailsLeavesTheOthers() throws Exception {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    ExperimentRuns.Starter starter =
        (arguments, log) -> {
          Path out = Path.of(arguments.get(arguments.indexOf("--out") + 1));
          Files.writeString(out.resolve("panel.png"), "");
          if (arguments.contains("bad")) {
            throw new IOException("no process");
          }
          return new EndedProcess(0);
        };
    List<ExperimentFigure> figures =
        Stream.of("bad", "good")
            .map(name -> new ExperimentFigure(name, name, List.of(), List.of()))
            .toList();

    List<String> drawn =
        new FigureFiles(folder, starter, new PrintStream(err, true)).draw(figures, List.of(done()));

    assertEquals(List.of("good.png"), drawn);
    assertEquals("amb: no figure bad: IOException: no process\n", err.toString());
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(
          List.of("good.png", "runs"),
          files.map(file -> file.getFileName().toString()).sorted().toList());
    }
  }
}
