package io.github.amb.runtime.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.amb.core.option.UsageException;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.junit.jupiter.api.Test;

class OptionTokensTest {
  private static final Options OPTIONS =
      new Options()
          .addOption(Option.builder().longOpt("seed").hasArg().get())
          .addOption(Option.builder().longOpt("ax-size").numberOfArgs(2).argName("W H").get());

  private final List<String> problems = new ArrayList<>();

  @Test
  void negativeNumbersAreValuesOrWords() {
    OptionTokens tokens = of("--seed", "-5", "a", "-5", "-.5");

    assertEquals("-5", tokens.line().getOptionValue("seed"));
    assertEquals(List.of("a", "-5", "-.5"), tokens.words());
    assertEquals(List.of(), problems);
  }

  @Test
  void underscoresOfNamesAreDashes() {
    assertEquals("a_b", of("--ax_size", "a_b", "c").line().getOptionValues("ax-size")[0]);
  }

  @Test
  void everyUnknownOptionIsNamedAndLeftOut() {
    OptionTokens tokens = of("--sede", "3", "--frobnicate=1", "word", "--se=2");

    assertEquals(List.of("word"), tokens.words());
    assertEquals(
        List.of(
            "unknown option --sede, did you mean '--seed'?",
            "unknown option --frobnicate=1; see --help",
            "unknown option --se=2, did you mean '--seed'?"),
        problems);
  }

  @Test
  void aMissingValueIsRejectedWithAllProblems() {
    var error = assertThrows(UsageException.class, () -> of("-x", "--ax-size", "4"));

    assertEquals(
        "unknown option -x; see --help\n--ax-size: expected W H, found too few values",
        error.getMessage());
  }

  private OptionTokens of(String... arguments) {
    return OptionTokens.of(OPTIONS, List.of(arguments), problems);
  }
}
