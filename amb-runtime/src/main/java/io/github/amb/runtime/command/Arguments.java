package io.github.amb.runtime.command;

import io.github.amb.core.option.Setting;
import io.github.amb.core.option.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.apache.commons.cli.CommandLine;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;

/** The arguments after a command's name. Long options may have underscores for dashes. */
public final class Arguments {
  private static final Option HELP =
      Option.builder("h").longOpt("help").desc("Print this help.").get();

  private final CommandLine line;
  private final List<String> words;

  private Arguments(OptionTokens tokens) {
    line = tokens.line();
    words = tokens.words();
  }

  /**
   * Parses arguments.
   *
   * @param options the options of the command
   * @param arguments what the user typed after the command's name; not modified
   * @throws UsageException listing every option that is unknown, or naming one that lacks its value
   */
  public static Arguments parse(Options options, List<String> arguments) {
    options.addOption(HELP);
    List<String> problems = new ArrayList<>();
    OptionTokens tokens = OptionTokens.of(options, arguments, problems);
    UsageException.expectNone(problems);
    return new Arguments(tokens);
  }

  /**
   * Options.
   *
   * @param table one a line: its name, what stands for its values in help, two blanks, and a text,
   *     which indented lines continue. {@code X...} stands for one value or more, {@code X Y} for
   *     two
   */
  public static Options options(String table) {
    Options options = new Options();
    for (String line : table.replaceAll("\\n +", " ").lines().toList()) {
      String[] parts = line.split("  +", 2);
      String[] head = parts[0].split(" ", 2);
      Option.Builder option = Option.builder().longOpt(head[0]).desc(parts[1]);
      if (head.length == 2) {
        boolean several = head[1].matches("\\w+\\.{3}");
        option.numberOfArgs(several ? Option.UNLIMITED_VALUES : head[1].split(" ").length);
        option.argName(head[1]);
      }
      options.addOption(option.get());
    }
    return options;
  }

  /** Whether the user requested help. */
  boolean helpWanted() {
    return line.hasOption(HELP);
  }

  /** Whether an option was given. */
  public boolean has(String option) {
    return line.hasOption(option);
  }

  /** The arguments that are neither options nor values of options. */
  public List<String> positional() {
    return words;
  }

  /**
   * The only argument that is neither an option nor a value of one.
   *
   * @param what what is expected, such as "one run directory"
   * @throws UsageException if there is none, or more than one
   */
  public String single(String what) {
    if (words.size() != 1) {
      throw new UsageException("expected " + what + ", found " + words.size());
    }
    return words.get(0);
  }

  /** All values of an option. Commas separate values, too. */
  public List<String> values(String option) {
    String[] values = line.getOptionValues(option);
    return values == null
        ? List.of()
        : Stream.of(values).flatMap(value -> Stream.of(value.split(","))).toList();
  }

  /** All values of an option, in which commas stay; empty if it is not set. */
  public List<String> texts(String option) {
    String[] values = line.getOptionValues(option);
    return values == null ? List.of() : List.of(values);
  }

  /** The value of an option, or {@code otherwise} if it is not set. */
  public String value(String option, String otherwise) {
    return line.getOptionValue(option, otherwise);
  }

  /**
   * The value of an option, or its default if it is not set.
   *
   * @throws UsageException if it is not of the option's type or out of range
   */
  public <T> T get(Setting<T> option) {
    String text = line.getOptionValue(option.name());
    return text == null ? option.fallback() : option.parse("--" + option.name(), text);
  }

  /**
   * The value of an option, as a number above 0; empty if it is not set.
   *
   * @throws UsageException if it is not a finite number above 0
   */
  public OptionalDouble number(String option) {
    Double number = get(positive(option));
    return number == null ? OptionalDouble.empty() : OptionalDouble.of(number);
  }

  /**
   * The two values of an option, as numbers above 0.
   *
   * @param first first value if the option is not set
   * @param second second value if the option is not set
   * @throws UsageException if there are not two values, or one is not a finite number above 0
   */
  public double[] pair(String option, double first, double second) {
    String[] texts = line.getOptionValues(option);
    if (texts == null) {
      return new double[] {first, second};
    }
    if (texts.length != 2) {
      throw new UsageException(
          "--%s: expected two numbers, found %s", option, String.join(" ", texts));
    }
    Setting<Double> number = positive(option);
    return Stream.of(texts).mapToDouble(text -> number.parse("--" + option, text)).toArray();
  }

  private static Setting<Double> positive(String option) {
    return Setting.positive(option, null).in("a number above 0");
  }
}
