package io.github.amb.it.document;

import io.github.amb.core.scheme.Schemes;
import io.github.amb.runtime.command.Command;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.commons.cli.Option;

/** Whether the program has a command, and the command its options. */
final class AmbCommand {
  private static final Pattern OPTION = Pattern.compile("--[A-Za-z][\\w-]*");

  private static final Map<String, Command> COMMANDS =
      ServiceLoader.load(Command.class).stream()
          .map(ServiceLoader.Provider::get)
          .collect(Collectors.toMap(Command::name, Function.identity()));

  private final SourceTree tree;
  private final Map<String, Set<String>> options = new HashMap<>();

  AmbCommand(SourceTree tree) {
    this.tree = tree;
    for (Command command : COMMANDS.values()) {
      Set<String> names = new HashSet<>(Set.of("--help", "--plugins")); // Of every command.
      for (Option option : command.options().getOptions()) {
        names.add("--" + option.getLongOpt());
      }
      options.put(command.name(), names);
    }
  }

  static boolean isCommand(String name) {
    return COMMANDS.containsKey(name);
  }

  static boolean isOption(String word) {
    return OPTION.matcher(word).matches();
  }

  /**
   * @param words what follows the program's name
   */
  List<String> problems(List<String> words) {
    if (words.isEmpty() || words.get(0).matches("--?(help|version)|…|help|COMMAND")) {
      return List.of();
    }
    String name = words.get(0);
    if (!isCommand(name)) {
      return List.of("no command: amb " + name);
    }
    if (name.equals("bench")
        && words.size() > 1
        && words.get(1).matches("[a-z]+")
        && !COMMANDS.get(name).words().contains(words.get(1))) {
      return List.of("no benchmark: " + words.get(1));
    }
    // Bench partitions plot takes the options of plot.
    boolean plots = name.equals("bench") && words.contains("plot");
    List<String> problems =
        new ArrayList<>(unknown(plots ? "plot" : name, words.subList(1, words.size())));
    if (name.equals("train") && words.size() > 2 && Schemes.ALL.names().contains(words.get(2))) {
      problems.addAll(missing(words.get(2), words));
    }
    return problems;
  }

  /** Options without which a scheme does not start. */
  private static List<String> missing(String scheme, List<String> words) {
    Set<String> given =
        words.stream()
            .map(word -> word.replaceFirst("=.*", "").replace('_', '-'))
            .collect(Collectors.toSet());
    return Schemes.named(scheme).options().stream()
        .filter(option -> option.required() && !given.contains("--" + option.name()))
        .map(option -> "scheme %s without --%s".formatted(scheme, option.name()))
        .toList();
  }

  /** Options among the words that a command does not have. */
  List<String> unknown(String command, List<String> words) {
    return words.stream()
        .map(word -> word.replaceFirst("=.*", "").replaceFirst("[,.)…]+$", ""))
        .filter(AmbCommand::isOption)
        .filter(word -> !hasOption(command, word))
        .map(word -> "amb " + command + " has no option " + word)
        .toList();
  }

  boolean isOptionOfAny(String option) {
    return options.keySet().stream().anyMatch(command -> hasOption(command, option));
  }

  private boolean hasOption(String command, String option) {
    return options.get(command).contains(option.replace('_', '-')) || inSource(command, option);
  }

  /** Some commands read options themselves: a class of the package then has the name in quotes. */
  private boolean inSource(String command, String option) {
    Path folder =
        Path.of("src/main/java", COMMANDS.get(command).getClass().getPackageName().split("\\."));
    Pattern name =
        Pattern.compile("\"(?:--)?" + option.substring(2).replaceAll("[-_]", "[-_]") + "\"");
    return tree.sources(folder).anyMatch(file -> name.matcher(SourceTree.text(file)).find());
  }
}
