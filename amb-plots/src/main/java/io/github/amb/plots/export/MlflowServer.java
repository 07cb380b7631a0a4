package io.github.amb.plots.export;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.amb.core.file.Printable;
import io.github.amb.core.option.UsageException;
import io.github.amb.plots.PlainText;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The calls of MLflow's REST interface, version 2.0, that an export needs. */
final class MlflowServer {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int MAX_SHOWN = 200;
  private static final int MISSING = 404;

  private final HttpClient client = HttpClient.newBuilder().connectTimeout(LIMIT).build();
  private final String base;
  private final String token;

  /**
   * @param url the tracking server
   * @param token for the header {@code Authorization}; null to send none
   * @throws UsageException if the URL is not one of HTTP
   */
  MlflowServer(String url, String token) {
    if (!url.matches("https?://[^\\s?#]+")) {
      throw new UsageException(
          "--to: expected the URL of an MLflow server, as http://localhost:5000, found '%s'",
          Printable.printable(url));
    }
    base = url.replaceAll("/+$", "") + "/api/2.0/mlflow/";
    this.token = token;
  }

  /** The id of the experiment of this name, which is created if it is missing. */
  String experiment(String name) throws IOException {
    String query = "?experiment_name=" + URLEncoder.encode(name, StandardCharsets.UTF_8);
    String path = "experiments/get-by-name";
    HttpResponse<String> found = send(path, request(path + query).GET().build());
    return found.statusCode() == MISSING
        ? text(post("experiments/create", Map.of("name", name)), "/experiment_id")
        : text(parsed(path, found), "/experiment/experiment_id");
  }

  /**
   * Creates a run.
   *
   * @param start milliseconds since 1970
   * @return the run's id
   */
  String createRun(String experiment, String name, long start, List<Map<String, String>> tags)
      throws IOException {
    Map<String, Object> run =
        Map.of("experiment_id", experiment, "run_name", name, "start_time", start, "tags", tags);
    return text(post("runs/create", run), "/run/info/run_id");
  }

  /** Adds metrics, at most 1,000, or parameters, at most 100. */
  void logBatch(String run, String kind, List<?> entries) throws IOException {
    post("runs/log-batch", Map.of("run_id", run, kind, entries));
  }

  /**
   * Sets how a run ended.
   *
   * @param end milliseconds since 1970
   */
  void endRun(String run, String status, long end) throws IOException {
    post("runs/update", Map.of("run_id", run, "status", status, "end_time", end));
  }

  private JsonNode post(String path, Object body) throws IOException {
    HttpRequest request =
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body)))
            .build();
    return parsed(path, send(path, request));
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path)).timeout(LIMIT);
    return token == null ? request : request.header("Authorization", "Bearer " + token);
  }

  private HttpResponse<String> send(String path, HttpRequest request) throws IOException {
    try {
      return client.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UsageException(
          "%s%s: expected an answer of MLflow, found none (%s); see --to", base, path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(base + path + ": interrupted before MLflow answered");
    }
  }

  private JsonNode parsed(String path, HttpResponse<String> answer) throws IOException {
    if (answer.statusCode() != 200) {
      throw new UsageException(
          "%s%s: expected status 200 of MLflow, found %d: %s",
          base, path, answer.statusCode(), shown(answer));
    }
    return JSON.readTree(answer.body());
  }

  private String text(JsonNode answer, String field) {
    JsonNode value = answer.at(field);
    if (value.asText("").isEmpty()) {
      throw new UsageException(base + ": expected " + field + " in MLflow's answer, found none");
    }
    return value.asText();
  }

  private static String shown(HttpResponse<String> answer) {
    return PlainText.shortened(PlainText.inOneLine(answer.body()), MAX_SHOWN);
  }
}
