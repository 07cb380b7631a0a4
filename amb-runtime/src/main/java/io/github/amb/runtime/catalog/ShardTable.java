package io.github.amb.runtime.catalog;

import static io.github.amb.core.option.Decimal.format;

import io.github.amb.core.gradient.Sharding;
import io.github.amb.core.random.Streams;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.plots.TextTable;
import io.github.amb.plots.TextTable.Column;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The training examples of each worker by class: as a table, and as a heat map in characters. */
record ShardTable(DataSet data, Sharding sharding, int workers, long seed) {
  /** Classes whose numbers fit on a line; of more, the heat map alone. */
  private static final int MAX_COLUMNS = 16;

  private static final String SHADES = " .:-=+*#%@";

  /** All of it, in lines. */
  String text() {
    int[][] counts =
        sharding.counts(
            new Streams(seed), data.train().count(), data.train()::label, workers, data.classes());
    int most = Arrays.stream(counts).flatMapToInt(Arrays::stream).max().orElse(1);
    List<Column<Integer>> columns = new ArrayList<>();
    columns.add(new Column<>("worker", 3, false, worker -> "" + (worker + 1)));
    columns.add(new Column<>("examples", 3, false, w -> "" + Arrays.stream(counts[w]).sum()));
    columns.add(
        new Column<>(
            "classes", 2, false, w -> "" + Arrays.stream(counts[w]).filter(n -> n > 0).count()));
    for (int i = 0; data.classes() <= MAX_COLUMNS && i < data.classes(); i++) {
      int label = i;
      columns.add(new Column<>("" + label, 1, false, worker -> "" + counts[worker][label]));
    }
    columns.add(new Column<>("share of each class", 2, true, w -> shades(counts[w], most)));
    List<Integer> rows = IntStream.range(0, workers).boxed().toList();
    return format("%s, --shards %s, seed %d%n", data.name(), sharding, seed)
        + new TextTable<>(columns, rows).text(0)
        + "Shades from nothing to the largest number of one class: '"
        + SHADES
        + "'\n";
  }

  private static String shades(int[] own, int most) {
    StringBuilder line = new StringBuilder("|");
    for (int count : own) {
      int shade = (int) Math.ceil((SHADES.length() - 1.0) * count / Math.max(1, most));
      line.append(SHADES.charAt(shade));
    }
    return line.append('|').toString();
  }
}
