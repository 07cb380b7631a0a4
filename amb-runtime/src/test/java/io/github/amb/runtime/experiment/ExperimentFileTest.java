package io.github.amb.runtime.experiment;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.scheme.context.Budget;
import io.github.amb.runtime.config.SimSettings;
import io.github.amb.runtime.config.TrainSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExperimentFileTest {
  private static final String GOOD =
      """
      description: Two schemes on two links.
      options: {data-set: toy, update-rule: sgd, batch-size: 8, last-step: 30}
      matrix:
        scheme:
          fmb: {scheme: fmb}
          amb: {scheme: amb, batch-size: 16}
        bandwidth: [1e8, inf]
      seeds: 1..3
      measures:
        time: {of: time, accuracy: 0.5}
      comparisons:
        speed-up: {measure: time, axis: scheme, baseline: fmb}
      claims:
        - {of: speed-up, variant: amb/inf, low: 1, high: 2, authors: 1.5}
      quick:
        options: {last-step: 3}
        matrix: {bandwidth: [inf]}
        seeds: [7]
      """;

  @TempDir Path folder;

  private Experiment read(String text, boolean quick) throws IOException {
    return ExperimentFile.read(Files.writeString(folder.resolve("links.yaml"), text), quick, null);
  }

  @Test
  void anOrderAndABudgetAreRead() throws IOException {
    String more = "source: Somebody.\nbudget: examples=5e3\norders:\n";
    Experiment experiment =
        read(GOOD + more + "  - {of: speed-up, variants: [amb/inf, fmb/inf]}\n", false);

    assertEquals("Somebody.", experiment.about().source());
    assertEquals(new Budget("examples", 5000), experiment.budget());
    assertEquals(List.of("amb/inf", "fmb/inf"), experiment.orders().get(0).variants());
    assertEquals(Budget.NONE, read(GOOD, false).budget());
  }

  @Test
  void whatIsWrongWithOrdersAndBudgetIsSaid() throws IOException {
    String wrong =
        """
        budget: epochs=3
        orders:
          - {of: speed-up, variants: [amb/inf, amb/other]}
          - {of: time, variants: [amb/inf]}
        """;

    assertEquals(3, problems(GOOD + wrong).size());
  }

  /** Somebody else may have written the file. */
  @Test
  void anExperimentStartsNoProgramAndLoadsNoPlugins() {
    for (String order : List.of("remote-shell", "plugins", "hosts", "bind", "on-end")) {
      String said = order + ": expected --" + order + " on the command line, found it in a file";
      for (String text :
          List.of(
              "description: d\noptions:\n  %s: evil\nmatrix:\n  scheme: [fmb]\n",
              "description: d\nmatrix:\n  %s: [evil]\n",
              "description: d\nmatrix:\n  scheme:\n    a:\n      %s: evil\n")) {
        String found = String.join("\n", problems(text.formatted(order)));
        assertTrue(found.contains(said), found);
      }
    }
  }

  private List<String> problems(String text) {
    UsageException e = assertThrows(UsageException.class, () -> read(text, false));
    return e.getMessage().lines().map(line -> line.replace(folder + "/", "")).toList();
  }

  @Test
  void variantsAreTheProductOfTheAxes() throws IOException {
    Experiment experiment = read(GOOD, false);

    assertEquals("links", experiment.about().name());
    assertEquals(
        List.of("fmb/1e8", "fmb/inf", "amb/1e8", "amb/inf"),
        experiment.variants().stream().map(ExperimentVariant::name).toList());
    assertEquals(List.of(1L, 2L, 3L), experiment.seeds());
    var settings = experiment.variants().get(2).settings();
    assertEquals(16, settings.get(TrainSettings.BATCH_SIZE));
    assertEquals(1e8, settings.get(SimSettings.BANDWIDTH));
    assertEquals(30, settings.get(TrainSettings.LAST_STEP));
  }

  @Test
  void theQuickFormOverridesAndHasNoClaimsOfTheOther() throws IOException {
    Experiment experiment = read(GOOD, true);

    assertEquals(
        List.of("fmb/inf", "amb/inf"),
        experiment.variants().stream().map(ExperimentVariant::name).toList());
    assertEquals(List.of(7L), experiment.seeds());
    assertEquals(3, experiment.variants().get(1).settings().get(TrainSettings.LAST_STEP));
    assertEquals(List.of(), experiment.claims());
  }

  @Test
  void aFigureHasOptions() throws IOException {
    String figure = "figures:\n  f: {panel: loss_vs_time, options: {ylog: true, xmax: 2}}\n";
    assertEquals(
        List.of("--ylog", "--xmax", "2"), read(GOOD + figure, false).figures().get(0).options());
  }

  @Test
  void allProblemsAreSaidAtOnceWithTheirLines() {
    String text =
        """
        options:
          batch-size: none
          bach-size: 3
        matrix:
          scheme:
            fmb: {scheme: fmb}
          bandwidth: wide
        seeds: many
        measures:
          time: {of: tim, accuracy: x}
        comparisons:
          gain: {measure: time, axis: scheme, baseline: fmb, as: bigger}
        claims:
          - {of: profit, variant: fmb}
        colour: red
        """;

    assertEquals(
        List.of(
            "links.yaml line 1: expected 'description: ...', found none",
            "links.yaml line 2: batch-size: expected integer, 1 or more, found 'none'",
            "links.yaml line 3: unknown key 'bach-size', did you mean 'batch-size'?",
            "links.yaml line 7: bandwidth: expected named points or a list of values, found 'wide'",
            "links.yaml line 8: seeds: expected numbers, as [1, 2, 3] or 1..10, found 'many'",
            "links.yaml line 10: time: of: unknown 'tim', did you mean 'time'?",
            "links.yaml line 10: time: accuracy: expected a number from 0.0, found 'x'",
            "links.yaml line 12: gain: as: unknown 'bigger'; expected one of speed-up, ratio,"
                + " difference",
            "links.yaml line 14: unknown measure or comparison 'profit'; expected one of time, gain",
            "links.yaml line 15: unknown key 'colour'; expected one of budget, claims,"
                + " comparisons, description, figures, heap, matrix, measures, minutes, options,"
                + " orders, quick, search, seeds, source"),
        problems(text));
  }

  @Test
  void stepsAreWholeAndInOrderAndSeedsAreNotCut() {
    String time = "time: {of: time, accuracy: 0.5";

    assertEquals(
        List.of("links.yaml line 10: time: after-step: expected a whole number, found '1.9'"),
        problems(GOOD.replace(time, time + ", after-step: 1.9")));
    assertEquals(
        List.of("links.yaml line 10: time: expected after-step below to-step, found 5 and 5"),
        problems(GOOD.replace(time, time + ", after-step: 5, to-step: 5")));
    assertEquals(
        List.of("links.yaml line 8: seeds: expected at most 1000, found 5000"),
        problems(GOOD.replace("1..3", "1..5000")));
  }

  @Test
  void aFileThatIsNoMapIsRejected() {
    assertEquals(
        List.of("links.yaml line 1: expected 'key: value' lines, found a list"),
        problems("[1, 2]\n"));
  }

  @Test
  void aClaimOfAVariantThatIsNotThereIsRejected() {
    assertEquals(
        List.of(
            "links.yaml line 14: unknown variant of speed-up 'fmb/inf', did you mean 'amb/inf'?"),
        problems(GOOD.replace("variant: amb/inf", "variant: fmb/inf")));
  }

  @Test
  void theNameOfAFigureIsNoPath() throws IOException {
    String figures = "figures:\n  %s: {panel: accuracy_vs_step}\n";
    String expected =
        "links.yaml line 20: figures: expected a name of letters, digits, '.', '_' and '-' that"
            + " does not begin with a dot and is not report, found '%s'";
    for (String name : List.of("../up", ".hidden", "a/b", "a b", "report")) {
      assertEquals(List.of(expected.formatted(name)), problems(GOOD + figures.formatted(name)));
    }
    assertEquals(
        "a.B_1-c", read(GOOD + figures.formatted("a.B_1-c"), false).figures().get(0).name());
  }

  static Stream<Path> shipped() throws IOException {
    return Files.list(Path.of("../experiments"));
  }

  @ParameterizedTest
  @MethodSource("shipped")
  void whatShipsIsRight(Path file) {
    assertDoesNotThrow(() -> ExperimentFile.read(file, false, null));
    assertDoesNotThrow(() -> ExperimentFile.read(file, true, null));
  }
}
