package io.github.amb.runtime.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.core.record.RunInfo;
import io.github.amb.runtime.config.Settings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FigureFilesTest {
  @TempDir Path folder;

  private ExperimentRun done(ExperimentVariant variant, long seed) throws IOException {
    var run = ExperimentRun.of(variant, seed, Map.of(), Map.of(), folder.resolve("runs"));
    Files.createDirectories(run.directory().path());
    var ending = new RunInfo.Ending(0, "done", 1, 1, null);
    run.directory().write(new RunInfo(2, "r", "", null, Map.of("a", 1), 1, null, Map.of(), ending));
    Files.writeString(run.directory().masterLog(), "");
    return run;
  }

  @Test
  void aFigureThatFailsLeavesTheOthers() throws Exception {
    var variant = new ExperimentVariant(Map.of(), Settings.NONE);
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    ExperimentRuns.Starter starter =
        (arguments, log) -> {
          if (arguments.contains("bad")) {
            throw new IOException("no process");
          }
          Files.writeString(Path.of(arguments.get(arguments.indexOf("--out") + 1)), "");
          return ExperimentRuns.Started.alone(new EndedProcess(0));
        };
    List<ExperimentFigure> figures =
        Stream.of("bad", "good")
            .map(name -> new ExperimentFigure(name, name, List.of(), List.of()))
            .toList();

    List<String> drawn =
        new FigureFiles(folder, starter, new PrintStream(err, true))
            .draw(figures, List.of(done(variant, 1)));

    assertEquals(List.of("good.png"), drawn);
    assertEquals("amb: no figure bad: IOException: no process\n", err.toString());
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(
          List.of("good.png", "runs"),
          files.map(file -> file.getFileName().toString()).sorted().toList());
    }
  }

  @Test
  void curvesHaveTheNamesOfVariants() throws Exception {
    var fmb = new ExperimentVariant(Map.of("scheme", "fmb"), Settings.NONE);
    var amb = new ExperimentVariant(Map.of("scheme", "amb"), Settings.NONE);
    List<ExperimentRun> runs = List.of(done(fmb, 1), done(amb, 1), done(fmb, 2));

    assertEquals(List.of("fmb (2 seeds)", "amb"), labels("accuracy_vs_time", List.of(), runs));
    assertEquals(
        List.of("A", "B"),
        labels("accuracy_vs_time", List.of("--label", "A", "--label", "B"), runs));
    assertEquals(List.of(), labels("accuracy_vs_time", List.of("--reverse"), runs));
    assertEquals(List.of(), labels("timeline", List.of(), runs));
  }

  /** The labels that a figure of these runs is drawn with. */
  private List<String> labels(String panel, List<String> options, List<ExperimentRun> runs)
      throws Exception {
    List<String> labels = new ArrayList<>();
    ExperimentRuns.Starter starter =
        (arguments, log) -> {
          for (int i = 0; i < arguments.size(); i++) {
            if (arguments.get(i).equals("--label")) {
              labels.add(arguments.get(i + 1));
            }
          }
          return ExperimentRuns.Started.alone(new EndedProcess(0));
        };
    ExperimentFigure figure = new ExperimentFigure("figure", panel, List.of(), options);
    new FigureFiles(folder, starter, System.err).draw(List.of(figure), runs);
    return labels;
  }
}
