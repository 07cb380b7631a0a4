package io.github.amb.runtime.runs;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.github.amb.core.file.FolderVisitor;
import io.github.amb.core.option.Setting;
import io.github.amb.core.option.Suggestion;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.runtime.command.Arguments;
import io.github.amb.runtime.command.OptionsCommand;
import io.github.amb.runtime.command.TerminalDevice;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.commons.cli.Options;

/** {@code amb runs}: lists runs, compares what differs, removes and archives them. */
public final class RunsCommand extends OptionsCommand {
  private static final Setting<String> FORMAT =
      Setting.choice("format", "table", "json").in("table or json");
  private static final String LIST = "list";
  private static final String COMPARE = "compare";
  private static final String REMOVE = "remove";
  private static final String ARCHIVE = "archive";
  private static final List<String> ACTIONS = List.of(LIST, COMPARE, REMOVE, ARCHIVE);

  /** Folders below that for runs which are looked through for runs. */
  private static final int DEPTH = 3;

  private final int width;

  /** Prints to standard output. */
  public RunsCommand() {
    this(System.out, TerminalDevice.width());
  }

  RunsCommand(PrintStream out, int width) {
    super(
        out,
        "runs",
        "[list | compare RUN... | remove RUN... | archive RUN...]",
        "list runs, compare what differs, remove and archive them");
    this.width = width;
  }

  @Override
  public List<String> words() {
    return ACTIONS;
  }

  @Override
  public Map<String, List<String>> values() {
    return Map.of("sort", RunTable.columns(), "format", FORMAT.form().choices());
  }

  @Override
  public Options options() {
    return Arguments.options(
        """
        runs-dir DIR    Where runs are looked for. Default: runs.
        filter WORD...  Only runs with this in their name, as a tag or as their state; or with
            OPTION=VALUE. All have to fit.
        sort COLUMN     One of %s. Default: started.
        reverse         In reverse order.
        format FORMAT   table or json. Default: table.
        out DIR         archive: where ZIP files are made. Default: archived-runs.
        yes             remove: really.
        """
            .formatted(String.join(", ", RunTable.columns())));
  }

  @Override
  protected int run(Arguments given) throws IOException {
    List<String> words = given.positional();
    String action = words.isEmpty() ? LIST : words.get(0);
    List<String> named = words.isEmpty() ? List.of() : words.subList(1, words.size());
    Suggestion.expectKnown("unknown action", action, ACTIONS);
    switch (action) {
      case LIST -> list(named, given);
      case COMPARE -> out.print(RunTable.differences(entries(action, named, given), width));
      case REMOVE -> remove(named, given);
      default -> archive(named, given);
    }
    out.flush();
    return 0;
  }

  private void list(List<String> named, Arguments given) throws IOException {
    if (!named.isEmpty()) {
      throw new UsageException(
          "expected no word after list, found %s; name a folder with --runs-dir",
          String.join(" ", named));
    }
    String format = given.get(FORMAT);
    RunFilter filter = new RunFilter(given.values("filter"));
    List<RunEntry> found =
        below(folder(given)).stream().parallel().map(RunEntry::of).filter(filter).toList();
    List<RunEntry> runs =
        RunTable.sorted(found, given.value("sort", "started"), given.has("reverse"));
    if (format.equals("json")) {
      out.println(
          new ObjectMapper()
              .enable(SerializationFeature.INDENT_OUTPUT)
              .writeValueAsString(runs.stream().map(RunTable::cells).toList()));
    } else if (runs.isEmpty()) {
      out.println("no run in " + folder(given) + (found.isEmpty() ? "" : " fits"));
    } else {
      out.print(RunTable.list(runs, width));
    }
  }

  private static Path folder(Arguments given) {
    return Path.of(given.value("runs-dir", RunDirectory.USUAL_FOLDER.toString()));
  }

  private static List<RunDirectory> below(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new UsageException(
          "--runs-dir: expected a folder of runs, found no folder '%s'", folder);
    }
    RunFinder finder = new RunFinder();
    Files.walkFileTree(folder, Set.of(), DEPTH, finder);
    return finder.runs;
  }

  /** Collects run directories, also those inside others, but not what a resumed run replaced. */
  private static final class RunFinder extends FolderVisitor {
    private final List<RunDirectory> runs = new ArrayList<>();

    RunFinder() {
      super(warning -> System.err.println("amb: " + warning));
    }

    @Override
    public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
      boolean replaced =
          path.endsWith("superseded")
              && runs.stream().anyMatch(run -> run.superseded().equals(path));
      return replaced ? FileVisitResult.SKIP_SUBTREE : visitFile(path, attributes);
    }

    /** A file, or a folder at the greatest depth. */
    @Override
    public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
      RunDirectory run = new RunDirectory(path);
      if (Files.isRegularFile(run.info())) {
        runs.add(run);
      }
      return FileVisitResult.CONTINUE;
    }
  }

  /** Runs by their paths, or by their names in the folder of runs. */
  private static List<RunDirectory> runs(String action, List<String> named, Arguments given) {
    List<String> problems = new ArrayList<>();
    List<RunDirectory> runs = new ArrayList<>();
    for (String name : named) {
      Path path = RunDirectory.named(name, folder(given)).path();
      RunDirectory run = new RunDirectory(path.toAbsolutePath().normalize());
      if (Files.isRegularFile(run.info())) {
        runs.add(run);
      } else {
        problems.add(
            "expected a run directory, or the name of one in %s, found '%s'"
                .formatted(folder(given), name));
      }
    }
    UsageException.expectNone(problems);
    if (runs.isEmpty()) {
      throw new UsageException(
          "amb runs %s: expected one or more runs, found none; amb runs lists them", action);
    }
    return runs;
  }

  private static List<RunEntry> entries(String action, List<String> named, Arguments given) {
    List<RunEntry> entries = runs(action, named, given).stream().map(RunEntry::of).toList();
    for (RunEntry entry : entries) {
      if (entry.info() == null) {
        throw new UsageException(
            entry.directory().info() + ": expected the description of a run, found another file");
      }
    }
    return entries;
  }

  private void remove(List<String> named, Arguments given) throws IOException {
    List<RunDirectory> runs = runs(REMOVE, named, given);
    if (!given.has("yes")) {
      List<String> problems = new ArrayList<>();
      for (RunDirectory run : runs) {
        problems.add("%s (%s MB) would be removed".formatted(run.path(), RunFiles.megabytes(run)));
      }
      problems.add("amb runs remove: expected --yes to remove these directories, found none");
      throw new UsageException(problems);
    }
    for (RunDirectory run : runs) {
      RunFiles.remove(run);
      out.println("removed " + run.path());
    }
  }

  private void archive(List<String> named, Arguments given) throws IOException {
    Path folder = Path.of(given.value("out", "archived-runs"));
    for (RunDirectory run : runs(ARCHIVE, named, given)) {
      out.println(RunFiles.archive(run, folder));
    }
  }
}
