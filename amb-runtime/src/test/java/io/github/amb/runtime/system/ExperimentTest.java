package io.github.amb.runtime.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code amb experiment} with processes of its own. */
@Tag("system")
class ExperimentTest {
  private static final String FILE =
      """
      description: Six runs of a few steps.
      options: {data-set: toy, update-rule: sgd, batch-size: 8, engine: sim, workers: 2}
      matrix:
        scheme: [fmb, async]
        cost-per-example: [0.01, 0.02]
      measures:
        step: {of: seconds-per-step}
      comparisons:
        slower: {measure: step, axis: cost-per-example, baseline: 0.01, as: ratio}
      claims:
        - {of: slower, variant: fmb/0.02, low: 1.99, high: 2.01}
      quick:
        options: {last-step: 5, evaluate: last, test-size: 10}
        matrix: {scheme: [fmb]}
        seeds: [1, 2]
        claims:
          - {of: step, variant: fmb/0.01, low: 0.079, high: 0.081}
      """;

  @TempDir Path directory;

  private AmbProcess amb(String more) throws Exception {
    Path folder = Files.createDirectories(directory.resolve("work"));
    return AmbProcess.run(folder, "experiment short.yaml --quick --out out " + more);
  }

  private void write(String text) throws IOException {
    Files.writeString(
        Files.createDirectories(directory.resolve("work")).resolve("short.yaml"), text);
  }

  @Test
  void aMatrixIsMadeOnceAndItsClaimsAreChecked() throws Exception {
    write(FILE);
    AmbProcess first = amb("--check");
    assertEquals(0, first.exitCode(), first.everythingSaid());
    assertTrue(first.stdout().contains("4 of 4 runs done, 0 failed"), first.everythingSaid());
    List<String> report = Files.readAllLines(directory.resolve("work/out/report.md"));
    assertTrue(Files.readString(directory.resolve("work/out/report.tex")).contains("toprule"));
    assertTrue(
        report.contains("| fmb/0.02 | fmb/0.01 | 2 | 2 to 2 | <0.001 | 2 (2 to 2) | 2 of 2 |"),
        report::toString);

    write(FILE.replace("0.081", "0.0795"));
    AmbProcess second = amb("--check");
    assertEquals(4, second.exitCode(), second.everythingSaid());
    assertEquals(List.of("4 runs, 4 of them done before"), second.stdout().subList(0, 1));
    assertEquals(
        List.of("amb: short.yaml line 17: step of fmb/0.01: expected 0.079 to 0.0795, found 0.08"),
        second.stderr());

    write(FILE.replace("0.081", "0.0795").replace("last-step: 5", "last-step: 6"));
    AmbProcess third = amb("--report");
    assertEquals(0, third.exitCode(), third.everythingSaid());
    assertTrue(third.stdout().get(0).endsWith("out/report.md"), third.everythingSaid());
  }

  @Test
  void partsMakeTheWhole() throws Exception {
    write(FILE);
    AmbProcess first = amb("--part 1/2");
    assertEquals(0, first.exitCode(), first.everythingSaid());
    assertEquals("2 runs, 0 of them done before", first.stdout().get(0));
    assertTrue(Files.notExists(directory.resolve("work/out/report.md")));
    AmbProcess second = amb("--part 2/2");
    assertEquals("2 runs, 0 of them done before", second.stdout().get(0));

    AmbProcess whole = amb("--check");
    assertEquals(0, whole.exitCode(), whole.everythingSaid());
    assertEquals("4 runs, 4 of them done before", whole.stdout().get(0));
    AmbProcess wrong = amb("--part 3/2");
    assertEquals(2, wrong.exitCode(), wrong.everythingSaid());
  }

  @Test
  void aSearchMakesItsTrialsOnceAndReportsTheBest() throws Exception {
    write(
        """
        description: Four trials.
        options: {data-set: toy, scheme: fmb, update-rule: sgd, batch-size: 8, engine: sim,
          workers: 1, cost-per-example: 0.01, evaluate: last, test-size: 10}
        seeds: [1, 2]
        budget: updates=4
        measures:
          loss: {of: loss}
        search:
          by: random
          runs: 4
          of: loss
          space:
            learning-rate: {log: [1e-4, 1e-2]}
          halving: {factor: 2, from: 2}
        """);
    AmbProcess first = AmbProcess.run(directory.resolve("work"), "experiment short.yaml --out out");
    assertEquals(0, first.exitCode(), first.everythingSaid());
    assertEquals(
        List.of("4 runs, 0 of them", "2 runs, 0 of them", "1 runs, 0 of them"),
        first.stdout().stream()
            .filter(line -> line.endsWith("done before"))
            .map(line -> line.replace(" done before", ""))
            .toList());
    List<String> page = Files.readAllLines(directory.resolve("work/out/report.md"));
    assertEquals(
        List.of("4", "4", "2", "2"),
        page.stream()
            .filter(line -> line.matches("\\|  \\| \\d \\|.*"))
            .map(line -> line.split(" \\| ")[3])
            .limit(4)
            .toList(),
        page::toString);
    assertTrue(page.contains("1 of 1 runs are done, with seeds [2]."), page::toString);

    AmbProcess second =
        AmbProcess.run(directory.resolve("work"), "experiment short.yaml --out out");
    assertEquals(
        List.of("4 runs, 4", "2 runs, 2", "1 runs, 1"),
        second.stdout().stream()
            .filter(line -> line.endsWith("done before"))
            .map(line -> line.replace(" of them done before", ""))
            .toList());
    assertEquals(page, Files.readAllLines(directory.resolve("work/out/report.md")));
  }
}
