package io.github.amb.runtime.command;

import static io.github.amb.core.option.Decimal.format;

import java.io.IOException;
import java.io.PrintStream;
import java.util.Collection;
import java.util.List;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.apache.commons.text.WordUtils;

/** A command that takes words and its {@link #options}, which {@code --help} prints. */
public abstract class OptionsCommand extends NamedCommand {
  private static final int COLUMNS = 80;

  /** Receives results and help. */
  protected PrintStream out;

  /** Receives warnings. */
  protected PrintStream err = System.err;

  private final String synopsis;

  /**
   * A command that prints to standard output and standard error.
   *
   * @param name what the user types after {@code amb}
   * @param synopsis what follows it in help, such as {@code RUN...}
   * @param summary one line for {@code amb --help}
   */
  protected OptionsCommand(String name, String synopsis, String summary) {
    this(System.out, name, synopsis, summary);
  }

  /**
   * @param out receives results and help
   * @param name what the user types after {@code amb}
   * @param synopsis what follows it in help, such as {@code RUN...}
   * @param summary one line for {@code amb --help}
   */
  protected OptionsCommand(PrintStream out, String name, String synopsis, String summary) {
    super(name, summary);
    this.out = out;
    this.synopsis = synopsis;
  }

  /** This command, which prints to other streams from now on. */
  public OptionsCommand printingTo(PrintStream results, PrintStream warnings) {
    out = results;
    err = warnings;
    return this;
  }

  /** What follows the command's name in help. */
  public final String synopsis() {
    return synopsis;
  }

  @Override
  public int run(List<String> arguments) throws IOException, InterruptedException {
    Options options = options();
    Arguments given = Arguments.parse(options, arguments);
    if (!given.helpWanted()) {
      return run(given);
    }
    out.print(help(options.getOptions()));
    return 0;
  }

  private String help(Collection<Option> options) {
    int width = options.stream().mapToInt(option -> head(option).length()).max().orElse(0) + 2;
    StringBuilder text = new StringBuilder("usage: amb " + name() + " " + synopsis + "\n");
    text.append("\n  ").append(wrapped(summary(), COLUMNS, 2)).append("\n\n");
    for (Option option : options) {
      String head = format("%-" + width + "s", head(option));
      text.append(head).append(wrapped(option.getDescription(), COLUMNS, width)).append('\n');
    }
    return text.toString();
  }

  private static String head(Option option) {
    return "  --" + option.getLongOpt() + (option.hasArg() ? " " + option.getArgName() : "");
  }

  /** A text in lines of at most {@code columns}, all but the first after {@code indent} blanks. */
  protected static String wrapped(String text, int columns, int indent) {
    return WordUtils.wrap(text, columns - indent, "\n" + " ".repeat(indent), false);
  }

  /** Runs the command with parsed arguments, as {@link Command#run}. */
  protected abstract int run(Arguments given) throws IOException, InterruptedException;
}
