package io.github.amb.runtime.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.runtime.command.Arguments;
import io.github.amb.runtime.command.Command;
import io.github.amb.runtime.command.NamedCommand;
import io.github.amb.runtime.config.PlacedValue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.Options;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FigureOptionsTest {
  private static final Command PLOT =
      new NamedCommand("plot", "") {
        @Override
        public Options options() {
          return Arguments.options(
              """
              ylog             .
              label TEXT       .
              filter-sigma S   .
              and-kw WORD...   .
              """);
        }

        @Override
        public Map<String, List<String>> values() {
          return Map.of("subset", List.of("loss_vs_time", "loss_vs_step"));
        }

        @Override
        public int run(List<String> arguments) {
          return 0;
        }
      };

  @TempDir Path folder;
  private final List<String> problems = new ArrayList<>();

  private List<String> words(String option) throws IOException {
    Path file = Files.writeString(folder.resolve("e.yaml"), option);
    return new FigureOptions(PLOT)
        .words(
            PlacedValue.ofYaml(file.toString(), Files.readAllBytes(file), "options").fields(),
            problems);
  }

  private List<String> found() {
    return problems.stream().map(line -> line.replace(folder + "/", "")).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ylog:                 | --ylog",
        "ylog: true            | --ylog",
        "ylog: false           | ''",
        "filter_sigma: 50      | --filter-sigma 50",
        "label: [a b, c]       | --label a b --label c",
        "and-kw: [a, b]        | --and-kw a b"
      })
  void optionsBecomeWords(String option, String words) throws IOException {
    assertEquals(words, String.join(" ", words(option)));
    assertEquals(List.of(), problems);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ylgo: true            | --ylgo, did you mean '--ylog'?",
        "ylog: 3               | ylog: expected true, false or nothing",
        "filter-sigma:         | --filter-sigma: expected S, found none",
        "label: {a: b}         | --label: expected TEXT, found none"
      })
  void wrongOptionsAreProblems(String option, String problem) throws IOException {
    assertEquals(List.of(), words(option));
    assertEquals(1, problems.size());
    assertTrue(found().get(0).startsWith("e.yaml line 1: amb plot: "), found()::toString);
    assertTrue(found().get(0).endsWith(problem), found()::toString);
  }

  @Test
  void unknownPanelsAreProblems() {
    FigureOptions allowed = new FigureOptions(PLOT);

    allowed.checkPanel("loss-vs-time,loss_vs_step", "e.yaml line 1", problems);
    assertEquals(List.of(), problems);

    allowed.checkPanel("loss_vs_time,los_vs_step", "e.yaml line 1", problems);
    assertEquals(
        List.of("e.yaml line 1: unknown panel 'los_vs_step', did you mean 'loss_vs_step'?"),
        problems);
  }
}
