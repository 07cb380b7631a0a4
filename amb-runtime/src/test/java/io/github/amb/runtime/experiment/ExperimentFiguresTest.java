package io.github.amb.runtime.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.statistic.Band;
import io.github.amb.plots.panel.Content;
import io.github.amb.plots.panel.Drawing;
import io.github.amb.plots.panel.Point;
import io.github.amb.plots.panel.Scale;
import io.github.amb.plots.panel.Series;
import io.github.amb.runtime.experiment.ExperimentSearch.Tried;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentFiguresTest {
  private static final String FILE =
      """
      description: Rates.
      options: {data-set: toy, update-rule: sgd, batch-size: 8, workers: 1, engine: sim}
      matrix:
        scheme: [fmb, amb, async]
        learning-rate: [0.1, 0.01, 1]
      seeds: 1..3
      measures:
        loss: {of: loss}
      comparisons:
        less: {measure: loss, axis: scheme, baseline: fmb, as: difference, best: learning-rate}
        again: {measure: loss, axis: scheme, baseline: amb, as: ratio, best: learning-rate}
      search:
        of: loss
        space:
          learning-rate: {log: [1e-4, 1]}
          update-rule: {choice: [sgd, adm]}
      """;

  @TempDir Path folder;

  private Experiment read() throws IOException {
    return ExperimentFile.read(Files.writeString(folder.resolve("rates.yaml"), FILE), false, null);
  }

  /** Losses that depend on scheme, rate and seed; async has no number but with a seed. */
  private static ExperimentResults results(Experiment experiment) {
    ExperimentResults results = new ExperimentResults(experiment);
    for (int i = 0; i < experiment.variants().size(); i++) {
      for (long seed : experiment.seeds()) {
        boolean missing = i >= 6 && seed > 1;
        double value = missing ? Double.NaN : 1 + i + 0.1 * seed * seed;
        results.put(experiment.measures().get(0), experiment.variants().get(i), seed, value);
      }
    }
    return results;
  }

  @Test
  void aForestHasTheIntervalsOfTheComparison() throws IOException {
    Experiment experiment = read();
    ExperimentResults results = results(experiment);
    Content less =
        ExperimentFigures.of(experiment, results, List.of()).get("forest").contents().get(0);

    assertEquals(List.of("amb"), less.frame().yNames());
    Band band = results.rows(experiment.comparisons().get(0)).get(0).estimate().band();
    assertEquals(
        List.of(
            List.of(new Point(band.low(), 0), new Point(band.high(), 0)),
            List.of(new Point(band.mean(), 0)),
            List.of(new Point(0, -0.5), new Point(0, 0.5))),
        less.series().stream().map(Series::points).toList());
  }

  @Test
  void aSensitivityHasTheMeasureAtEachPointOnce() throws IOException {
    Experiment experiment = read();
    ExperimentResults results = results(experiment);
    Drawing drawing = ExperimentFigures.of(experiment, results, List.of()).get("sensitivity");

    assertEquals(List.of("fmb", "amb", "async"), drawing.labels());
    assertEquals(1, drawing.contents().size());
    Content panel = drawing.contents().get(0);
    assertEquals(Scale.LOG10, panel.frame().xScale());
    assertEquals(Scale.LINEAR, panel.frame().yScale());
    Band middle =
        results.estimate(experiment.measures().get(0), experiment.variants().get(1)).band();
    assertEquals(
        new Point(0.01, middle.mean(), middle.low(), middle.high()),
        panel.series().get(0).points().get(0));
    assertEquals(
        List.of(0.01, 0.1, 1.0), panel.series().get(2).points().stream().map(Point::x).toList());
  }

  private static List<Tried> trials(ExperimentVariant variant, double... losses) {
    List<Tried> trials = new ArrayList<>();
    for (int i = 0; i < losses.length; i++) {
      Map<String, String> values =
          Map.of("learning-rate", i % 2 == 0 ? "0.1" : "0.001", "update-rule", "adm");
      trials.add(new Tried(variant, variant, new Trial(i + 1, values, 0, losses[i])));
    }
    return trials;
  }

  @Test
  void aSearchHasADotPerTrialAndTheBestSoFar() throws IOException {
    Experiment experiment = read();
    List<Tried> trials = trials(experiment.variants().get(0), 3, Double.NaN, 2, 5, 1);
    Drawing drawing = ExperimentFigures.of(experiment, results(experiment), trials).get("search");

    assertEquals(
        List.of("trial", "learning-rate", "update-rule"),
        drawing.contents().stream().map(content -> content.frame().name()).toList());
    List<Series> lines = drawing.contents().get(0).series();
    assertEquals(4, lines.stream().filter(line -> line.points().size() == 1).count());
    assertEquals(
        List.of(new Point(1, 3), new Point(3, 2), new Point(4, 2), new Point(5, 1)),
        lines.stream().filter(line -> line.points().size() > 1).findFirst().orElseThrow().points());
    assertEquals(Scale.LOG10, drawing.contents().get(1).frame().xScale());
    assertEquals(List.of("sgd", "adm"), drawing.contents().get(2).frame().xNames());
    assertEquals(
        Set.of(1.0), drawing.contents().get(2).points().map(Point::x).collect(Collectors.toSet()));
  }

  @Test
  void withoutIntervalsAndTrialsThereAreNoFigures() throws IOException {
    Experiment experiment = read();

    assertEquals(
        Set.of(),
        ExperimentFigures.of(experiment, new ExperimentResults(experiment), List.of()).keySet());
  }

  @Test
  void figuresBecomeFilesAsHighAsTheirNames() throws IOException {
    Experiment experiment = read();
    Map<String, Drawing> figures =
        ExperimentFigures.of(
            experiment, results(experiment), trials(experiment.variants().get(0), 3, 2));
    PrintStream none = new PrintStream(new ByteArrayOutputStream(), true);

    List<String> drawn = new FigureFiles(folder, null, none).draw(figures);

    assertEquals(List.of("forest.png", "sensitivity.png", "search.png"), drawn);
    for (String name : drawn) {
      assertTrue(ImageIO.read(folder.resolve(name).toFile()).getWidth() > 0);
      assertTrue(Files.exists(folder.resolve(name.replace("png", "csv"))));
    }
    assertEquals(
        new TreeSet<>(Arrays.asList("fmb", "fmb (best so far)")),
        Files.readAllLines(folder.resolve("search.csv")).stream()
            .skip(1)
            .map(line -> line.split(",")[1])
            .map(label -> label.replaceFirst("/.*? ", " ").replaceFirst("/.*", ""))
            .collect(Collectors.toCollection(TreeSet::new)));
  }
}
