package io.github.amb.runtime.config;

import io.github.amb.core.codec.Codec;
import io.github.amb.core.codec.Codecs;
import io.github.amb.core.command.Command;
import io.github.amb.core.command.UsageException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** {@code amb codecs [CODEC...]}: lists the codecs for {@code --codec}, with their properties. */
public final class CodecsCommand implements Command {
  private static final String USAGE =
      "usage: amb codecs [CODEC...]\nLists the codecs, or describes those named.";
  private static final int ROWS = 512;
  private static final int COLUMNS = 256;

  private final PrintStream out;

  /** Prints to standard output. */
  public CodecsCommand() {
    this(System.out);
  }

  CodecsCommand(PrintStream out) {
    this.out = out;
  }

  @Override
  public String name() {
    return "codecs";
  }

  @Override
  public String summary() {
    return "list the gradient codecs with their bias and error bounds";
  }

  @Override
  public int run(List<String> arguments) {
    if (arguments.contains("--help") || arguments.contains("-h")) {
      out.println(USAGE);
      return 0;
    }
    if (arguments.stream().anyMatch(argument -> argument.startsWith("-"))) {
      throw new UsageException("amb codecs: expected names of codecs, found an option\n" + USAGE);
    }
    if (!arguments.isEmpty()) {
      arguments.forEach(text -> out.println(text + ": " + describe(text)));
      return 0;
    }
    for (Codecs.Entry entry : Codecs.all().all()) {
      out.println(entry.name() + entry.arguments());
      out.println("    " + entry.summary());
      out.println("    " + describe(entry.name()));
    }
    out.println("additions: " + Codecs.ADDITIONS);
    return 0;
  }

  private static String describe(String text) {
    Codec codec = Codecs.parse(text).codec();
    double bound = codec.errorBound(ROWS, COLUMNS);
    return String.format(
        Locale.ROOT,
        "%s; %s without decoding; relative squared error of a block [%d, %d] %s",
        codec.isUnbiased() ? "unbiased" : "biased",
        codec.isAddable() ? "can be added" : "cannot be added",
        ROWS,
        COLUMNS,
        Double.isInfinite(bound)
            ? "without a known bound"
            : String.format(Locale.ROOT, "at most %.3g", bound));
  }
}
