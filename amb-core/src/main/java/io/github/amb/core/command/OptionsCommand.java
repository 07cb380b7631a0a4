package io.github.amb.core.command;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.help.HelpFormatter;
import org.apache.commons.cli.help.TextHelpAppendable;

/** A command that takes words and its {@link #options}, which {@code --help} prints. */
public abstract class OptionsCommand extends NamedCommand {
  /** Receives results and help. */
  protected final PrintStream out;

  private final String synopsis;

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
    HelpFormatter.builder()
        .setHelpAppendable(new TextHelpAppendable(out))
        .setShowSince(false)
        .setComparator((a, b) -> 0)
        .get()
        .printHelp("amb " + name() + " " + synopsis, summary(), options, "", false);
    return 0;
  }

  /** Runs the command with parsed arguments, as {@link Command#run}. */
  protected abstract int run(Arguments given) throws IOException, InterruptedException;
}
