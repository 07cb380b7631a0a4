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
}
