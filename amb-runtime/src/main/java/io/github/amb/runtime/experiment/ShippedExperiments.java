package io.github.amb.runtime.experiment;

import io.github.amb.core.file.Folder;
import io.github.amb.core.option.Decimal;
import io.github.amb.core.option.Suggestion;
import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The experiments that come with the program, in {@code experiments/}. */
final class ShippedExperiments {
  private static final String EXTENSION = ".yaml";

  private ShippedExperiments() {}

  private static Path folder() {
    return Path.of(System.getProperty("amb.home", ""), "experiments");
  }

  /** Their files, by name. */
  static List<Path> files() throws IOException {
    if (!Files.isDirectory(folder())) {
      return List.of();
    }
    return Folder.entries(folder()).stream()
        .filter(file -> file.toString().endsWith(EXTENSION))
        .toList();
  }

  /**
   * The file that a user names: a file, or an experiment that comes with the program.
   *
   * @throws UsageException if there is neither
   */
  static Path file(String name) throws IOException {
    Path file = Path.of(name);
    if (Files.isRegularFile(file)) {
      return file;
    }
    Path shipped = folder().resolve(name + EXTENSION);
    if (!name.contains("/") && Files.isRegularFile(shipped)) {
      return shipped;
    }
    List<String> names =
        files().stream().map(one -> one.getFileName().toString().replace(EXTENSION, "")).toList();
    throw new UsageException(
        "expected an experiment's file, or one that amb experiment list shows, found '%s'%s",
        name, Suggestion.forName(name, names));
  }

  /**
   * A line for each: its name, its number of runs, what they take, and what it is.
   *
   * @param published only those of others, with their source in the place of what it is
   */
  static String list(boolean published) throws IOException {
    StringBuilder text = new StringBuilder();
    for (Path file : files()) {
      Experiment one = ExperimentFile.read(file, false, null);
      String what =
          published ? one.about().source() : one.about().description().split("(?<=\\.)\\s")[0];
      if (!what.isEmpty()) {
        text.append(
            Decimal.format(
                "%-27s %4d runs  %-16s %s%n",
                one.about().name(),
                one.variants().size() * one.seeds().size(),
                one.about().minutes(),
                what.strip().replaceAll("\\s+", " ")));
      }
    }
    return text.toString();
  }
}
