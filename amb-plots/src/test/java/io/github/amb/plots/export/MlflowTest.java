package io.github.amb.plots.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.plots.ExampleRun;
import io.github.amb.plots.run.Run;
import io.github.amb.plots.run.RunReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The exchange with a server that checks requests and answers as MLflow's does. */
class MlflowTest {
  private static final String PREFIX = "/api/2.0/mlflow/";
  private static final int STEPS = 700;

  @TempDir Path folder;
  private final List<String> calls = new ArrayList<>();
  private final List<JsonNode> bodies = new ArrayList<>();
  private final Map<String, String> answers = new TreeMap<>();
  private final List<String> problems = new ArrayList<>();
  private String authorization;
  private HttpServer server;
  private String url;

  @BeforeEach
  void start() throws IOException {
    answers.put("experiments/create", "{\"experiment_id\":\"7\"}");
    answers.put("runs/create", "{\"run\":{\"info\":{\"run_id\":\"abc\"}}}");
    answers.put("runs/log-batch", "{}");
    answers.put("runs/update", "{\"run_info\":{}}");
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(PREFIX, this::answer);
    server.start();
    url = "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath().substring(PREFIX.length());
      byte[] body = exchange.getRequestBody().readAllBytes();
      authorization = exchange.getRequestHeaders().getFirst("Authorization");
      calls.add(exchange.getRequestMethod() + " " + path);
      JsonNode json = body.length == 0 ? null : new ObjectMapper().readTree(body);
      bodies.add(json);
      List<String> found = MlflowRules.problems(path, json);
      problems.addAll(found);
      if (found.isEmpty()) {
        String missing = "{\"error_code\":\"RESOURCE_DOES_NOT_EXIST\",\"message\":\"none\"}";
        send(exchange, answers.containsKey(path) ? 200 : 404, answers.getOrDefault(path, missing));
      } else {
        send(exchange, 400, "{\"error_code\":\"INVALID_PARAMETER_VALUE\",\"message\":\"\"}");
      }
    }
  }

  private static void send(HttpExchange exchange, int code, String answer) throws IOException {
    byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(code, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  /** A request that the server does not take would end the export. */
  @Test
  void everyRequestIsOneThatMlflowTakes() throws Exception {
    ExampleRun example = new ExampleRun("fmb").steps(5).evaluateEvery(5).with("empty", "");
    for (String name :
        List.of("a//b", "end/", "/begin", "_begin", "..", ".", "ü:[x]", "n".repeat(300))) {
      example.with(name, "v".repeat(7000));
    }
    RunDirectory run = example.write(folder);
    Files.writeString(
        run.masterLog(),
        "{\"type\":\"step\",\"time\":99,\"step\":6,\"loss\":\"NaN\",\"learning_rate\":\"Infinity\"}\n",
        StandardOpenOption.APPEND);
    List<String> ids = new ArrayList<>();
    try {
      ids.addAll(new Mlflow(url, null).send(RunReader.readAll(List.of(run))));
    } finally {
      assertEquals(List.of(), problems);
    }
    assertEquals(List.of("abc"), ids);
    assertEquals("FINISHED", bodies.get(bodies.size() - 1).get("status").asText());
  }

  private List<Run> runs() throws IOException {
    ExampleRun example = new ExampleRun("fmb").steps(STEPS).evaluateEvery(10);
    for (int i = 0; i < 120; i++) {
      example.with("option-" + i, "v".repeat(i * 10));
    }
    return RunReader.readAll(List.of(new RunDirectory(example.write(folder).path())));
  }

  private List<JsonNode> entries(String kind) {
    List<JsonNode> all = new ArrayList<>();
    bodies.stream()
        .filter(body -> body != null && body.has(kind))
        .forEach(body -> body.get(kind).forEach(all::add));
    return all;
  }

  @Test
  void aMissingExperimentIsCreated() throws Exception {
    assertEquals(List.of("abc"), new Mlflow(url, null).send(runs()));
    assertEquals("GET experiments/get-by-name", calls.get(0));
    assertEquals("POST experiments/create", calls.get(1));
    assertEquals("POST runs/create", calls.get(2));
    assertEquals("7", bodies.get(2).get("experiment_id").asText());
  }

  @Test
  void anExperimentThatExistsIsUsed() throws Exception {
    answers.put("experiments/get-by-name", "{\"experiment\":{\"experiment_id\":\"9\"}}");
    new Mlflow(url + "/", null).send(runs());
    assertEquals("9", bodies.get(1).get("experiment_id").asText());
  }

  @Test
  void everyStepAndTestIsSent() throws Exception {
    new Mlflow(url, null).send(runs());
    List<JsonNode> metrics = entries("metrics");
    assertEquals(3 * STEPS + 2 * STEPS / 10, metrics.size());
    metrics.forEach(
        metric -> {
          assertTrue(metric.get("timestamp").isIntegralNumber());
          assertTrue(metric.get("step").isIntegralNumber());
          assertTrue(metric.get("value").isNumber());
        });
  }

  @Test
  void noRequestExceedsMlflowsLimits() throws Exception {
    new Mlflow(url, null).send(runs());
    assertTrue(entries("params").size() > 120);
    for (JsonNode body : bodies) {
      if (body != null) {
        assertTrue(body.path("metrics").size() <= 1000);
        assertTrue(body.path("params").size() <= 100);
        assertTrue(body.path("tags").size() <= 100);
      }
    }
    entries("params").forEach(entry -> assertTrue(entry.get("value").asText().length() <= 250));
  }

  @Test
  void theTokenIsSent() throws Exception {
    new Mlflow(url, "secret").send(runs());
    assertEquals("Bearer secret", authorization);
  }

  @Test
  void anErrorOfTheServerIsReported() {
    answers.remove("runs/create");
    String problem =
        assertThrows(UsageException.class, () -> new Mlflow(url, null).send(runs())).getMessage();
    assertTrue(problem.contains("runs/create: expected status 200 of MLflow, found 404"), problem);
  }

  @Test
  void aServerThatIsNotThereIsReported() {
    server.stop(0);
    String problem =
        assertThrows(UsageException.class, () -> new Mlflow(url, null).send(runs())).getMessage();
    assertTrue(problem.contains("expected an answer of MLflow, found none"), problem);
  }

  @Test
  void theUrlIsOneOfHttp() {
    assertThrows(UsageException.class, () -> new Mlflow("file:///etc/passwd", null));
    assertThrows(UsageException.class, () -> new Mlflow("", null));
  }
}
