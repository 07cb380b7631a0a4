package io.github.amb.plots.panel;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.amb.core.file.BoundedFile;
import io.github.amb.core.file.DataLimits;
import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The cost of splitting batches into partitions: seconds per step against the number of partitions,
 * and seconds per example against the partition size, one line per batch size.
 */
public final class Partitions {
  /** The name that the user types. */
  public static final String NAME = "partitions";

  /** The default name of the file. */
  public static final String FILE = "partitions.json";

  private Partitions() {}

  /**
   * Reads a file of {@code {batch size: {partitions: {"time_per_step": seconds}}}}, or the one in a
   * folder.
   *
   * @throws UsageException if it is missing or malformed
   */
  public static Drawing read(Path given) {
    Path file = Files.isDirectory(given) ? given.resolve(FILE) : given;
    return draw(times(file));
  }

  private static Map<Integer, Map<Integer, Double>> times(Path file) {
    Map<Integer, Map<Integer, Double>> times = new TreeMap<>();
    try {
      JsonNode root =
          new ObjectMapper().readTree(BoundedFile.read(file, "times", DataLimits.RUN_JSON_BYTES));
      for (Map.Entry<String, JsonNode> batch : root.properties()) {
        Map<Integer, Double> byPartitions = new TreeMap<>();
        for (Map.Entry<String, JsonNode> entry : batch.getValue().properties()) {
          byPartitions.put(
              Integer.valueOf(entry.getKey()),
              entry.getValue().required("time_per_step").doubleValue());
        }
        times.put(Integer.valueOf(batch.getKey()), byPartitions);
      }
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new UsageException(
          file
              + ": expected {batch size: {partitions: {\"time_per_step\": seconds}}}, found "
              + e.getMessage().lines().findFirst().orElse("something else"));
    } catch (IOException e) {
      throw new UsageException(
          file
              + ": expected a file of times by partitions (amb bench partitions batch), found"
              + " none");
    }
    if (times.values().stream().allMatch(Map::isEmpty)) {
      throw new UsageException(file + ": nothing to plot: expected times, found none");
    }
    return times;
  }

  private static Drawing draw(Map<Integer, Map<Integer, Double>> times) {
    List<Series> perStep = new ArrayList<>();
    List<Series> perExample = new ArrayList<>();
    List<String> labels = new ArrayList<>();
    times.forEach(
        (batch, byPartitions) -> {
          int group = labels.size();
          labels.add("batch size " + batch);
          List<Point> steps = new ArrayList<>();
          List<Point> examples = new ArrayList<>();
          byPartitions.forEach(
              (partitions, seconds) -> {
                steps.add(new Point(partitions, seconds));
                examples.add(0, new Point((double) batch / partitions, seconds / batch));
              });
          perStep.add(new Series(group, steps));
          perExample.add(new Series(group, examples));
        });
    return new Drawing(
        List.of(
            new Content(
                frame("time_per_step", "number of partitions", "time per step (s)"), perStep),
            new Content(
                frame("time_per_example", "partition size (examples)", "time per example (s)"),
                perExample)),
        labels,
        "",
        List.of());
  }

  private static Axes frame(String name, String x, String y) {
    return Axes.linear(name, Quantity.whole(x), Quantity.real(y), Mark.DOTS, false)
        .scaled(Scale.LOG2, Scale.LOG10);
  }
}
