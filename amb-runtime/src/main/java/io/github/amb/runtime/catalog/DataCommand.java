package io.github.amb.runtime.catalog;

import io.github.amb.core.command.Suggestion;
import io.github.amb.core.command.UsageException;
import io.github.amb.models.data.DataSet;
import io.github.amb.models.data.DataSetDefinition;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.data.source.Download;
import java.io.IOException;
import java.io.PrintStream;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.apache.commons.cli.Options;

/** {@code amb data}: explains, downloads and checks data sets. */
public final class DataCommand extends CatalogCommand<DataSetDefinition> {
  private static final List<String> ACTIONS = List.of("list", "fetch", "check");
  private static final String USAGE =
      """
      usage: amb data [NAME...]                   list the data sets, or explain those named
             amb data fetch NAME --data-dir DIR   download to DIR/NAME, checked by SHA-256
             amb data check NAME --data-dir DIR   read the files and print their SHA-256""";

  private final PrintStream out;
  private final PrintStream err;
  private final Supplier<Download> download;

  /** Prints to standard output and standard error. */
  public DataCommand() {
    this(
        System.out,
        System.err,
        // Made when it is needed: the program makes all commands, and this takes half a second.
        () -> new Download(HttpClient.newBuilder(), Duration.ofSeconds(30)));
  }

  DataCommand(PrintStream out, PrintStream err, Supplier<Download> download) {
    super(out, "data", "A data set says which examples a network learns.", DataSets.ALL);
    this.out = out;
    this.err = err;
    this.download = download;
  }

  @Override
  public String summary() {
    return "list, fetch and check data sets";
  }

  @Override
  public Options options() {
    return super.options().addOption(null, "data-dir", true, "where the files are");
  }

  @Override
  public List<String> words() {
    List<String> words = new ArrayList<>(ACTIONS);
    words.addAll(super.words());
    return words;
  }

  @Override
  public int run(List<String> arguments) {
    if (arguments.contains("--help") || arguments.contains("-h")) {
      out.println(USAGE);
      return 0;
    }
    if (arguments.isEmpty() || arguments.equals(List.of("list"))) {
      return super.run(List.of());
    }
    boolean known = DataSets.ALL.find(arguments.get(0)).isPresent();
    if (known || arguments.contains("--markdown")) {
      return super.run(arguments);
    }
    List<String> positional = new ArrayList<>();
    Path directory = parse(arguments, positional);
    String action = positional.isEmpty() ? "" : positional.get(0);
    if (!ACTIONS.contains(action)) {
      throw usage("unknown action '" + action + "'" + Suggestion.forName(action, words()));
    }
    if (positional.size() != 2 || action.equals("list")) {
      throw usage("expected one data set after '" + action + "'");
    }
    DataSetDefinition set = DataSets.definition(positional.get(1));
    return action.equals("fetch") ? fetch(set, directory) : check(set, directory);
  }

  /** Separates the option from the rest; null if there is no directory. */
  private static Path parse(List<String> arguments, List<String> positional) {
    Path directory = null;
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i).replaceFirst("^--data_dir\\b", "--data-dir");
      if (argument.startsWith("--data-dir=")) {
        directory = Path.of(argument.substring("--data-dir=".length()));
      } else if (argument.equals("--data-dir")) {
        if (++i == arguments.size()) {
          throw usage("--data-dir needs a directory");
        }
        directory = Path.of(arguments.get(i));
      } else if (argument.startsWith("-")) {
        throw usage(
            "unknown option '"
                + argument
                + "'"
                + Suggestion.forName(argument, List.of("--data-dir")));
      } else {
        positional.add(argument);
      }
    }
    return directory;
  }

  private static UsageException usage(String problem) {
    return new UsageException("amb data: " + problem + "\n" + USAGE);
  }

  private int fetch(DataSetDefinition set, Path directory) {
    if (directory == null && !set.files().isEmpty()) {
      throw usage("'fetch' needs --data-dir DIR");
    }
    try {
      set.fetch(directory, download.get(), out::println);
      return 0;
    } catch (IOException e) {
      err.println("amb data fetch " + set.name() + ": " + e.getMessage());
      return 1;
    }
  }

  private int check(DataSetDefinition set, Path directory) {
    DataSet data = set.load(directory, 0);
    set.checksums(directory)
        .forEach(
            (file, sha256) ->
                out.printf(
                    Locale.ROOT,
                    "%s  %s  %s%n",
                    sha256,
                    file,
                    set.isPublished(sha256) ? "as published" : "not as published"));
    out.printf(
        Locale.ROOT,
        "%s: %d training and %d test examples of %s in %d classes%n",
        data.name(),
        data.train().count(),
        data.test().count(),
        data.shape(),
        data.classes());
    return 0;
  }
}
