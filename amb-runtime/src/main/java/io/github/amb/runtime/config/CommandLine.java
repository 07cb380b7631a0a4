package io.github.amb.runtime.config;

import io.github.amb.core.option.Setting;
import io.github.amb.core.option.Suggestion;
import io.github.amb.core.option.UsageException;
import io.github.amb.runtime.command.Arguments;
import io.github.amb.runtime.command.OptionTokens;
import io.github.amb.runtime.console.OutputSettings;
import io.github.amb.runtime.console.RunView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/**
 * What the user typed after {@code amb train}: options, and files of options. Of several values of
 * an option, the last one on the command line counts, else the one of the last file. All problems
 * are reported at once.
 *
 * @param settings every option's value
 * @param help what {@code --help} asks about, empty if that is nothing special; null if help was
 *     not asked for. With help, nothing else was read
 * @param printConfig whether {@code --print-config} was among them
 * @param dryRun whether {@code --dry-run} was among them
 */
public record CommandLine(Settings settings, String help, boolean printConfig, boolean dryRun) {
  private static final String CONFIG = "config";
  private static final String HELP = "help";
  private static final String PRINT_CONFIG = "print-config";
  private static final String QUIET = "quiet";
  private static final String DRY_RUN = "dry-run";

  /** The options that are no values of a run, but for {@code --help}. */
  static final Options PROGRAM =
      Arguments.options(
          """
          config FILE   options in YAML, or the run.json of a run; repeatable, the last file wins, the
              command line wins over files
          quiet         print the run's directory alone, as --progress none
          print-config  check all, print every value with its origin, and exit
          dry-run       check all, say what would run, and exit; nothing is started or written
          """);

  /** Names of the options that are no values of a run. */
  static final Set<String> PROGRAM_NAMES = Set.of(CONFIG, HELP, PRINT_CONFIG, QUIET, DRY_RUN);

  private static final String EXPECTED = "expected DATA-SET SCHEME UPDATE-RULE BATCH-SIZE, found ";

  /**
   * Reads a command line. Underscores in option names are read as dashes.
   *
   * @throws UsageException naming every option that is unknown or out of range, and everything that
   *     is wrong with the files
   */
  public static CommandLine parse(List<String> arguments) {
    List<String> problems = new ArrayList<>();
    OptionTokens tokens = OptionTokens.of(options(), arguments, problems);
    var typed = tokens.line();
    if (typed.hasOption(HELP)) {
      return new CommandLine(Settings.NONE, typed.getOptionValue(HELP, ""), false, false);
    }
    List<ConfigFile> files = files(typed, problems);
    Settings settings = layered(files, typedOptions(tokens, problems));
    UsageException.expectNone(problems);
    return new CommandLine(settings, null, typed.hasOption(PRINT_CONFIG), typed.hasOption(DRY_RUN));
  }

  private static List<ConfigFile> files(
      org.apache.commons.cli.CommandLine typed, List<String> problems) {
    List<ConfigFile> files = new ArrayList<>();
    for (String file : typed.hasOption(CONFIG) ? typed.getOptionValues(CONFIG) : new String[0]) {
      try {
        files.add(ConfigFile.read(file, problems));
      } catch (UsageException e) {
        e.getMessage().lines().forEach(problems::add);
      }
    }
    return files;
  }

  /** A later file wins over an earlier one, and what was typed over all files. */
  private static Settings layered(List<ConfigFile> files, Settings typed) {
    Settings always = Settings.NONE;
    for (ConfigFile file : files) {
      always = file.always().over(always);
    }
    String scheme = typed.over(always).get(TrainSettings.SCHEME);
    Settings settings = Settings.NONE;
    for (ConfigFile file : files) {
      settings = file.of(scheme).over(settings);
    }
    return typed.over(settings);
  }

  /** The options as Commons CLI knows them. */
  public static Options options() {
    Options options = new Options();
    for (Setting<?> setting : TrainSettings.ALL) {
      setting.names().forEach(name -> options.addOption(option(setting, name)));
    }
    options.addOptions(PROGRAM);
    options.addOption(Option.builder("h").longOpt(HELP).hasArg().optionalArg(true).get());
    return options;
  }

  /** The values of the options that take one of some words, by long name. */
  public static Map<String, List<String>> choices() {
    return TrainSettings.ALL.stream()
        .filter(setting -> !setting.form().choices().isEmpty())
        .collect(Collectors.toMap(Setting::name, setting -> setting.form().choices()));
  }

  /** The long name of an option with this name or alias; the name itself if there is none. */
  public static String longName(String name) {
    Setting<?> setting = byName().get(name);
    return setting == null ? name : setting.name();
  }

  private static Option option(Setting<?> setting, String name) {
    return Option.builder().longOpt(name).hasArg().optionalArg(setting.implied() != null).get();
  }

  /** The end of the message about an unknown key of a file. */
  static String suggestion(String name) {
    List<String> known = TrainSettings.ALL.stream().flatMap(s -> s.names().stream()).toList();
    String suggestion = Suggestion.forName(name, known);
    return suggestion.startsWith(",") ? suggestion : "; see amb train --help";
  }

  private static Settings typedOptions(OptionTokens tokens, List<String> problems) {
    var typed = tokens.line();
    Settings.Reader given = new Settings.Reader();
    positional(tokens.words(), given, problems);
    List<Setting<?>> words = TrainSettings.POSITIONAL.stream().filter(given::has).toList();
    if (typed.hasOption(QUIET)) {
      given.put(OutputSettings.PROGRESS, "--quiet", RunView.NONE, Settings.COMMAND_LINE, problems);
    }
    Map<String, Setting<?>> settings = byName();
    for (Option option : typed.getOptions()) {
      Setting<?> setting = settings.get(option.getLongOpt());
      if (setting != null) {
        String where = "--" + option.getLongOpt();
        String value = option.getValue(String.valueOf(setting.implied()));
        if (words.contains(setting)) {
          problems.add(second(where, value));
        }
        given.put(setting, where, value, Settings.COMMAND_LINE, problems);
      }
    }
    return given.settings();
  }

  /** The problem of a second value where one is expected. */
  static String second(String where, String text) {
    return where + ": expected one value, found a second one, '" + text + "'";
  }

  private static void positional(List<String> words, Settings.Reader given, List<String> problems) {
    for (int i = 0; i < words.size(); i++) {
      if (i < TrainSettings.POSITIONAL.size()) {
        Setting<?> setting = TrainSettings.POSITIONAL.get(i);
        String where = setting.name().replace('-', ' ');
        given.put(setting, where, words.get(i), Settings.COMMAND_LINE, problems);
      } else {
        problems.add(EXPECTED + "also '" + words.get(i) + "'");
      }
    }
  }

  /** Meanings of the {@link #PROGRAM} options, by dashed name and value. */
  static void describeProgram(BiConsumer<String, String> help) {
    for (Option option : PROGRAM.getOptions()) {
      String value = option.hasArg() ? " " + option.getArgName() : "";
      help.accept("--" + option.getLongOpt() + value, option.getDescription());
    }
  }

  /** The settings by each of their names. */
  static Map<String, Setting<?>> byName() {
    return TrainSettings.ALL.stream()
        .flatMap(setting -> setting.names().stream().map(name -> Map.entry(name, setting)))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }
}
