package io.github.amb.plots.export;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * What MLflow's server (3.x) checks in the requests that an export makes: the types of {@code
 * service.proto}, and the required fields, names and limits of its handlers. An unknown field,
 * which the server ignores, is a problem here.
 */
final class MlflowRules {
  private static final int MAX_BYTES = 1_000_000;
  private static final int MAX_ENTRIES = 1000;
  private static final int MAX_PAIRS = 100;
  private static final int LONGEST_KEY = 250;
  private static final int LONGEST_PARAMETER = 6000;
  private static final int LONGEST_TAG = 5000;

  private static final Pattern NAME = Pattern.compile("[/\\w.\\- ]*");
  private static final Pattern EXPERIMENT = Pattern.compile("[a-zA-Z0-9][\\w\\-]{0,63}");
  private static final Pattern RUN = Pattern.compile("[a-zA-Z0-9][\\w\\-]{0,255}");
  private static final Set<String> STATUSES =
      Set.of("RUNNING", "SCHEDULED", "FINISHED", "FAILED", "KILLED");

  private static final Predicate<JsonNode> TEXT = JsonNode::isTextual;
  private static final Predicate<JsonNode> WHOLE = JsonNode::canConvertToLong;

  private final List<String> problems = new ArrayList<>();

  private MlflowRules() {}

  /**
   * The problems of a request; empty if MLflow takes it.
   *
   * @param path below {@code /api/2.0/mlflow/}
   * @param body null for a request without one
   */
  static List<String> problems(String path, JsonNode body) {
    MlflowRules rules = new MlflowRules();
    switch (path) {
      case "experiments/get-by-name" -> {}
      case "experiments/create" -> rules.createExperiment(body);
      case "runs/create" -> rules.createRun(body);
      case "runs/log-batch" -> rules.logBatch(body);
      case "runs/update" -> rules.updateRun(body);
      default -> rules.problems.add("no such path: " + path);
    }
    return rules.problems;
  }

  private void createExperiment(JsonNode body) {
    fields(body, Map.of("name", TEXT));
    expect(!body.path("name").asText().isEmpty(), "name is required");
    expect(body.path("name").asText().length() <= 500, "name is too long");
  }

  private void createRun(JsonNode body) {
    fields(
        body,
        Map.of(
            "experiment_id",
            TEXT,
            "run_name",
            TEXT,
            "start_time",
            WHOLE,
            "tags",
            JsonNode::isArray));
    expect(EXPERIMENT.matcher(body.path("experiment_id").asText()).matches(), "experiment_id");
    expect(body.path("start_time").asLong() >= 0, "start_time is negative");
    pairs(body.path("tags"), LONGEST_TAG);
  }

  private void logBatch(JsonNode body) {
    fields(
        body,
        Map.of(
            "run_id",
            TEXT,
            "metrics",
            JsonNode::isArray,
            "params",
            JsonNode::isArray,
            "tags",
            JsonNode::isArray));
    expect(RUN.matcher(body.path("run_id").asText()).matches(), "run_id");
    expect(body.toString().length() <= MAX_BYTES, "the request has too many bytes");
    int parameters = body.path("params").size();
    int tags = body.path("tags").size();
    int metrics = body.path("metrics").size();
    expect(parameters <= MAX_PAIRS && tags <= MAX_PAIRS, "too many params or tags");
    expect(metrics + parameters + tags <= MAX_ENTRIES, "too many entries");
    pairs(body.path("params"), LONGEST_PARAMETER);
    pairs(body.path("tags"), LONGEST_TAG);
    body.path("metrics").forEach(this::metric);
  }

  private void metric(JsonNode metric) {
    Predicate<JsonNode> number =
        value ->
            value.isNumber() || Set.of("NaN", "Infinity", "-Infinity").contains(value.asText());
    fields(metric, Map.of("key", TEXT, "value", number, "timestamp", WHOLE, "step", WHOLE));
    name(metric.path("key").asText());
    expect(metric.hasNonNull("value"), "a metric's value is required");
    expect(metric.hasNonNull("timestamp"), "a metric's timestamp is required");
    expect(metric.path("timestamp").asLong() >= 0, "a metric's timestamp is negative");
  }

  private void updateRun(JsonNode body) {
    fields(body, Map.of("run_id", TEXT, "status", TEXT, "end_time", WHOLE));
    expect(RUN.matcher(body.path("run_id").asText()).matches(), "run_id");
    expect(STATUSES.contains(body.path("status").asText()), "status " + body.path("status"));
  }

  /** Parameters or tags. */
  private void pairs(JsonNode pairs, int longest) {
    Set<String> keys = new HashSet<>();
    for (JsonNode pair : pairs) {
      fields(pair, Map.of("key", TEXT, "value", TEXT));
      String key = pair.path("key").asText();
      name(key);
      expect(keys.add(key), "a key twice: " + key);
      expect(pair.path("value").asText().length() <= longest, "the value of " + key + " is long");
    }
  }

  /** A key, which a server with files uses as a path. */
  private void name(String key) {
    boolean path = !key.isEmpty() && Path.of(key).normalize().toString().equals(key);
    boolean leaves = key.startsWith("..") || key.startsWith("/") || key.equals(".");
    expect(NAME.matcher(key).matches() && path && !leaves, "invalid name '" + key + "'");
    expect(key.length() <= LONGEST_KEY, "the name " + key + " is long");
  }

  private void fields(JsonNode of, Map<String, Predicate<JsonNode>> types) {
    for (Map.Entry<String, JsonNode> field : of.properties()) {
      Predicate<JsonNode> type = types.get(field.getKey());
      expect(type != null, "unknown field " + field.getKey());
      expect(type == null || type.test(field.getValue()), "type of " + field);
    }
  }

  private void expect(boolean holds, String problem) {
    if (!holds) {
      problems.add(problem);
    }
  }
}
