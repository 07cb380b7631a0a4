package io.github.amb.plots.watch;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.RunInfo;
import io.github.amb.core.record.StepRecord;
import io.github.amb.plots.PlainText;
import io.github.amb.plots.figure.Span;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Follows the files of a run, and says as JSON what is new. */
final class RunFeed {
  private static final ObjectMapper JSON =
      JsonMapper.builder().propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE).build();

  /** Records read for one answer, so that the first one of a long run is quick. */
  private static final long MAX_RECORDS = 20_000;

  private final RunDirectory directory;
  private final String unended;
  private RunLogs logs;
  private RunInfo info;
  private WatchedRun run;

  /** Grows when the logs are read from their start, and when a test comes late. */
  private int reading;

  /**
   * @param directory a run directory
   * @param unended what is said of a run that has recorded no ending
   */
  RunFeed(RunDirectory directory, String unended) {
    this.directory = directory;
    this.unended = unended;
  }

  /**
   * What a page lacks. {@code read} is the share of the logs that has been read.
   *
   * @param known the page's {@code reading}, then stride and number of points of its losses, then
   *     of its tests; other lengths mean that it has nothing
   * @throws IOException if a file of the run cannot be read
   */
  synchronized byte[] since(long[] known) throws IOException {
    update();
    long[] has = known.length == 5 && known[0] == reading ? known : new long[5];
    Map<String, Object> news = new LinkedHashMap<>();
    news.put("reading", reading);
    news.put("read", logs.share());
    news.put("run", description());
    news.put("progress", progress());
    news.put("losses", run.losses.since(has[1], (int) has[2]));
    news.put("tests", run.tests().since(has[3], (int) has[4]));
    news.put("workers", run.rows());
    news.put("spans", run.spans(directory, info).stream().map(RunFeed::span).toList());
    news.put("events", events());
    return JSON.writeValueAsBytes(news);
  }

  private void update() throws IOException {
    info = directory.read();
    if (run == null || logs.isCut()) {
      logs = new RunLogs(directory);
      run = new WatchedRun(WatchedRun.workers(info));
      reading++;
    }
    int late = run.lateTests;
    logs.read(MAX_RECORDS, run::add);
    reading += run.lateTests - late;
  }

  private Map<String, Object> description() {
    RunInfo.Ending ending = info.ending();
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("name", text(info.id()));
    facts.put("directory", text(directory.path().toString()));
    facts.put("started", text(info.started()));
    facts.put("command", text(String.join(" ", info.command())));
    facts.put("virtual", info.configured("engine", "").equals("sim"));
    facts.put("cause", ending == null ? unended : text(ending.cause()));
    facts.put("exit_code", ending == null ? null : ending.exitCode());
    return facts;
  }

  private static String text(String foreign) {
    return foreign == null ? "" : PlainText.inOneLine(foreign);
  }

  private Map<String, Object> progress() {
    StepRecord last = run.last;
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("time", last == null ? 0 : last.time());
    facts.put("step", last == null ? 0 : last.step());
    facts.put("loss", last == null ? null : last.loss());
    facts.put("learning_rate", last == null ? null : last.learningRate());
    facts.put("examples", last == null ? 0 : last.totalSamples());
    facts.put("speed", run.speed());
    EvaluationRecord test = run.test();
    facts.put("accuracy", test == null ? null : test.accuracy());
    facts.put("accuracy_step", test == null ? null : test.step());
    facts.put("best", run.largest(EvaluationRecord::accuracy));
    facts.put("test_loss", test == null ? null : test.testLoss());
    facts.put("best_loss", -run.largest(one -> -one.testLoss()));
    Map<String, Double> metrics = new LinkedHashMap<>(last == null ? Map.of() : last.metrics());
    metrics.putAll(test == null ? Map.of() : test.metrics());
    facts.put("metrics", metrics);
    facts.put("seconds_left", info.ending() == null ? secondsLeft(last) : Double.NaN);
    return facts;
  }

  /** Seconds until the first limit of steps or time; NaN if no such end is known. */
  private double secondsLeft(StepRecord last) {
    double steps = WatchedRun.number(info, "last-step");
    double seconds = WatchedRun.number(info, "max-time");
    double bySteps =
        last != null && steps > 0 ? (steps - last.step()) / run.stepsPerSecond() : Double.NaN;
    double byTime = last != null && seconds > 0 ? seconds - last.time() : Double.NaN;
    double left =
        Stream.of(bySteps, byTime)
            .filter(Double::isFinite)
            .min(Comparator.naturalOrder())
            .orElse(Double.NaN);
    return Math.max(0, left);
  }

  private static List<Object> span(Span span) {
    return List.of(span.rank(), span.phase().label(), span.start(), span.end());
  }

  /** Changes of the workers and checkpoints, by step. */
  private List<WatchedEvents.Event> events() throws IOException {
    List<WatchedEvents.Event> all = new ArrayList<>(run.events.list());
    WatchedRun.checkpoints(directory).forEach(name -> all.add(checkpoint(name)));
    all.sort(Comparator.comparingLong(WatchedEvents.Event::step));
    return all;
  }

  private static WatchedEvents.Event checkpoint(String name) {
    String text = name.startsWith("best") ? "best parameters saved" : "checkpoint saved";
    return new WatchedEvents.Event(Double.NaN, WatchedRun.step(name), "checkpoint", text);
  }
}
