package io.github.amb.runtime.catalog;

import io.github.amb.core.gradient.Sharding;
import io.github.amb.core.random.Streams;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.plots.TextTable;
import io.github.amb.plots.TextTable.Column;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The training examples of each worker by class: as a table, and as a heat map in characters. */
record ShardTable(DataSet data, Sharding sharding, int workers, long seed) {
  /** Classes whose numbers fit on a line; of more, the heat map alone. */
  private static final int MAX_COLUMNS = 16;

  private static final String SHADES = " .:-=+*#%@";

  /** All of it, in lines. */
  String text() {
    int[][] counts = counts();
    int most = Arrays.stream(counts).flatMapToInt(Arrays::stream).max().orElse(1);
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("worker", "", 3, false));
    columns.add(new Column("examples", "", 3, false));
    columns.add(new Column("classes", "", 2, false));
    boolean narrow = data.classes() <= MAX_COLUMNS;
    for (int label = 0; narrow && label < data.classes(); label++) {
      columns.add(new Column("" + label, "", 1, false));
    }
    columns.add(new Column("share of each class", "", 2, true));
    List<List<String>> rows = new ArrayList<>();
    for (int worker = 0; worker < workers; worker++) {
      int[] own = counts[worker];
      List<String> row = new ArrayList<>();
      row.add("" + (worker + 1));
      row.add("" + Arrays.stream(own).sum());
      row.add("" + Arrays.stream(own).filter(count -> count > 0).count());
      Arrays.stream(own).limit(narrow ? own.length : 0).forEach(count -> row.add("" + count));
      row.add(shades(own, most));
      rows.add(row);
    }
    return String.format(Locale.ROOT, "%s, --shards %s, seed %d%n", data.name(), sharding, seed)
        + new TextTable(columns, rows).text(0)
        + "Shades from nothing to the largest number of one class: '"
        + SHADES
        + "'\n";
  }

  private int[][] counts() {
    int[][] shards =
        sharding.shards(new Streams(seed), data.train().count(), data.train()::label, workers);
    int[][] counts = new int[workers][data.classes()];
    for (int worker = 0; worker < workers; worker++) {
      for (int example : shards[worker]) {
        counts[worker][data.train().label(example)]++;
      }
    }
    return counts;
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
