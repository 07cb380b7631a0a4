package io.github.amb.runtime.plot;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.plots.run.RunReader;
import io.github.amb.runtime.command.Arguments;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/** The runs that the user names: one by one, or all below a folder. */
final class RunArguments {
  /** The option that {@link #runs} reads. */
  static final String DATA_DIR = "data-dir DIR  Add every run below this folder to those named.\n";

  private RunArguments() {}

  /**
   * The runs, in the order typed, then those of {@code --data-dir}.
   *
   * @throws UsageException if there is none
   */
  static List<RunDirectory> runs(List<String> named, Arguments arguments) {
    List<RunDirectory> runs = new ArrayList<>();
    named.stream()
        .map(RunDirectory::named)
        .filter(run -> !isBesideRuns(run, named))
        .forEach(runs::add);
    String folder = arguments.value("data-dir", null);
    if (folder != null) {
      runs.addAll(RunReader.below(Path.of(folder)));
    }
    if (runs.isEmpty()) {
      throw new UsageException(
          "expected one or more run directories (runs/<id>) or --data-dir DIR, found none");
    }
    return runs;
  }

  /**
   * Those of {@link #runs} that {@code --and-kw}, {@code --or-kw} and {@code --not-kw} select by
   * words in the names of their directories.
   *
   * @throws UsageException if there is none
   */
  static List<RunDirectory> chosen(List<String> named, Arguments given) {
    List<String> all = given.values("and-kw");
    List<String> any = given.values("or-kw");
    List<String> none = given.values("not-kw");
    Predicate<String> wanted =
        name ->
            all.stream().allMatch(name::contains)
                && (any.isEmpty() || any.stream().anyMatch(name::contains))
                && none.stream().noneMatch(name::contains);
    List<RunDirectory> runs = runs(named, given);
    List<RunDirectory> chosen = runs.stream().filter(run -> wanted.test(name(run))).toList();
    if (chosen.isEmpty()) {
      throw new UsageException(
          "--and-kw, --or-kw, --not-kw: expected to keep a run, found none of %d that fits",
          runs.size());
    }
    return chosen;
  }

  private static String name(RunDirectory run) {
    return run.path().toAbsolutePath().normalize().getFileName().toString();
  }

  /**
   * Whether this is a file or folder without a run, which {@code runs/*} includes beside the runs
   * there: figures, reports, logs, a lock.
   */
  private static boolean isBesideRuns(RunDirectory run, List<String> named) {
    return Files.exists(run.path())
        && !RunReader.isRun(run)
        && named.stream()
            .map(RunDirectory::named)
            .anyMatch(other -> isBeside(run.path(), other.path()) && RunReader.isRun(other));
  }

  private static boolean isBeside(Path one, Path other) {
    return Objects.equals(one.toAbsolutePath().getParent(), other.toAbsolutePath().getParent());
  }
}
