package io.github.amb.runtime.config;

import io.github.amb.core.option.Setting;
import io.github.amb.core.scheme.Schemes;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The reference page of the options, {@code docs/reference/options.md}. */
final class OptionsPage {
  private static final String HEAD =
      """
      # Options of amb train

      `scripts/reference` writes this page from the options of `amb train`.
      `scripts/amb train --help GROUP` prints one of its tables.

      The first four words of a command line are `--data-set`, `--scheme`, `--update-rule` and
      `--batch-size`. In names, underscores count as dashes.
      The same names, but for `--plugins`, are the keys of a
      [configuration file](../how-to/configure-a-run.md), for which there is a
      [JSON Schema](config.schema.json).

      | option | meaning |
      | --- | --- |
      """;

  private OptionsPage() {}

  static String text() {
    StringBuilder page = new StringBuilder(HEAD);
    CommandLine.describeProgram(
        (name, help) -> page.append("| `%s` | %s |\n".formatted(name, cell(help))));
    for (OptionGroup group : TrainSettings.GROUPS) {
      page.append("\n## %s\n\n%s.\n\n".formatted(group.name(), sentence(group.title())));
      if (group.settings().contains(TrainSettings.SCHEME)) {
        addSchemes(page);
      }
      page.append("| option | value | default | meaning |\n| --- | --- | --- | --- |\n");
      group.settings().forEach(setting -> page.append(row(setting)));
    }
    return page.toString();
  }

  private static String sentence(String title) {
    return title.substring(0, 1).toUpperCase(Locale.ROOT) + title.substring(1);
  }

  private static void addSchemes(StringBuilder page) {
    page.append("| scheme | meaning | options |\n| --- | --- | --- |\n");
    for (Schemes.Entry scheme : Schemes.ALL.all()) {
      List<String> names = scheme.options().stream().map(option -> option.name()).toList();
      page.append(
          "| `%s` | %s | %s |\n".formatted(scheme.name(), cell(scheme.summary()), codes(names)));
    }
    page.append('\n');
  }

  private static String row(Setting<?> setting) {
    String usual = setting.usual();
    return "| %s | %s | %s | %s |\n"
        .formatted(
            codes(setting.names()),
            cell(setting.range()),
            usual.isEmpty() ? "" : "`" + usual + "`",
            cell(setting.help()));
  }

  private static String codes(List<String> names) {
    return names.stream().map(name -> "`--" + name + "`").collect(Collectors.joining(", "));
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace("[", "\\[").replace("<", "&lt;");
  }
}
