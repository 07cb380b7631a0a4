package io.github.amb.runtime.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.github.amb.core.command.Suggestion;
import io.github.amb.core.command.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.MissingArgumentException;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;
import org.apache.commons.cli.UnrecognizedOptionException;

/**
 * What the user typed after {@code amb train}: options, and files of options. A value on the
 * command line wins over one in a file. All problems are reported at once.
 *
 * @param settings every option's value
 * @param help whether {@code --help} was among them
 * @param printConfig whether {@code --print-config} was among them
 */
public record CommandLine(Settings settings, boolean help, boolean printConfig) {
  private static final String CONFIG = "config";
  private static final String HELP = "help";
  private static final String PRINT_CONFIG = "print-config";

  /**
   * Reads a command line. Underscores in option names are read as dashes.
   *
   * @throws UsageException if an option is unknown, out of range or given twice, or a file is bad
   */
  public static CommandLine parse(List<String> arguments) {
    var typed = tokens(arguments);
    List<String> problems = new ArrayList<>();
    Map<String, String> given = new LinkedHashMap<>();
    if (typed.hasOption(CONFIG)) {
      given.putAll(readFile(Path.of(typed.getOptionValue(CONFIG)), problems));
    }
    given.putAll(typedOptions(typed, problems));
    if (!problems.isEmpty()) {
      throw new UsageException(problems);
    }
    return new CommandLine(
        new Settings(given), typed.hasOption(HELP), typed.hasOption(PRINT_CONFIG));
  }

  /** The options as Commons CLI knows them. */
  static Options options() {
    Options options = new Options();
    for (Setting<?> setting : TrainSettings.ALL) {
      options.addOption(option(setting, setting.name()));
      setting.aliases().forEach(alias -> options.addOption(option(setting, alias)));
    }
    options.addOption(Option.builder().longOpt(CONFIG).hasArg().desc("YAML file of options").get());
    options.addOption(
        Option.builder().longOpt(PRINT_CONFIG).desc("print every option's value and exit").get());
    options.addOption(Option.builder("h").longOpt(HELP).desc("print this and exit").get());
    return options;
  }

  private static Option option(Setting<?> setting, String name) {
    return Option.builder()
        .longOpt(name)
        .hasArg()
        .optionalArg(setting.implied() != null)
        .desc(setting.help())
        .get();
  }

  private static org.apache.commons.cli.CommandLine tokens(List<String> arguments) {
    Options options = options();
    String[] dashed = arguments.stream().map(CommandLine::dashed).toArray(String[]::new);
    try {
      return DefaultParser.builder().setAllowPartialMatching(false).get().parse(options, dashed);
    } catch (UnrecognizedOptionException e) {
      String name = e.getOption().replaceFirst("^-+", "").replaceFirst("=.*", "");
      throw new UsageException("unknown option " + e.getOption() + suggestion(name, options));
    } catch (MissingArgumentException e) {
      throw new UsageException(
          "--" + e.getOption().getLongOpt() + ": expected a value, found none");
    } catch (ParseException e) {
      throw new UsageException(e.getMessage());
    }
  }

  private static String suggestion(String name, Options options) {
    Collection<String> known = options.getOptions().stream().map(Option::getLongOpt).toList();
    String suggestion = Suggestion.forName(name, known);
    return suggestion.startsWith(",") ? suggestion : "; see amb train --help";
  }

  private static String dashed(String argument) {
    if (!argument.startsWith("--")) {
      return argument;
    }
    int end = argument.indexOf('=');
    return end < 0
        ? argument.replace('_', '-')
        : argument.substring(0, end).replace('_', '-') + argument.substring(end);
  }

  private static Map<String, String> typedOptions(
      org.apache.commons.cli.CommandLine typed, List<String> problems) {
    Map<String, String> given = new LinkedHashMap<>();
    List<String> positional = typed.getArgList();
    for (int i = 0; i < Math.min(positional.size(), TrainSettings.POSITIONAL.size()); i++) {
      Setting<?> setting = TrainSettings.POSITIONAL.get(i);
      put(given, setting, setting.name().replace('-', ' '), positional.get(i), problems);
    }
    if (positional.size() > TrainSettings.POSITIONAL.size()) {
      problems.add(
          "expected DATA-SET SCHEME UPDATE-RULE BATCH-SIZE, found also '"
              + positional.get(TrainSettings.POSITIONAL.size())
              + "'");
    }
    for (Setting<?> setting : TrainSettings.ALL) {
      for (String name : names(setting)) {
        if (typed.hasOption(name)) {
          String value = typed.getOptionValue(name, String.valueOf(setting.implied()));
          put(given, setting, "--" + name, value, problems);
        }
      }
    }
    return given;
  }

  private static List<String> names(Setting<?> setting) {
    List<String> names = new ArrayList<>(List.of(setting.name()));
    names.addAll(setting.aliases());
    return names;
  }

  private static void put(
      Map<String, String> given,
      Setting<?> setting,
      String where,
      String text,
      List<String> problems) {
    setting.problem(where, text).ifPresent(problems::add);
    if (given.put(setting.name(), text) != null) {
      problems.add(where + ": given twice");
    }
  }

  private static Map<String, String> readFile(Path file, List<String> problems) {
    Map<String, String> given = new LinkedHashMap<>();
    for (Map.Entry<String, Object> entry : parseFile(file).entrySet()) {
      String name = entry.getKey().replace('_', '-');
      Setting<?> setting = find(name);
      if (setting == null) {
        problems.add(
            "%s: unknown key '%s'%s".formatted(file, entry.getKey(), suggestion(name, options())));
      } else {
        put(given, setting, file + ": " + name, String.valueOf(entry.getValue()), problems);
      }
    }
    return given;
  }

  private static Setting<?> find(String name) {
    return TrainSettings.ALL.stream()
        .filter(setting -> names(setting).contains(name))
        .findFirst()
        .orElse(null);
  }

  private static Map<String, Object> parseFile(Path file) {
    YAMLMapper yaml =
        YAMLMapper.builder(new YAMLFactory())
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .build();
    try {
      Map<String, Object> values =
          yaml.readValue(file.toFile(), new TypeReference<Map<String, Object>>() {});
      return values == null ? Map.of() : values;
    } catch (JsonProcessingException e) {
      throw new UsageException(
          "%s line %d: expected 'option: value' lines, found: %s"
              .formatted(
                  file,
                  e.getLocation() == null ? 1 : e.getLocation().getLineNr(),
                  e.getOriginalMessage().lines().findFirst().orElse("")));
    } catch (IOException e) {
      throw new UsageException("--config: cannot read " + file + ": " + e.getMessage());
    }
  }
}
