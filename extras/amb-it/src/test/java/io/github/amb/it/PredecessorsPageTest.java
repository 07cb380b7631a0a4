package io.github.amb.it;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.bench.Benchmarks;
import io.github.amb.runtime.command.Arguments;
import io.github.amb.runtime.command.Command;
import io.github.amb.runtime.config.CommandLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every command line of the document is one that the program takes. {@code
 * scripts/try-predecessors} runs them. Here, because only this module sees every command.
 */
class PredecessorsPageTest {
  private static final Path DOCUMENT =
      Path.of("../../docs/how-to/come-from-predecessor-programs.md");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  private static final Map<String, Command> COMMANDS =
      ServiceLoader.load(Command.class).stream()
          .map(ServiceLoader.Provider::get)
          .collect(Collectors.toMap(Command::name, Function.identity()));

  static Stream<String> commandLines() throws IOException {
    return rows().flatMap(row -> codes(row, "scripts/amb "));
  }

  static Stream<String> optionsOfTraining() throws IOException {
    return rows()
        .filter(row -> row.contains("`scripts/amb train "))
        .flatMap(row -> codes(row.substring(row.lastIndexOf(" | ")), "--"));
  }

  /** The second and third cells of the tables' rows: our command, and what it is tried with. */
  private static Stream<String> rows() throws IOException {
    return Files.readAllLines(DOCUMENT).stream()
        .filter(line -> line.startsWith("| "))
        .map(line -> line.substring(line.indexOf(" | ")).replaceFirst(" *\\|$", ""));
  }

  private static Stream<String> codes(String cells, String start) {
    return CODE.matcher(cells)
        .results()
        .map(code -> code.group(1))
        .filter(c -> c.startsWith(start));
  }

  @ParameterizedTest
  @MethodSource("commandLines")
  void theProgramTakesIt(String line) {
    List<String> words = new ArrayList<>(List.of(line.split(" ")));
    Command command = COMMANDS.get(words.get(1));
    assertNotNull(command, "a command: " + words.get(1));
    List<String> arguments = words.subList(2, words.size());

    switch (command.name()) {
      case "train" -> assertDoesNotThrow(() -> CommandLine.parse(arguments));
      case "bench" -> assertTrue(Benchmarks.ALL.names().contains(arguments.get(0)), line);
      default -> assertDoesNotThrow(() -> Arguments.parse(command.options(), arguments));
    }
  }

  @ParameterizedTest
  @MethodSource("optionsOfTraining")
  void trainingTakesTheOptionsThatItIsTriedWith(String options) {
    List<String> words = new ArrayList<>(List.of("mnist", "fmb", "rms", "64"));
    words.addAll(List.of(options.split(" ")));

    assertDoesNotThrow(() -> CommandLine.parse(words));
  }
}
