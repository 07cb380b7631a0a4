package io.github.amb.it.document;

import io.github.amb.runtime.command.Command;
import io.github.amb.runtime.command.OptionsCommand;
import java.util.Collection;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.commons.cli.Option;

/** The reference page of the commands, {@code docs/reference/commands.md}. */
final class CommandsPage {
  private static final String HEAD =
      """
      # Commands

      `scripts/reference` writes this page from what `amb COMMAND --help` prints.
      The options of `amb train` are on [a page of their own](options.md).
      `amb bench NAME --help` prints those of a benchmark.
      Each command also takes `--plugins PATH`, with jars that add schemes, codecs and the like.
      """;

  private CommandsPage() {}

  /** The page of some commands, in their order. */
  static String text(Collection<Command> commands) {
    return HEAD + commands.stream().map(CommandsPage::section).collect(Collectors.joining());
  }

  private static String section(Command command) {
    StringBuilder section = new StringBuilder("\n## " + command.name() + "\n\n");
    if (!(command instanceof OptionsCommand options)) {
      return section.append(sentence(command.summary())).append('\n').toString();
    }
    section.append("```text\namb " + command.name() + " " + options.synopsis() + "\n```\n\n");
    section.append(sentence(command.summary())).append('\n');
    if (!options.options().getOptions().isEmpty()) {
      section.append("\n| option | meaning |\n| --- | --- |\n");
    }
    options.options().getOptions().forEach(option -> section.append(row(option)));
    return section.toString();
  }

  private static String row(Option option) {
    String value = option.hasArg() ? " " + option.getArgName() : "";
    return "| `--%s%s` | %s |\n"
        .formatted(
            option.getLongOpt(), value, sentence(option.getDescription()).replace("|", "\\|"));
  }

  private static String sentence(String text) {
    String first = text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    return first.endsWith(".") ? first : first + ".";
  }
}
