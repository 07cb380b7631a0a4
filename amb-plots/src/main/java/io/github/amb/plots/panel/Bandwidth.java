package io.github.amb.plots.panel;

import static java.util.Comparator.naturalOrder;

import io.github.amb.core.command.UsageException;
import io.github.amb.plots.run.CsvTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The seconds that the master needs to reduce arrays from its workers and to broadcast one to them,
 * against the number of workers and against the array's length.
 *
 * <p>The input is folders {@code bandwidth__<length>_<workers>} with a CSV file of columns {@code
 * last_send,last_bcast,TOTAL} in milliseconds, one line per step. If several folders contain such
 * folders, such as {@code mpj} and {@code raw socket}, they are compared at the largest number of
 * workers and at the longest array.
 */
public final class Bandwidth {
  /** The name that the user types. */
  public static final String NAME = "master_bandwidth";

  /** Names of the folders: length of the array and number of workers. */
  public static final Pattern FOLDER = Pattern.compile("bandwidth__(\\d{1,18})_(\\d{1,9})");

  private static final double MILLISECONDS = 1e3;

  private record Key(long length, int workers) {}

  private Bandwidth() {}

  /**
   * Reads folders, and those inside them. A path may be the start of folders' names, such as {@code
   * data/bandwidth__1024}.
   *
   * @throws UsageException if there are none, or a file is malformed
   */
  public static Drawing read(List<Path> given) {
    Map<String, Map<Long, Map<Integer, double[]>>> times = new TreeMap<>();
    for (Path path : given) {
      for (Path folder : folders(path)) {
        Key key = key(folder);
        times
            .computeIfAbsent(name(folder.toAbsolutePath().getParent()), what -> new TreeMap<>())
            .computeIfAbsent(key.length(), length -> new TreeMap<>())
            .put(key.workers(), totals(folder));
      }
    }
    if (times.isEmpty()) {
      throw new UsageException(
          given.get(0)
              + ": expected folders bandwidth__LENGTH_WORKERS (amb bench bandwidth), found none");
    }
    return times.size() == 1 ? draw(times.values().iterator().next()) : compare(times);
  }

  private static List<Path> folders(Path path) {
    Path parent = path.toAbsolutePath().getParent();
    boolean start = !Files.isDirectory(path) && parent != null && Files.isDirectory(parent);
    try (Stream<Path> found = Files.walk(start ? parent : path, start ? 1 : 8)) {
      return found
          .filter(Files::isDirectory)
          .filter(folder -> FOLDER.matcher(folder.getFileName().toString()).matches())
          .filter(folder -> !start || folder.getFileName().toString().startsWith(name(path) + "_"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UsageException(path + ": cannot list the folder: " + e.getMessage());
    }
  }

  private static String name(Path path) {
    return path.getFileName().toString();
  }

  private static Key key(Path folder) {
    Matcher name = FOLDER.matcher(folder.getFileName().toString());
    if (!name.matches()) {
      throw new IllegalArgumentException(folder + " is not a folder of times");
    }
    return new Key(Long.parseLong(name.group(1)), Integer.parseInt(name.group(2)));
  }

  /** Seconds of reduction and broadcast, by step. */
  private static double[] totals(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      Path file =
          files
              .filter(path -> path.toString().endsWith(".csv"))
              .sorted()
              .findFirst()
              .orElseThrow(() -> new UsageException(folder + ": expected a CSV file, found none"));
      CsvTable table = CsvTable.read(file);
      double[] seconds = new double[table.size()];
      for (int row = 0; row < seconds.length; row++) {
        seconds[row] = table.value(row, Double.NaN, "TOTAL") / MILLISECONDS;
      }
      if (seconds.length == 0 || Arrays.stream(seconds).anyMatch(Double::isNaN)) {
        throw new UsageException(
            file + ": expected last_send,last_bcast,TOTAL and a line per step");
      }
      return seconds;
    } catch (IOException e) {
      throw new UsageException(folder + ": cannot be read: " + e.getMessage());
    }
  }

  private static Drawing draw(Map<Long, Map<Integer, double[]>> times) {
    List<Series> byWorkers = new ArrayList<>();
    Map<Integer, List<Point>> byLength = new TreeMap<>();
    List<String> labels = new ArrayList<>();
    times.forEach(
        (length, byCount) -> {
          List<Point> points = new ArrayList<>();
          byCount.forEach(
              (workers, totals) -> {
                points.add(point(workers, totals));
                byLength
                    .computeIfAbsent(workers, count -> new ArrayList<>())
                    .add(point(length, totals));
              });
          byWorkers.add(new Series(labels.size(), points));
          labels.add("length " + length);
        });
    List<Series> lengths = new ArrayList<>();
    byLength.forEach(
        (workers, points) -> {
          lengths.add(new Series(labels.size(), points));
          labels.add(workers + (workers == 1 ? " worker" : " workers"));
        });
    return drawing("workers", byWorkers, "array length", lengths, labels);
  }

  /** One line per engine, at the largest number of workers and at the longest array. */
  private static Drawing compare(Map<String, Map<Long, Map<Integer, double[]>>> times) {
    long length =
        times.values().stream().flatMap(t -> t.keySet().stream()).max(naturalOrder()).orElseThrow();
    int workers =
        times.values().stream()
            .flatMap(t -> t.values().stream())
            .flatMap(t -> t.keySet().stream())
            .max(naturalOrder())
            .orElseThrow();
    List<Series> byWorkers = new ArrayList<>();
    List<Series> byLength = new ArrayList<>();
    List<String> labels = new ArrayList<>();
    times.forEach(
        (what, own) -> {
          List<Point> counts = new ArrayList<>();
          own.getOrDefault(length, Map.of())
              .forEach((count, totals) -> counts.add(point(count, totals)));
          List<Point> lengths = new ArrayList<>();
          own.forEach(
              (here, byCount) -> {
                if (byCount.containsKey(workers)) {
                  lengths.add(point(here, byCount.get(workers)));
                }
              });
          byWorkers.add(new Series(labels.size(), counts));
          byLength.add(new Series(labels.size(), lengths));
          labels.add(what);
        });
    return drawing(
        "workers, arrays of " + length,
        byWorkers,
        "array length, %s %s".formatted(workers, workers == 1 ? "worker" : "workers"),
        byLength,
        labels);
  }

  private static Point point(double x, double[] totals) {
    double[] sorted = totals.clone();
    Arrays.sort(sorted);
    int last = sorted.length - 1;
    double median = (sorted[last / 2] + sorted[sorted.length / 2]) / 2;
    return new Point(x, median, sorted[0], sorted[last]);
  }

  private static Drawing drawing(
      String below,
      List<Series> byWorkers,
      String other,
      List<Series> byLength,
      List<String> labels) {
    String time = "reduce and broadcast (s)";
    Axes workers = frame("time_vs_workers", below, time).scaled(Scale.LINEAR, Scale.LOG10);
    Axes length = frame("time_vs_length", other, time).scaled(Scale.LOG2, Scale.LOG10);
    return new Drawing(
        List.of(new Content(workers, byWorkers), new Content(length, byLength)),
        labels,
        "Median over steps; bands: minimum to maximum.",
        List.of());
  }

  private static Axes frame(String name, String x, String y) {
    return Axes.linear(name, Quantity.whole(x), Quantity.real(y), Mark.DOTS, false);
  }
}
