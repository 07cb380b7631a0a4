package io.github.amb.plots.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.github.amb.core.command.UsageException;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.WorkerRecord;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Reads run directories; what is wrong with one is said in a {@link UsageException}. */
public final class RunReader {
  private RunReader() {}

  /**
   * Reads runs, in the order given; a run given twice is read once.
   *
   * @throws UsageException if a directory is not a run directory or a log cannot be read
   */
  public static List<Run> readAll(List<RunDirectory> directories) {
    Map<Path, RunDirectory> distinct = new LinkedHashMap<>();
    for (RunDirectory directory : directories) {
      distinct.putIfAbsent(directory.path().toAbsolutePath().normalize(), directory);
    }
    return distinct.values().stream().map(RunReader::read).toList();
  }

  /**
   * Reads one run.
   *
   * @throws UsageException if it is not a run directory or a log cannot be read
   */
  public static Run read(RunDirectory directory) {
    requireRunDirectory(directory);
    try {
      RunInfo info = readInfo(directory);
      List<LogRecord> master = directory.masterRecords();
      List<Integer> ranks = directory.workers();
      List<WorkerRecord> workers = new ArrayList<>();
      for (int rank : ranks) {
        for (LogRecord record : directory.workerRecords(rank)) {
          if (record instanceof WorkerRecord worker) {
            workers.add(worker);
          }
        }
      }
      int count = ranks.isEmpty() ? configuredWorkers(info) : ranks.size();
      return new Run(directory, info, master, workers, count);
    } catch (CharacterCodingException e) {
      throw new UsageException(directory.path() + ": expected logs in UTF-8, found other bytes");
    } catch (IOException e) {
      throw new UsageException(e.getMessage());
    }
  }

  /**
   * Every run directory in a folder or below it, sorted by path.
   *
   * @throws UsageException if the folder is missing or there is none
   */
  public static List<RunDirectory> below(Path folder) {
    if (!Files.isDirectory(folder)) {
      throw new UsageException(folder + ": expected a folder with run directories, found none");
    }
    try (Stream<Path> paths = Files.walk(folder)) {
      List<RunDirectory> runs =
          paths
              .filter(path -> path.endsWith("run.json"))
              .map(path -> new RunDirectory(path.getParent()))
              .filter(run -> Files.exists(run.masterLog()))
              .sorted((a, b) -> a.path().compareTo(b.path()))
              .toList();
      if (runs.isEmpty()) {
        throw new UsageException(
            folder + ": expected run directories (with run.json and master.jsonl), found none");
      }
      return runs;
    } catch (IOException e) {
      throw new UsageException(folder + ": cannot list the folder: " + e.getMessage());
    }
  }

  private static void requireRunDirectory(RunDirectory run) {
    String expected = run.path() + ": expected a run directory (with run.json and master.jsonl)";
    if (!Files.exists(run.path())) {
      throw new UsageException(expected + ", found nothing of that name");
    }
    if (!Files.isDirectory(run.path())) {
      throw new UsageException(expected + ", found a file");
    }
    for (Path file : List.of(run.info(), run.masterLog())) {
      if (!Files.isRegularFile(file)) {
        throw new UsageException(expected + ", found no " + file.getFileName() + hint(run.path()));
      }
    }
  }

  private static String hint(Path path) {
    try (Stream<Path> children = Files.list(path)) {
      return children.anyMatch(child -> Files.exists(child.resolve("run.json")))
          ? "; for all runs below it use --data-dir " + path
          : "";
    } catch (IOException e) {
      return "";
    }
  }

  private static RunInfo readInfo(RunDirectory directory) throws IOException {
    try {
      RunInfo info = directory.read();
      if (info.configuration() != null) {
        return info;
      }
      throw new UsageException(
          directory.info() + ": expected the run's configuration, found a file without one");
    } catch (JsonProcessingException e) {
      throw new UsageException(
          "%s: expected a JSON description of the run, found %s"
              .formatted(directory.info(), e.getOriginalMessage()));
    }
  }

  private static int configuredWorkers(RunInfo info) {
    String workers = info.configured("workers", "0");
    return workers.matches("\\d{1,9}") ? Integer.parseInt(workers) : 0;
  }
}
