package io.github.amb.runtime.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.gradient.Sharding;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.random.Streams;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.data.example.Examples;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShardTableTest {
  private static String run(String... arguments) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream to = new PrintStream(out, true);
    assertEquals(0, new DataCommand(() -> null).printingTo(to, to).run(List.of(arguments)));
    return out.toString();
  }

  @Test
  void rowsAreTheClassesThatTrainingHas() throws Exception {
    String text = run("optdigits", "--shards", "dirichlet:0.1", "--workers", "3", "--seed", "7");
    Examples train = DataSets.load("optdigits", null, 7).train();
    int[][] shards =
        Sharding.named("dirichlet:0.1").shards(new Streams(7), train.count(), train::label, 3);
    List<String> rows = text.lines().filter(line -> line.matches(" *[123] .*\\|")).toList();
    assertEquals(3, rows.size(), text);
    for (int worker = 0; worker < 3; worker++) {
      List<String> cells = List.of(rows.get(worker).strip().split("\\|")[0].strip().split(" +"));
      assertEquals("" + shards[worker].length, cells.get(1));
      for (int label = 0; label < 10; label++) {
        int k = label;
        long count = Arrays.stream(shards[worker]).filter(e -> train.label(e) == k).count();
        assertEquals("" + count, cells.get(3 + label), text);
      }
    }
    assertTrue(text.contains("@"), text);
  }

  @Test
  void wrongArgumentsAreRejected() {
    assertThrows(UsageException.class, () -> run("optdigits", "--shards", "dirichlet"));
    assertThrows(UsageException.class, () -> run("--shards", "shared"));
    assertThrows(
        UsageException.class, () -> run("optdigits", "--shards", "strided", "--workers", "0"));
  }
}
