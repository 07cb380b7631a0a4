package io.github.amb.runtime.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.amb.core.command.Setting;
import io.github.amb.runtime.config.TrainSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What pages state of an experiment is what its file asks for, what its runs had, and what came out
 * of them. With {@code -Damb.pages.write=true} the pages are corrected.
 */
class ResultPagesTest {
  private static final ObjectMapper JSON = new ObjectMapper();
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
        assertEquals(asked(variant), kept(had, asked(variant)), variant.name());
      }
    }
  }

  /** The options that a variant gives, as {@code run.json} writes them. */
  private static Map<String, JsonNode> asked(ExperimentVariant variant) throws IOException {
    Map<String, JsonNode> asked = new TreeMap<>();
    for (Setting<?> setting : TrainSettings.ALL) {
      if (variant.settings().has(setting) && ExperimentRun.decides(setting)) {
        String text = JSON.writeValueAsString(variant.settings().get(setting));
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
