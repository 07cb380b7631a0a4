package io.github.amb.runtime.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import io.github.amb.runtime.config.TrainSettings;
import io.github.amb.runtime.train.part.RunParts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What pages state of an experiment is what its file asks for, what its runs had, and what came out
 * of them. With {@code -Damb.pages.write=true} the pages are corrected.
 */
class ResultPagesTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Of the mean and the interval of at most ten runs: fewer than 1,000 operations. */
  private static final double ROUNDING = 1000 * Math.ulp(1.0);

  private static final boolean WRITES = Boolean.getBoolean("amb.pages.write");

  static List<String> experiments() {
    return ResultPages.names();
  }

  static Stream<Path> recorded() throws IOException {
    return Files.list(ResultPages.RESULTS).filter(file -> file.toString().endsWith(".json"));
  }

  private static void same(Path page, String mark, List<String> table) {
    if (WRITES) {
      ResultPages.write(page, mark, table);
    }
    assertEquals(
        String.join("\n", table),
        String.join("\n", ResultPages.tableAfter(page, mark)),
        page + ": run this test with -Damb.pages.write=true");
  }

  @ParameterizedTest
  @MethodSource("experiments")
  void aPageHasTheSettingsOfTheFile(String name) {
    same(ResultPages.page(name), ResultPages.mark(name), ResultPages.settings(name));
  }

  /** The short form has the file's variants with other limits, which faults must fit in. */
  @ParameterizedTest
  @MethodSource("experiments")
  void faultsFitIntoTheShortForm(String name) {
    List<String> problems = new ArrayList<>();
    for (ExperimentVariant variant : ResultPages.experiment(name, true).variants()) {
      try {
        RunParts.of(variant.settings());
      } catch (UsageException e) { // There may be no data here.
        problems.addAll(e.getMessage().lines().filter(line -> line.contains("--inject")).toList());
      }
    }
    assertEquals(List.of(), problems);
  }

  @Test
  void claimsHaveTheNumbersOfTheRuns() {
    same(ResultPages.CLAIMS, ResultPages.CLAIMS_MARK, ResultPages.claims());
  }

  /** The options of the file are those that each run's {@code run.json} has. */
  @ParameterizedTest
  @MethodSource("recorded")
  void theRunsHadTheSettingsOfTheFile(Path file) throws IOException {
    JsonNode record = JSON.readTree(file.toFile());
    Experiment experiment = ResultPages.experiment(record.get("name").asText());

    for (ExperimentVariant variant : experiment.variants()) {
      JsonNode own = record.get("options_of_variants").get(variant.name());
      if (own != null) { // Runs of this variant have been made.
        Map<String, JsonNode> had = new TreeMap<>();
        record.get("options").properties().forEach(e -> had.put(e.getKey(), e.getValue()));
        own.properties().forEach(e -> had.put(e.getKey(), e.getValue()));
        Map<String, JsonNode> asked = new TreeMap<>(asked(variant));
        if (!had.containsKey("budget")) {
          asked.remove("budget"); // Budgets did not end runs in an earlier build.
        }
        assertEquals(asked, kept(had, asked), variant.name());
      }
    }
  }

  static Stream<Path> archives() throws IOException {
    return Files.list(ResultPages.ARCHIVES);
  }

  /** The numbers are those that the archived records give. */
  @ParameterizedTest
  @MethodSource("archives")
  void theNumbersAreThoseOfTheRecords(Path archive, @TempDir Path folder) throws IOException {
    String name = archive.getFileName().toString().replace(".zip", "");
    Experiment experiment = ResultPages.experiment(name);
    List<ExperimentRun> runs = ResultPages.unpack(experiment, archive, folder);
    ExperimentResults results = ExperimentResults.read(experiment, runs);
    RecordedRuns recorded = RecordedRuns.read(runs);

    String text = ExperimentData.json(experiment, results, recorded);
    if (WRITES) {
      Files.writeString(ResultPages.RESULTS.resolve(name + ".json"), text);
    }
    JsonNode made = JSON.readTree(text);
    JsonNode stated = JSON.readTree(ResultPages.RESULTS.resolve(name + ".json").toFile());
    assertTrue(
        made.equals(ResultPagesTest::compare, stated),
        () -> "expected\n%s\nfound\n%s".formatted(stated.toPrettyString(), made.toPrettyString()));
  }

  /** Numbers may differ by the rounding of a few operations. */
  private static int compare(JsonNode one, JsonNode other) {
    double difference = Math.abs(one.doubleValue() - other.doubleValue());
    boolean close = difference <= ROUNDING * Math.abs(other.doubleValue());
    return one.isNumber() && other.isNumber() ? (close ? 0 : 1) : one.equals(other) ? 0 : 1;
  }

  /** The options that a variant gives, as {@code run.json} writes them. */
  private static Map<String, JsonNode> asked(ExperimentVariant variant) throws IOException {
    Map<String, JsonNode> asked = new TreeMap<>();
    for (Setting<?> setting : TrainSettings.ALL) {
      if (variant.settings().has(setting) && ExperimentRun.decides(setting)) {
        String text = JSON.writeValueAsString(variant.settings().recorded(setting));
        asked.put(setting.name(), JSON.readTree(text));
      }
    }
    return asked;
  }

  private static Map<String, JsonNode> kept(Map<String, JsonNode> all, Map<String, JsonNode> some) {
    Map<String, JsonNode> kept = new TreeMap<>(all);
    kept.keySet().retainAll(some.keySet());
    return kept;
  }
}
