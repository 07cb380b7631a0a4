package io.github.amb.plots.panel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.amb.core.option.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MeasurementTest {
  @TempDir Path folder;

  @Test
  void partitionsAreDrawnAgainstNumberAndSize() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("partitions.json"),
            """
            {"16": {"1": {"last_loss": 2.3, "time_per_step": 0.16},
                    "4": {"last_loss": 2.3, "time_per_step": 0.32}},
             "8": {"2": {"time_per_step": 0.4}}}
            """);

    Drawing drawing = Partitions.read(folder);

    assertEquals(List.of("batch size 8", "batch size 16"), drawing.labels());
    Content steps = drawing.contents().get(0);
    assertEquals(Scale.LOG2, steps.frame().xScale());
    assertEquals(List.of(new Point(1, 0.16), new Point(4, 0.32)), steps.series().get(1).points());
    assertEquals(
        List.of(new Point(4, 0.02), new Point(16, 0.01)),
        drawing.contents().get(1).series().get(1).points());
    assertEquals(drawing, Partitions.read(file));
  }

  @Test
  void otherFilesAreRejected() throws IOException {
    Path file = Files.writeString(folder.resolve("x.json"), "{\"16\": {\"1\": {}}}");

    assertThrows(UsageException.class, () -> Partitions.read(file));
    assertThrows(UsageException.class, () -> Partitions.read(folder.resolve("none.json")));
    Files.writeString(file, "{");
    assertThrows(UsageException.class, () -> Partitions.read(file));
    Files.writeString(file, "{}");
    assertThrows(UsageException.class, () -> Partitions.read(file));
  }

  @Test
  void bandwidthIsTheMedianOfAFoldersSteps() throws IOException {
    times("bandwidth__1024_2", "1,2,3", "1,3,4", "9,1,10");
    times("bandwidth__1024_4", "1,2,8");
    times("bandwidth__2048_4", "1,2,16");

    Drawing all = Bandwidth.read(List.of(folder));
    Drawing some = Bandwidth.read(List.of(folder.resolve("bandwidth__1024")));

    assertEquals(List.of("length 1024", "length 2048", "2 workers", "4 workers"), all.labels());
    assertEquals(
        List.of(new Point(2, 0.004, 0.003, 0.010), new Point(4, 0.008)),
        all.contents().get(0).series().get(0).points());
    assertEquals(List.of("length 1024", "2 workers", "4 workers"), some.labels());
    assertThrows(
        UsageException.class, () -> Bandwidth.read(List.of(folder.resolve("bandwidth__4"))));
  }

  @Test
  void enginesAreComparedAtTheLargestSizes() throws IOException {
    times("mpj/bandwidth__1024_2", "1,2,3");
    times("mpj/bandwidth__1024_4", "1,2,8");
    times("mpj/bandwidth__2048_4", "1,2,16");
    times("raw socket/bandwidth__1024_4", "0,0,2");
    times("raw socket/bandwidth__2048_4", "0,0,4");

    Drawing compared = Bandwidth.read(List.of(folder));

    assertEquals(List.of("mpj", "raw socket"), compared.labels());
    assertEquals(
        List.of(List.of(new Point(4, 0.016)), List.of(new Point(4, 0.004))),
        compared.contents().get(0).series().stream().map(Series::points).toList());
    assertEquals(
        List.of(
            List.of(new Point(1024, 0.008), new Point(2048, 0.016)),
            List.of(new Point(1024, 0.002), new Point(2048, 0.004))),
        compared.contents().get(1).series().stream().map(Series::points).toList());
    assertEquals(
        1,
        Bandwidth.read(List.of(folder.resolve("raw socket")))
            .contents()
            .get(0)
            .series()
            .get(0)
            .points()
            .size());
  }

  private void times(String name, String... rows) throws IOException {
    Path directory = Files.createDirectories(folder.resolve(name));
    Files.writeString(
        directory.resolve("worker_stats.csv"),
        "last_send,last_bcast,TOTAL\n" + String.join("\n", rows) + "\n");
  }
}
