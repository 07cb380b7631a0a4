package io.github.amb.plots.panel;

import io.github.amb.core.file.Folder;
import io.github.amb.core.option.UsageException;
import io.github.amb.plots.run.CsvTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
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

  private record Key(String what, long length, int workers) {}

  private Bandwidth() {}

  /**
   * Reads folders, and those inside them. A path may be the start of folders' names, such as {@code
   * data/bandwidth__1024}.
   *
   * @throws UsageException if there are none, or a file is malformed
   */
  public static Drawing read(List<Path> given) {
    Map<Key, double[]> times =
        new TreeMap<>(
            Comparator.comparing(Key::what).thenComparing(Key::length).thenComparing(Key::workers));
    for (Path path : given) {
      folders(path).forEach(folder -> times.put(key(folder), totals(folder)));
    }
    if (times.isEmpty()) {
      throw new UsageException(
          given.get(0)
              + ": expected folders bandwidth__LENGTH_WORKERS (amb bench bandwidth), found none");
    }
    boolean alone = times.keySet().stream().map(Key::what).distinct().count() == 1;
    return alone ? draw(times) : compare(times);
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
    return new Key(
        name(folder.toAbsolutePath().getParent()),
        Long.parseLong(name.group(1)),
        Integer.parseInt(name.group(2)));
  }

  /** Seconds of reduction and broadcast, by step. */
  private static double[] totals(Path folder) {
    try {
      Path file =
          Folder.entries(folder).stream()
              .filter(path -> path.toString().endsWith(".csv"))
              .findFirst()
              .orElseThrow(() -> new UsageException(folder + ": expected a CSV file, found none"));
      CsvTable table = CsvTable.read(file);
      double[] seconds = new double[table.size()];
      Arrays.setAll(seconds, row -> table.value(row, Double.NaN, "TOTAL") / MILLISECONDS);
      if (seconds.length == 0 || Arrays.stream(seconds).anyMatch(Double::isNaN)) {
        throw new UsageException(
            file + ": expected last_send,last_bcast,TOTAL and a line per step");
      }
      return seconds;
    } catch (IOException e) {
      throw new UsageException(folder + ": cannot be read: " + e.getMessage());
    }
  }

  /** Lines by length against the number of workers, and by number of workers against length. */
  private static Drawing draw(Map<Key, double[]> times) {
    Map<Long, List<Point>> byLength = lines(times, Key::length, Key::workers, key -> true);
    Map<Integer, List<Point>> byWorkers = lines(times, Key::workers, Key::length, key -> true);
    List<String> labels = new ArrayList<>();
    byLength.keySet().forEach(length -> labels.add("length " + length));
    byWorkers.keySet().forEach(count -> labels.add(workers(count)));
    int lengths = byLength.size();
    return drawing(
        "workers", series(byLength, 0), "array length", series(byWorkers, lengths), labels);
  }

  /** A line for each folder of times, at the largest length and number of workers. */
  private static Drawing compare(Map<Key, double[]> times) {
    long length = times.keySet().stream().mapToLong(Key::length).max().orElseThrow();
    int workers = times.keySet().stream().mapToInt(Key::workers).max().orElseThrow();
    Map<String, List<Point>> byWorkers =
        lines(times, Key::what, Key::workers, key -> key.length() == length);
    Map<String, List<Point>> byLength =
        lines(times, Key::what, Key::length, key -> key.workers() == workers);
    return drawing(
        "workers, arrays of " + length,
        series(byWorkers, 0),
        "array length, " + workers(workers),
        series(byLength, 0),
        List.copyOf(byWorkers.keySet()));
  }

  private static String workers(int count) {
    return count + (count == 1 ? " worker" : " workers");
  }

  /** Points of some keys, by the line that they belong to; a line may have none. */
  private static <K> Map<K, List<Point>> lines(
      Map<Key, double[]> times, Function<Key, K> line, ToDoubleFunction<Key> x, Predicate<Key> of) {
    Map<K, List<Point>> lines = new TreeMap<>();
    times.forEach(
        (key, totals) -> {
          List<Point> points = lines.computeIfAbsent(line.apply(key), name -> new ArrayList<>());
          if (of.test(key)) {
            points.add(point(x.applyAsDouble(key), totals));
          }
        });
    return lines;
  }

  private static List<Series> series(Map<?, List<Point>> lines, int first) {
    List<Series> series = new ArrayList<>();
    lines.values().forEach(points -> series.add(new Series(first + series.size(), points)));
    return series;
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
