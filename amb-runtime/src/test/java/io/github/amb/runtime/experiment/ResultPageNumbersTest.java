package io.github.amb.runtime.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.amb.core.statistic.Band;
import io.github.amb.core.statistic.PairedEstimate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the text below an experiment's settings says of its runs is what their numbers give. */
class ResultPageNumbersTest {
  private static final String NUMBER = "([−-]?[\\d,]*\\.?\\d+)";
  private static final Pattern INTERVAL =
      Pattern.compile(NUMBER + "(?:\\*\\*| times)? \\(" + NUMBER + " to " + NUMBER + "\\)");
  private static final Pattern README =
      Pattern.compile(
          "\\*\\*%1$s times\\*\\*(?: as fast \\(95 %% interval %1$s to %1$s\\))?"
              .formatted(NUMBER));
  private static final Pattern PROCESSOR = Pattern.compile("(AMD EPYC|Intel Xeon) with AVX-?\\d+");
  private static final Pattern SEEDS = Pattern.compile("(?i)\\b(three|ten) seeds");
  private static final Map<String, Integer> COUNTS = Map.of("three", 3, "ten", 10);

  static Stream<String> recorded() {
    return ResultPages.names().stream()
        .filter(name -> Files.exists(ResultPages.RESULTS.resolve(name + ".csv")));
  }

  /** Each number with an interval is a measure or a comparison of the runs, as it is rounded. */
  @ParameterizedTest
  @MethodSource("recorded")
  void anIntervalIsThatOfTheRuns(String name) {
    List<Band> bands = bands(name);
    List<String> unknown =
        INTERVAL
            .matcher(ResultPages.section(name))
            .results()
            .filter(stated -> bands.stream().noneMatch(band -> agree(stated, band)))
            .map(MatchResult::group)
            .toList();
    assertEquals(List.of(), unknown, ResultPages.page(name) + ": no such number of " + name);
  }

  @Test
  void theReadmesNumbersAreThoseOfTheRuns() throws IOException {
    String text = Files.readString(Path.of("../README.md"));
    List<Band> bands = new ArrayList<>(bands("amb-digits"));
    bands.addAll(bands("nano-gpt-stragglers"));
    List<String> unknown =
        README
            .matcher(text)
            .results()
            .filter(
                stated ->
                    bands.stream()
                        .noneMatch(
                            band ->
                                stated.group(2) == null
                                    ? rounded(stated.group(1), band.mean())
                                    : agree(stated, band)))
            .map(MatchResult::group)
            .toList();
    assertEquals(List.of(), unknown);
    assertEquals(5, README.matcher(text).results().count());
  }

  @ParameterizedTest
  @MethodSource("recorded")
  void processorAndSeedsAreThoseOfTheRuns(String name) throws IOException {
    JsonNode record =
        new ObjectMapper().readTree(ResultPages.RESULTS.resolve(name + ".json").toFile());
    JsonNode machine = record.get("made_with");
    Set<String> recorded = new HashSet<>();
    for (JsonNode instructions : machine.get("vector_instructions")) {
      recorded.add(ResultPages.processor(machine) + " with " + instructions.asText());
    }
    String text = ResultPages.section(name);

    Set<String> stated =
        PROCESSOR.matcher(text).results().map(MatchResult::group).collect(Collectors.toSet());
    assertTrue(stated.isEmpty() || stated.equals(recorded), stated + ", found " + recorded);
    Matcher seeds = SEEDS.matcher(text);
    while (seeds.find()) {
      assertEquals(record.get("seeds").size(), COUNTS.get(seeds.group(1).toLowerCase()));
    }
  }

  private static List<Band> bands(String name) {
    Experiment experiment = ResultPages.experiment(name);
    ExperimentResults results =
        ResultPages.results(
            experiment, ResultPages.lines(ResultPages.RESULTS.resolve(name + ".csv")));
    if (name.equals("codecs-bandwidth")) {
      addTimesOnOtherLinks(experiment, results);
    }
    List<PairedEstimate> estimates = new ArrayList<>();
    for (RunMeasure measure : experiment.measures()) {
      experiment.variants().forEach(one -> estimates.add(results.estimate(measure, one)));
    }
    experiment.comparisons().stream()
        .flatMap(comparison -> results.rows(comparison).stream())
        .forEach(row -> estimates.add(row.estimate()));
    return estimates.stream().map(PairedEstimate::band).toList();
  }

  /** As the page has them: the steps of the slowest link times the seconds per step. */
  private static void addTimesOnOtherLinks(Experiment experiment, ExperimentResults results) {
    Map<String, RunMeasure> measures =
        experiment.measures().stream()
            .collect(Collectors.toMap(RunMeasure::name, Function.identity()));
    Map<String, ExperimentVariant> variants =
        experiment.variants().stream()
            .collect(Collectors.toMap(ExperimentVariant::name, Function.identity()));
    for (ExperimentVariant variant : experiment.variants()) {
      ExperimentVariant slow = variants.get(variant.points().get("codec") + "/1e8");
      double[] steps = results.of(measures.get("steps-to-0.97"), slow);
      double[] seconds = results.of(measures.get("seconds-per-step"), variant);
      for (int i = 0; i < steps.length; i++) {
        long seed = experiment.seeds().get(i);
        results.put(measures.get("time-to-0.97"), variant, seed, steps[i] * seconds[i]);
      }
    }
  }

  /** Whether a band has the stated mean and interval; a text may state a loss as a gain. */
  private static boolean agree(MatchResult stated, Band band) {
    return rounded(stated.group(1), band.mean())
            && rounded(stated.group(2), band.low())
            && rounded(stated.group(3), band.high())
        || rounded(stated.group(1), -band.mean())
            && rounded(stated.group(2), -band.high())
            && rounded(stated.group(3), -band.low());
  }

  private static boolean rounded(String text, double value) {
    String plain = text.replace(",", "").replace('−', '-');
    int point = plain.indexOf('.');
    int decimals = point < 0 ? 0 : plain.length() - point - 1;
    double unit = Math.pow(10, -decimals);
    // The last term is for the rounding of the page's number itself.
    return Math.abs(Double.parseDouble(plain) - value) <= unit / 2 + Math.ulp(value);
  }
}
