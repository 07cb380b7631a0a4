package io.github.amb.plots.run;

import io.github.amb.core.file.Folder;
import io.github.amb.core.file.FolderVisitor;
import io.github.amb.core.file.Reading;
import io.github.amb.core.file.SystemText;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Reads run directories, this program's and older ones'; what is wrong with one is said in a {@link
 * UsageException}. A new format is one line here.
 */
public final class RunReader {
  private static final RunFormat OWN = OwnFormat.FORMAT;

  private static final List<RunFormat> FORMATS =
      List.of(OWN, AmbCsvFormat.FORMAT, EsyncFormat.FORMAT);

  private RunReader() {}

  /**
   * Reads runs on all cores, in the order given; a run that is given twice is read once.
   *
   * @throws UsageException if a directory is not a run directory or a log cannot be read; the
   *     message is about the first such directory
   */
  public static List<Run> readAll(List<RunDirectory> directories) {
    Map<Path, RunDirectory> distinct = new LinkedHashMap<>();
    for (RunDirectory directory : directories) {
      distinct.putIfAbsent(directory.path().toAbsolutePath().normalize(), directory);
    }
    List<Supplier<Run>> runs = distinct.values().parallelStream().map(RunReader::attempt).toList();
    return runs.stream().map(Supplier::get).toList();
  }

  /** What gives the run, or throws the problem with reading it. */
  private static Supplier<Run> attempt(RunDirectory directory) {
    try {
      Run run = read(directory);
      return () -> run;
    } catch (UsageException e) {
      return () -> {
        throw e;
      };
    }
  }

  /**
   * Reads one run.
   *
   * @throws UsageException if it is not a run directory or a log cannot be read
   */
  public static Run read(RunDirectory directory) {
    requireRunDirectory(directory);
    try {
      return format(directory.path()).orElse(OWN).reader().read(directory.path());
    } catch (CharacterCodingException e) {
      throw new UsageException(directory.path() + ": expected logs in UTF-8, found other bytes");
    } catch (IOException e) {
      throw new UsageException(e.getMessage());
    }
  }

  /**
   * Accepts a directory of this program alone, whose training may not have begun.
   *
   * @throws UsageException if it has no {@code run.json}
   */
  public static void requireOwn(RunDirectory run) {
    if (!Files.isRegularFile(run.info())) {
      throw new UsageException(
          "%s: expected a run directory of this program, found %s",
          run.path(), Files.exists(run.path()) ? "no run.json in it" : "nothing of that name");
    }
  }

  /** Whether a directory has the files of a run, this program's or an older one's. */
  public static boolean isRun(RunDirectory run) {
    return Files.isDirectory(run.path())
        && (Files.exists(run.info()) || format(run.path()).isPresent());
  }

  private static Optional<RunFormat> format(Path path) {
    return FORMATS.stream().filter(format -> format.fits().test(path)).findFirst();
  }

  /**
   * Finds every run directory in or below a folder, sorted by path; none inside another.
   *
   * @throws UsageException if the folder is missing or there is none
   */
  public static List<RunDirectory> below(Path folder) {
    if (!Files.isDirectory(folder)) {
      throw new UsageException(folder + ": expected a folder with run directories, found none");
    }
    try {
      List<RunDirectory> runs = new ArrayList<>();
      Files.walkFileTree(folder, new Finder(runs));
      if (runs.isEmpty()) {
        throw new UsageException(
            folder + ": expected run directories (with " + contents() + "), found none");
      }
      runs.sort(Comparator.comparing(RunDirectory::path));
      return runs;
    } catch (IOException e) {
      throw new UsageException(folder + ": cannot list the folder: " + e.getMessage());
    }
  }

  private static String contents() {
    return FORMATS.stream().map(RunFormat::contents).collect(Collectors.joining(", or "));
  }

  /** Collects run directories top-down, without descending into them. */
  private static final class Finder extends FolderVisitor {
    private final List<RunDirectory> runs;

    Finder(List<RunDirectory> runs) {
      super(warning -> System.err.println("amb: " + warning));
      this.runs = runs;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
      if (format(path).isEmpty()) {
        return FileVisitResult.CONTINUE;
      }
      runs.add(new RunDirectory(SystemText.expectDecoded(path)));
      return FileVisitResult.SKIP_SUBTREE;
    }
  }

  private static void requireRunDirectory(RunDirectory run) {
    String expected = run.path() + ": expected a run directory (with " + OWN.contents() + ")";
    if (!Files.exists(run.path())) {
      throw new UsageException(expected + ", found nothing of that name");
    }
    if (!Files.isDirectory(run.path())) {
      throw new UsageException(expected + ", found a file");
    }
    if (format(run.path()).isPresent()) {
      return;
    }
    for (Path file : List.of(run.info(), run.masterLog())) {
      if (!Files.isRegularFile(file)) {
        throw new UsageException(expected + ", found no " + file.getFileName() + hint(run.path()));
      }
    }
  }

  private static String hint(Path path) {
    List<Path> children = Reading.orElse(List.of(), () -> Folder.entries(path));
    return children.stream().anyMatch(child -> format(child).isPresent())
        ? "; for all runs below it use --data-dir " + path
        : "";
  }
}
