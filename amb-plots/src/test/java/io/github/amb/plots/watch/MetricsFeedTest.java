package io.github.amb.plots.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.RunDirectory;
import io.github.amb.plots.ExampleRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricsFeedTest {
  private static final int STEPS = 12;

  @TempDir Path folder;
  private final ExampleRun example =
      new ExampleRun("fmb").with("workers", 2).steps(STEPS).evaluateEvery(4);
  private RunDirectory run;
  private MetricsFeed feed;

  @BeforeEach
  void write() {
    run = example.write(folder);
    feed = new MetricsFeed(run);
  }

  private void append(String line) throws IOException {
    Files.writeString(run.masterLog(), line + "\n", StandardOpenOption.APPEND);
  }

  private List<String> lines() throws IOException {
    return new String(feed.text(), StandardCharsets.UTF_8).lines().toList();
  }

  private double value(String name) throws IOException {
    return lines().stream()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .sum();
  }

  @Test
  void theNumbersAreThoseOfTheRecords() throws IOException {
    assertEquals(STEPS, value("amb_steps_total"));
    assertEquals(STEPS * example.perStep(), value("amb_examples_total"));
    assertEquals(example.loss(STEPS), value("amb_loss"));
    assertEquals(example.accuracy(STEPS), value("amb_test_accuracy"));
    assertEquals(1000 * STEPS, value("amb_bytes_sent_total"));
    assertEquals(2, value("amb_workers"));
    assertEquals(1, value("amb_generation"));
    assertEquals(64 * STEPS, value("amb_worker_examples_total{rank=\"2\"}"));
    // 0.4 s and 0.1 s in every record but the first; 2 (STEPS - 1) additions of values below 6.
    double rounding = 2 * STEPS * Math.ulp(6.0);
    assertEquals(0.5 * (STEPS - 1), value("amb_worker_idle_seconds_total{rank=\"1\"}"), rounding);
  }

  @Test
  void aModelWithoutAccuracyHasItsLossAndMetrics() throws IOException {
    append(
        "{\"type\":\"evaluation\",\"time\":99,\"step\":99,\"test_loss\":1.5,\"accuracy\":\"NaN\","
            + "\"test_size\":9,\"metrics\":{\"perplexity\":4.5}}");
    assertEquals(1.5, value("amb_test_loss"));
    assertEquals(4.5, value("amb_test_metric{metric=\"perplexity\"}"));
    assertEquals(Double.NaN, value("amb_test_accuracy"));
  }

  @Test
  void numbersOfUpdatesAreThere() throws IOException {
    append(
        "{\"type\":\"step\",\"time\":99,\"step\":99,\"loss\":1.5,\"learning_rate\":0.1,"
            + "\"num_samples\":9,\"total_samples\":99,\"update_time\":0,\"send_time\":0,"
            + "\"bytes_sent\":9,\"bytes_received\":9,\"metrics\":{\"k\":4.5}}");
    assertEquals(4.5, value("amb_update_metric{metric=\"k\"}"));
  }

  @Test
  void whatIsSlowIsThere() throws IOException {
    append("{\"type\":\"slow\",\"rank\":2,\"part\":\"network\",\"share\":0.75}");
    assertEquals(0.75, value("amb_slow_share{part=\"network\",rank=\"2\"}"));
    append("{\"type\":\"slow\",\"rank\":2,\"part\":\"network\",\"share\":0}");
    assertEquals(0, value("amb_slow_share{part=\"network\",rank=\"2\"}"));
  }

  @Test
  void everyStepIsInTheHistogram() throws IOException {
    assertEquals(0, value("amb_step_seconds_bucket{le=\"1.0\"}"));
    assertEquals(STEPS, value("amb_step_seconds_bucket{le=\"2.5\"}"));
    assertEquals(2 * STEPS, value("amb_step_seconds_sum"));
  }

  @Test
  void whatIsNewIsAdded() throws IOException {
    lines();
    append("{\"type\":\"step\",\"time\":25,\"step\":13,\"num_samples\":7,\"bytes_sent\":12500}");
    append("{\"type\":\"membership\",\"time\":25,\"step\":13,\"generation\":2,\"workers\":[1]}");
    assertEquals(STEPS + 1, value("amb_steps_total"));
    assertEquals(12_500, value("amb_bytes_sent_total"));
    assertEquals(1, value("amb_workers"));
    assertEquals(2, value("amb_generation"));
  }

  /** Masters of version 0.2.0 began again at 0 when they were resumed. */
  @Test
  void whatAlertsNeedIsThere() throws IOException {
    append("{\"type\":\"membership\",\"time\":25,\"step\":13,\"generation\":2,\"workers\":[1]}");
    append("{\"type\":\"membership\",\"time\":26,\"step\":13,\"generation\":3,\"workers\":[1,2]}");
    append("{\"type\":\"membership\",\"time\":27,\"step\":13,\"generation\":4,\"workers\":[2]}");
    Files.setLastModifiedTime(run.masterLog(), FileTime.fromMillis(1_700_000_000_500L));
    assertEquals(2, value("amb_workers_lost_total"));
    assertEquals(1, value("amb_workers_joined_total"));
    assertEquals(1_700_000_000.5, value("amb_last_step_timestamp_seconds"));
    assertTrue(value("amb_disk_free_bytes") > 0);
    // Worker 2 computes for twice as long as worker 1, half of it induced delay.
    double first = value("amb_worker_compute_seconds_total{rank=\"1\"}");
    double second = value("amb_worker_compute_seconds_total{rank=\"2\"}");
    assertTrue(0 < first && first < second, first + " " + second);
    assertEquals(1, lines().stream().filter(line -> line.startsWith("amb_run_info{")).count());
  }

  @Test
  void aCountThatFallsIsReadFurther() throws IOException {
    append("{\"type\":\"step\",\"time\":25,\"step\":13,\"bytes_sent\":300}");
    append("{\"type\":\"step\",\"time\":26,\"step\":14,\"bytes_sent\":1300}");
    assertEquals(1000 * STEPS + 1000, value("amb_bytes_sent_total"));
  }

  /** The evaluator is behind the master, and tests more examples. */
  @Test
  void theAccuracyIsOfTheHighestStep() throws IOException {
    String test =
        "{\"type\":\"evaluation\",\"time\":%1$d,\"step\":%1$d,\"accuracy\":0.%1$d,\"test_size\":999}\n";
    lines();
    Files.writeString(run.evaluatorLog(), test.formatted(8));
    assertEquals(example.accuracy(STEPS), value("amb_test_accuracy"));
    Files.writeString(run.evaluatorLog(), test.formatted(STEPS), StandardOpenOption.APPEND);
    assertEquals(0.12, value("amb_test_accuracy"));
  }

  @Test
  void aCutLogIsReadFromItsStart() throws IOException {
    lines();
    Files.write(run.masterLog(), List.of());
    append("{\"type\":\"step\",\"time\":1,\"step\":1}");
    assertEquals(1, value("amb_steps_total"));
  }

  @Test
  void aNegativeCountIsNamedAtEveryScrape() throws IOException {
    lines();
    append("{\"type\":\"step\",\"time\":25,\"step\":13,\"num_samples\":-7}");
    String start = run.masterLog() + ": expected counts and times of at least 0, found StepRecord[";
    for (int scrape = 0; scrape < 2; scrape++) {
      String message = assertThrows(IOException.class, this::lines).getMessage();
      assertTrue(message.startsWith(start), message);
    }
  }

  @Test
  void aRemovedCheckpointStaysCounted() throws IOException {
    assertEquals(0, value("amb_checkpoints_total"));
    Path saved = Files.createDirectories(run.checkpoints().resolve("step-20"));
    Files.createDirectories(run.checkpoints().resolve("step-100"));
    Files.createDirectories(run.checkpoints().resolve("best-100"));
    assertEquals(2, value("amb_checkpoints_total"));
    Files.delete(saved);
    Files.createDirectories(run.checkpoints().resolve("step-200"));
    assertEquals(3, value("amb_checkpoints_total"));
  }

  @Test
  void everyNumberIsExplained() throws IOException {
    List<String> lines = lines();
    for (String line : lines) {
      String name = line.replaceAll("(_bucket|_sum|_count)?[{ ].*", "");
      assertTrue(
          line.startsWith("#")
              || lines.stream().anyMatch(l -> l.startsWith("# HELP " + name + " ")),
          line);
    }
  }
}
