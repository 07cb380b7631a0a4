package io.github.amb.runtime.catalog;

import io.github.amb.core.gradient.Sharding;
import io.github.amb.core.option.Suggestion;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.ExitCode;
import io.github.amb.models.data.DataSetDefinition;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.data.DataSettings;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.source.Download;
import io.github.amb.runtime.command.Arguments;
import java.io.IOException;
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
  private static final String LIST = "list";
  private static final String FETCH = "fetch";
  private static final List<String> ACTIONS = List.of(LIST, FETCH, "check");
  private static final String DATA_DIR = "data-dir";
  private static final String SHARDS = "shards";
  private static final String WORKERS = "workers";
  private static final String SEED = "seed";

  private final Supplier<Download> download;

  /** Prints to standard output and standard error. */
  public DataCommand() {
    this(
        // Made when it is needed: the program makes all commands, and this takes half a second.
        () -> new Download(HttpClient.newBuilder(), Duration.ofSeconds(30)));
  }

  DataCommand(Supplier<Download> download) {
    super(
        "data",
        "[NAME... | PATH | fetch NAME | check NAME]",
        "list and explain data sets; show what your own data are read as; fetch or check one",
        "A data set says which examples a network learns.",
        DataSets.ALL);
    this.download = download;
  }

  @Override
  public Options options() {
    return Arguments.options(
        """
        data-dir DIR   where the files are, in DIR/NAME
        shards KIND    show the classes of workers, as in training
        workers N      number of workers for --shards. Default: 10
        seed N         seed for --shards. Default: 1
        """);
  }

  @Override
  public List<String> words() {
    List<String> words = new ArrayList<>(ACTIONS);
    words.addAll(super.words());
    return words;
  }

  @Override
  protected int run(Arguments given) throws IOException {
    List<String> words = given.positional();
    if (given.has(SHARDS)) {
      out.print(shards(given));
      return 0;
    }
    if (words.isEmpty() || DataSets.ALL.find(words.get(0)).isPresent()) {
      return super.run(given);
    }
    if (words.equals(List.of(LIST))) {
      explain(List.of());
      return 0;
    }
    String action = words.get(0);
    String directory = given.value(DATA_DIR, null);
    Path path = directory == null ? null : Path.of(directory);
    boolean shown = words.size() == 1 && !ACTIONS.contains(action);
    if (shown && DataSets.find(action).isPresent()) {
      out.print(new DataPreview(DataSets.load(action, path, 0)).text());
      return 0;
    }
    Suggestion.expectKnown("unknown action or data set", action, words());
    if (words.size() != 2 || action.equals(LIST)) {
      throw new UsageException(
          "expected one data set after '%s', found %d", action, words.size() - 1);
    }
    DataSetDefinition set = DataSets.definition(words.get(1));
    return action.equals(FETCH) ? fetch(set, path) : check(set, path);
  }

  private static String shards(Arguments given) {
    String text = DataSettings.SHARDS.parse("--" + SHARDS, given.value(SHARDS, ""));
    if (given.positional().size() != 1) {
      throw new UsageException(
          "--shards: expected one data set, found %d", given.positional().size());
    }
    String directory = given.value(DATA_DIR, null);
    long seed = (long) given.number(SEED).orElse(1);
    DataSet data =
        DataSets.load(
            given.positional().get(0), directory == null ? null : Path.of(directory), seed);
    double workers = given.number(WORKERS).orElse(10);
    if (workers < 1 || workers > data.train().count() || workers != Math.rint(workers)) {
      throw new UsageException(
          "--workers: expected 1 to %d, the training examples, found %s",
          data.train().count(), given.value(WORKERS, ""));
    }
    return new ShardTable(data, Sharding.named(text), (int) workers, seed).text();
  }

  private int fetch(DataSetDefinition set, Path directory) {
    if (directory == null && !set.files().isEmpty()) {
      throw new UsageException("fetch: expected --data-dir DIR, found none");
    }
    try {
      set.fetch(directory, download.get(), out::println);
      return 0;
    } catch (IOException e) {
      err.println("amb data fetch " + set.name() + ": " + e.getMessage());
      return ExitCode.FAILED;
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
                    set.isPublished(sha256)
                        ? "as published"
                        : set.hasChecksums() ? "not as published" : "published without checksum"));
    out.print(new DataPreview(data).size());
    return 0;
  }
}
