package io.github.amb.plots.export;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import io.github.amb.plots.PlainText;
import io.github.amb.plots.run.Run;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Sends runs to an MLflow tracking server: configuration, environment, losses and tests. */
public final class Mlflow {
  /** MLflow's limits of one request. */
  private static final int MAX_METRICS = 1000;

  private static final int MAX_PARAMETERS = 100;

  /** The shortest limit of a name or a value that any version of MLflow has had. */
  private static final int LONGEST_TEXT = 250;

  private static final int STOPPED = 130;

  private final MlflowServer server;

  /**
   * @param url the tracking server, as {@code http://localhost:5000}
   * @param token what {@code MLFLOW_TRACKING_TOKEN} has; null if it is unset
   * @throws UsageException if the URL is not one of HTTP
   */
  public Mlflow(String url, String token) {
    server = new MlflowServer(url, token);
  }

  /**
   * Sends runs. Each becomes a new run of the experiment "AMB".
   *
   * @return MLflow's id of each, in the same order
   * @throws UsageException if the server does not accept a request
   * @throws IOException if an answer is not JSON
   */
  public List<String> send(List<Run> runs) throws IOException {
    String experiment = server.experiment("AMB");
    List<String> ids = new ArrayList<>();
    for (Run run : runs) {
      ids.add(send(run, experiment));
    }
    return ids;
  }

  private String send(Run run, String experiment) throws IOException {
    long start = run.startMillis();
    String id = server.createRun(experiment, value(run.id()), start, tags(run.info()));
    List<Map<String, String>> parameters = pairs(run.info().configuration());
    for (int i = 0; i < parameters.size(); i += MAX_PARAMETERS) {
      server.logBatch(id, "params", part(parameters, i, MAX_PARAMETERS));
    }
    List<Map<String, Object>> metrics = metrics(run, start);
    for (int i = 0; i < metrics.size(); i += MAX_METRICS) {
      server.logBatch(id, "metrics", part(metrics, i, MAX_METRICS));
    }
    RunInfo.Ending ending = run.info().ending();
    if (ending != null) {
      server.endRun(id, status(ending.exitCode()), start + milliseconds(ending.seconds()));
    }
    return id;
  }

  private static <T> List<T> part(List<T> all, int from, int most) {
    return all.subList(from, Math.min(all.size(), from + most));
  }

  private static String status(int exitCode) {
    return exitCode == 0 ? "FINISHED" : exitCode == STOPPED ? "KILLED" : "FAILED";
  }

  private static long milliseconds(double seconds) {
    return Math.round(1e3 * seconds);
  }

  /** Environment, command and cause of the ending; at most 100. */
  private static List<Map<String, String>> tags(RunInfo info) {
    Map<String, Object> tags = new LinkedHashMap<>();
    tags.put("mlflow.source.name", String.join(" ", info.command()));
    if (info.ending() != null) {
      tags.put("ending", info.ending().cause());
    }
    tags.putAll(info.environment());
    return part(pairs(tags), 0, MAX_PARAMETERS);
  }

  /** Of names that MLflow would not tell apart, the first one counts. */
  private static List<Map<String, String>> pairs(Map<String, ?> facts) {
    Map<String, String> values = new LinkedHashMap<>();
    facts.forEach((name, value) -> values.putIfAbsent(key(name), value(value)));
    List<Map<String, String>> pairs = new ArrayList<>();
    values.forEach((key, value) -> pairs.add(Map.of("key", key, "value", value)));
    return pairs;
  }

  /** MLflow takes letters, digits and a few signs in names, which must not be relative paths. */
  private static String key(String name) {
    String key = name.replaceAll("[^\\w. -]", "_").replaceAll("^(\\.|$)", "_");
    return key.substring(0, Math.min(LONGEST_TEXT, key.length()));
  }

  private static String value(Object value) {
    return PlainText.shortened(PlainText.inOneLine(Objects.toString(value, "")), LONGEST_TEXT);
  }

  private static List<Map<String, Object>> metrics(Run run, long start) {
    List<Map<String, Object>> metrics = new ArrayList<>();
    for (LogRecord record : run.master()) {
      long at = start + milliseconds(record.time());
      if (record instanceof StepRecord step) {
        metrics.add(metric("loss", step.loss(), at, step.step()));
        metrics.add(metric("learning_rate", step.learningRate(), at, step.step()));
        metrics.add(metric("examples", step.totalSamples(), at, step.step()));
        step.metrics().forEach((name, value) -> metrics.add(metric(name, value, at, step.step())));
      } else if (record instanceof EvaluationRecord test) {
        metrics.add(metric("test_loss", test.testLoss(), at, test.step()));
        metrics.add(metric("test_accuracy", test.accuracy(), at, test.step()));
        test.metrics()
            .forEach((name, value) -> metrics.add(metric(key(name), value, at, test.step())));
      }
    }
    return metrics;
  }

  /** NaN and infinity become texts, as in protobuf's JSON, which MLflow reads. */
  private static Map<String, Object> metric(String key, double value, long at, long step) {
    return Map.of("key", key, "value", value, "timestamp", at, "step", step);
  }
}
