package io.github.amb.runtime.config;

import io.github.amb.core.command.Suggestion;
import io.github.amb.core.command.UsageException;
import io.github.amb.runtime.console.RunView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.MissingArgumentException;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;
import org.apache.commons.cli.UnrecognizedOptionException;

/**
 * What the user typed after {@code amb train}: options, and a file of options. A value on the
 * command line wins over one in the file. All problems are reported at once.
 *
 * @param settings every option's value
 * @param help what {@code --help} asks about, empty if that is nothing special; null if help was
 *     not asked for. With help, nothing else was read
 * @param printConfig whether {@code --print-config} was among them
 */
public record CommandLine(Settings settings, String help, boolean printConfig) {
  private static final String CONFIG = "config";
  private static final String HELP = "help";
  private static final String PRINT_CONFIG = "print-config";
  private static final String QUIET = "quiet";

  static final String CONFIG_HELP = "file of options in YAML; the command line wins over it";
  static final String QUIET_HELP = "print the run's directory alone, as --progress none";
  static final String PRINT_CONFIG_HELP = "print every option's value and exit";

  private static final String EXPECTED = "expected DATA-SET SCHEME UPDATE-RULE BATCH-SIZE, found ";

  /**
   * Reads a command line. Underscores in option names are read as dashes.
   *
   * @throws UsageException naming every option that is unknown, out of range or given twice, and
   *     everything that is wrong with the file
   */
  public static CommandLine parse(List<String> arguments) {
    List<String> problems = new ArrayList<>();
    var typed = tokens(arguments, problems);
    if (typed.hasOption(HELP)) {
      return new CommandLine(new Settings(Map.of()), typed.getOptionValue(HELP, ""), false);
    }
    Settings inFile =
        typed.hasOption(CONFIG)
            ? ConfigFile.read(typed.getOptionValue(CONFIG), problems)
            : new Settings(Map.of());
    Settings settings = new Settings(typedOptions(typed, problems)).over(inFile);
    if (!problems.isEmpty()) {
      throw new UsageException(problems);
    }
    return new CommandLine(settings, null, typed.hasOption(PRINT_CONFIG));
  }

  /** The options as Commons CLI knows them. */
  public static Options options() {
    Options options = new Options();
    for (Setting<?> setting : TrainSettings.ALL) {
      setting.names().forEach(name -> options.addOption(option(setting, name)));
    }
    options.addOption(Option.builder().longOpt(CONFIG).hasArg().get());
    options.addOption(Option.builder().longOpt(PRINT_CONFIG).get());
    options.addOption(Option.builder().longOpt(QUIET).get());
    options.addOption(Option.builder("h").longOpt(HELP).hasArg().optionalArg(true).get());
    return options;
  }

  private static Option option(Setting<?> setting, String name) {
    return Option.builder().longOpt(name).hasArg().optionalArg(setting.implied() != null).get();
  }

  /** Tells options from values; what is unknown is left out and becomes a problem. */
  private static org.apache.commons.cli.CommandLine tokens(
      List<String> arguments, List<String> problems) {
    List<String> left = arguments.stream().map(CommandLine::dashed).collect(Collectors.toList());
    while (true) {
      try {
        return DefaultParser.builder()
            .setAllowPartialMatching(false)
            .setStripLeadingAndTrailingQuotes(false)
            .get()
            .parse(options(), left.toArray(String[]::new));
      } catch (UnrecognizedOptionException e) {
        problems.add(unknown(e.getOption()));
        remove(e.getOption(), left);
      } catch (MissingArgumentException e) {
        problems.add("--" + e.getOption().getLongOpt() + ": expected a value, found none");
        throw new UsageException(problems);
      } catch (ParseException e) {
        problems.add(e.getMessage());
        throw new UsageException(problems);
      }
    }
  }

  private static String unknown(String token) {
    if (token.matches("-[\\d.].*")) {
      return EXPECTED + "also '" + token + "'";
    }
    String name = token.replaceFirst("^-+", "").replaceFirst("=.*", "");
    return "unknown option " + token + suggestion(name);
  }

  /** Removes an unknown option, and its value if it seems to have one. */
  private static void remove(String token, List<String> tokens) {
    int index = tokens.indexOf(token);
    tokens.remove(index);
    boolean valued = index < tokens.size() && !tokens.get(index).startsWith("-");
    if (token.startsWith("--") && !token.contains("=") && valued) {
      tokens.remove(index);
    }
  }

  /** Ends the message about an unknown option. */
  static String suggestion(String name) {
    Collection<String> known =
        Stream.concat(
                TrainSettings.ALL.stream().map(Setting::names).flatMap(List::stream),
                Stream.of(CONFIG, PRINT_CONFIG, QUIET, HELP))
            .toList();
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
    for (int i = 0; i < positional.size(); i++) {
      if (i < TrainSettings.POSITIONAL.size()) {
        Setting<?> setting = TrainSettings.POSITIONAL.get(i);
        setting.put(given, setting.name().replace('-', ' '), positional.get(i), problems);
      } else {
        problems.add(EXPECTED + "also '" + positional.get(i) + "'");
      }
    }
    if (typed.hasOption(QUIET)) {
      TrainSettings.PROGRESS.put(given, "--quiet", RunView.NONE, problems);
    }
    Map<String, Setting<?>> settings = byName();
    for (Option option : typed.getOptions()) {
      Setting<?> setting = settings.get(option.getLongOpt());
      if (setting != null) {
        String value = option.getValue(String.valueOf(setting.implied()));
        setting.put(given, "--" + option.getLongOpt(), value, problems);
      }
    }
    return given;
  }

  /** The settings by each of their names. */
  static Map<String, Setting<?>> byName() {
    return TrainSettings.ALL.stream()
        .flatMap(setting -> setting.names().stream().map(name -> Map.entry(name, setting)))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }
}
