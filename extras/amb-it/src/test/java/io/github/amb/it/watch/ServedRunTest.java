package io.github.amb.it.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code amb train} serves while it trains. Only this module sees the server and the ranks.
 */
@Tag("system")
class ServedRunTest {
  private static final Path ALERTS = Path.of("../../deploy/prometheus/alerts.yaml");

  private static final Pattern METRIC = Pattern.compile("\\bamb_\\w+");

  private static final Path DASHBOARD = Path.of("../../deploy/grafana/amb.json");

  /** A line with a value in Prometheus' text format. */
  private static final Pattern SAMPLE =
      Pattern.compile("([a-z_]+)(\\{[a-z]+=\"[^{}]+\"\\})? (NaN|[+-]?Inf|[-+\\d.eE]+)");

  private static final Pattern COMMENT =
      Pattern.compile("# (HELP [a-z_]+ .+|TYPE [a-z_]+ (counter|gauge|histogram))");

  @TempDir Path folder;

  private static String text(String url) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
    var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    assertEquals(200, answer.statusCode(), answer.body());
    return answer.body();
  }

  /** The values of a scrape by name and labels. */
  private static Map<String, Double> scrape(String url) throws IOException, InterruptedException {
    Map<String, Double> values = new TreeMap<>();
    for (String line : text(url).split("\n")) {
      Matcher sample = SAMPLE.matcher(line);
      if (!COMMENT.matcher(line).matches()) {
        assertTrue(sample.matches(), line);
        String labels = sample.group(2) == null ? "" : sample.group(2);
        values.put(
            sample.group(1) + labels, Double.valueOf(sample.group(3).replace("Inf", "Infinity")));
      }
    }
    return values;
  }

  private static Set<String> names(Map<String, Double> values) {
    return values.keySet().stream()
        .map(name -> name.replaceAll("\\{.*", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The names of metrics in the queries of the Grafana dashboard. */
  private static Set<String> queried() throws IOException {
    Set<String> names = new TreeSet<>();
    JsonNode dashboard = new ObjectMapper().readTree(DASHBOARD.toFile());
    for (JsonNode panel : dashboard.get("panels")) {
      for (JsonNode target : panel.get("targets")) {
        METRIC.matcher(target.get("expr").asText()).results().forEach(m -> names.add(m.group()));
      }
    }
    return names;
  }

  @Test
  void aRunInProgressIsScraped() throws Exception {
    String options = "--metrics-port 0 --checkpoint-every 20 --inject kill:rank=2,step=60";
    try (ServedRun amb = ServedRun.start(folder, options)) {
      String url = amb.urls(1).get(0);
      amb.await(() -> scrape(url).get("amb_generation") == 2);
      amb.await(() -> scrape(url).get("amb_checkpoints_total") > 0);

      long before = amb.directory().lastStep().step();
      Map<String, Double> values = scrape(url);
      long after = amb.directory().lastStep().step();

      double steps = values.get("amb_steps_total");
      assertTrue(before <= steps && steps <= after, before + " " + steps + " " + after);
      assertEquals(steps, values.get("amb_step_seconds_count"));
      assertEquals(steps, values.get("amb_step_seconds_bucket{le=\"+Inf\"}"));
      assertEquals(1, values.get("amb_workers"));
      assertTrue(values.get("amb_examples_total") > 0);
      assertTrue(values.get("amb_bytes_sent_total") > 0);
      assertTrue(values.get("amb_worker_examples_total{rank=\"1\"}") > 0);
      assertTrue(values.get("amb_worker_idle_seconds_total{rank=\"2\"}") > 0);
      assertTrue(Double.isFinite(values.get("amb_loss")), text(url));
      assertTrue(queried().size() > 10, queried().toString());
      assertTrue(names(values).containsAll(queried()), () -> "exported: " + names(values));
      Set<String> alerting = new TreeSet<>();
      METRIC.matcher(Files.readString(ALERTS)).results().forEach(m -> alerting.add(m.group()));
      assertTrue(alerting.size() > 5, alerting.toString());
      assertTrue(names(values).containsAll(alerting), () -> "exported: " + names(values));
      assertEquals(1, values.get("amb_workers_lost_total"));
    }
  }

  @Test
  void thePageIsThatOfARunInProgress() throws Exception {
    try (ServedRun amb = ServedRun.start(folder, "--dashboard 0")) {
      String url = amb.urls(1).get(0);
      assertTrue(text(url).contains("uPlot"));
      ObjectMapper json = new ObjectMapper();
      amb.await(() -> json.readTree(text(url + "run")).at("/progress/step").asLong() > 5);
      assertTrue(json.readTree(text(url + "run")).at("/run/exit_code").isNull());
      assertTrue(scrape(url + "metrics").get("amb_steps_total") > 5);
    }
  }

  @Test
  void aPortInUseIsRejectedBeforeTheRun() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
        ServedRun amb = ServedRun.start(folder, "--metrics-port " + other.getLocalPort())) {
      assertEquals(2, amb.ended());
      assertTrue(
          amb.printed().contains("amb: --metrics-port: expected a free port of this machine"),
          amb.printed());
      assertFalse(Files.exists(amb.directory().path()));
    }
  }

  @Test
  void anAddressInTwoSpellingsIsThatOfOneServer() throws Exception {
    int port = freePort();
    String options = "--dashboard %d --metrics-port 127.0.0.1:%d".formatted(port, port);
    try (ServedRun amb = ServedRun.start(folder, options)) {
      String url = amb.urls(1).get(0);
      assertTrue(text(url).contains("uPlot"));
      assertTrue(scrape(url + "metrics").containsKey("amb_steps_total"));
    }
  }

  /** The first address has the port on all of this machine's addresses. */
  @Test
  void serversThatCollideAreRejectedBeforeTheRun() throws Exception {
    int port = freePort();
    String options = "--dashboard 0.0.0.0:%d --metrics-port %d".formatted(port, port);
    try (ServedRun amb = ServedRun.start(folder, options)) {
      assertEquals(2, amb.ended());
      assertTrue(
          amb.printed().contains("amb: --metrics-port: expected a free port of this machine"),
          amb.printed());
      assertFalse(Files.exists(amb.directory().path()));
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      return socket.getLocalPort();
    }
  }
}
