package io.github.amb.runtime.command;

import io.github.amb.core.option.Suggestion;
import io.github.amb.core.option.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.DefaultParser;
import org.apache.commons.cli.MissingArgumentException;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.ParseException;
import org.apache.commons.cli.UnrecognizedOptionException;

/**
 * A command line, split into options, their values and words. Names of options may have underscores
 * for dashes, and are not abbreviated. A negative number that is no option's value is a word.
 *
 * @param line the options
 * @param words what is neither an option nor a value, in order
 */
public record OptionTokens(CommandLine line, List<String> words) {
  /** Marks a negative number, which Commons CLI takes for an option; no user types it. */
  private static final String WORD = "\uE000";

  /**
   * Splits a command line.
   *
   * @param problems receives a line for each unknown option, which is left out with its value
   * @throws UsageException with all problems, if an option lacks its value
   */
  public static OptionTokens of(Options options, List<String> arguments, List<String> problems) {
    List<String> left = new ArrayList<>(arguments.stream().map(OptionTokens::dashed).toList());
    while (true) {
      try {
        CommandLine line =
            DefaultParser.builder()
                .setAllowPartialMatching(false)
                .setStripLeadingAndTrailingQuotes(false)
                .get()
                .parse(options, left.toArray(String[]::new));
        List<String> words = line.getArgList();
        return new OptionTokens(line, words.stream().map(w -> w.replace(WORD, "")).toList());
      } catch (UnrecognizedOptionException e) {
        leaveOut(e.getOption(), left, options, problems);
      } catch (ParseException e) {
        problems.add(problem(e));
        throw new UsageException(problems);
      }
    }
  }

  private static String problem(ParseException e) {
    if (!(e instanceof MissingArgumentException missing)) {
      return e.getMessage() + "; see --help";
    }
    Option option = missing.getOption();
    return "--%s: expected %s, found %s"
        .formatted(
            option.getLongOpt(),
            option.getArgName() == null ? "a value" : option.getArgName(),
            option.getArgs() > 1 ? "too few values" : "none");
  }

  /** Removes an unknown option, and its value if it seems to have one. */
  private static void leaveOut(
      String token, List<String> tokens, Options options, List<String> problems) {
    if (token.matches("-[\\d.].*")) {
      tokens.set(firstWord(token, tokens), WORD + token);
      return;
    }
    int index = tokens.indexOf(token);
    problems.add("unknown option " + token + suggestion(token, options));
    tokens.remove(index);
    boolean valued = index < tokens.size() && !tokens.get(index).startsWith("-");
    if (token.startsWith("--") && !token.contains("=") && valued) {
      tokens.remove(index);
    }
  }

  /** Index of a negative number that is no option's value. */
  private static int firstWord(String token, List<String> tokens) {
    int index = tokens.indexOf(token);
    for (int i = index; i > 0 && i < tokens.size(); i++) {
      if (tokens.get(i).equals(token) && !tokens.get(i - 1).startsWith("-")) {
        return i;
      }
    }
    return index;
  }

  private static String suggestion(String token, Options options) {
    Stream<String> known = options.getOptions().stream().map(option -> "--" + option.getLongOpt());
    String suggestion = Suggestion.forName(token.replaceFirst("=.*", ""), known.toList());
    return suggestion.startsWith(",") ? suggestion : owner(token) + "; see --help";
  }

  /** Names the commands that have an option which this one has not. */
  private static String owner(String token) {
    String name = token.replaceFirst("^--", "").replaceFirst("=.*", "");
    List<String> owners =
        ServiceLoader.load(Command.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(command -> token.startsWith("--") && command.options().hasLongOption(name))
            .map(command -> "amb " + command.name())
            .sorted()
            .toList();
    return owners.isEmpty() ? "" : ", which belongs to " + String.join(", ", owners);
  }

  private static String dashed(String argument) {
    if (!argument.startsWith("--")) {
      return argument;
    }
    int value = argument.indexOf('=');
    int end = value < 0 ? argument.length() : value;
    return argument.substring(0, end).replace('_', '-') + argument.substring(end);
  }
}
