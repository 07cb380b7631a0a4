package io.github.amb.core.scheme.context;

import io.github.amb.core.engine.Clock;
import io.github.amb.core.engine.Message;
import io.github.amb.core.engine.Result;
import io.github.amb.core.engine.Work;
import io.github.amb.core.record.CollectRecord;
import io.github.amb.core.record.DropRecord;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.TestProgress;
import io.github.amb.core.record.WorkerRecord;
import io.github.amb.core.state.Checkpointed;
import io.github.amb.core.state.StateVisitor;
import io.github.amb.core.update.DivergedException;
import io.github.amb.core.update.NonFiniteParametersException;
import java.nio.FloatBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Where training stands: applies updates, keeps count, records steps, and knows when to stop. */
final class MasterProgress implements Checkpointed {
  private static final Pattern METRIC = Pattern.compile("[a-z][a-z0-9_]*");

  private final MasterContext master;
  private long start;
  private long step;
  private long totalSamples;
  private int empty;
  private TestProgress tests = TestProgress.NONE;
  private double end = Double.NaN;
  private double recorded; // seconds, at the last record
  private long bytes;
  private final Map<String, Double> metrics = new LinkedHashMap<>(); // of the next update

  /**
   * Training starts now, or continues where it was left.
   *
   * @throws NonFiniteParametersException if the parameters to start from are not finite
   */
  MasterProgress(MasterContext master) {
    this.master = master;
    start = master.clock().now();
    master.state().register("parameters", state -> state.floats("all", master.parameters()));
    master.state().register("update", master.update().rule());
    master.state().register("progress", this);
    NonFiniteParametersException.expectFinite(
        master.update().layout(), master.parameters(), step + 1);
  }

  @Override
  public void visit(StateVisitor state) {
    step = state.integer("step", step);
    totalSamples = state.integer("samples", totalSamples);
    if (state.has("empty")) {
      empty = (int) state.integer("empty", empty);
    }
    double[] found = tests.numbers();
    tests = TestProgress.of(state.has("tests") ? state.anyDoubles("tests", found) : found);
    // Without what the last evaluation takes after training is over.
    double seconds = Double.isNaN(end) ? time() : end;
    double saved = state.real("seconds", seconds);
    start += Clock.nanos(seconds) - Clock.nanos(saved);
    recorded = recorded == 0 ? saved : recorded;
    if (state.has("bytes")) {
      bytes = state.integer("bytes", bytes);
    }
  }

  /** Updates applied. */
  long step() {
    return step;
  }

  /** Updates of the parameters since those that a result was computed at. */
  long staleness(Message result) {
    return step - (result.step() - 1);
  }

  /** Seconds since training started. */
  double time() {
    return Clock.seconds(start, master.clock().now());
  }

  /** What a step has taken. */
  record Cost(double updateTime, double sendTime, long bytesSent, long bytesReceived) {}

  /** Puts a number into the record of the next update, if it is finite. */
  void log(String name, double value) {
    if (!METRIC.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "metric: expected a name of a-z, 0-9 and _, found '" + name + "'");
    }
    if (Double.isFinite(value)) {
      metrics.put(name, value);
    }
  }

  private double epochs() {
    return (double) totalSamples / master.trainingExamples();
  }

  /**
   * Applies one update with the master's update rule and schedule.
   *
   * @param gradients the first {@code count} are gradient sums in rank order; not modified
   * @param ranks which rank each came from; not modified
   * @return the learning rate used
   */
  double update(FloatBuffer[] gradients, int[] ranks, int count, long examples) {
    double learningRate = learningRate();
    master.update().apply(master.parameters(), gradients, ranks, count, examples, learningRate);
    updated(examples);
    return learningRate;
  }

  /** The schedule's learning rate for the next update. */
  double learningRate() {
    return master.schedule().learningRate(step, epochs(), tests.plateaus());
  }

  /** Counts an update that has been applied to the parameters. */
  void updated(long examples) {
    master.clock().charge(Work.UPDATE, master.parameters().length);
    step++;
    totalSamples += examples;
  }

  /**
   * Records a result that the next update uses.
   *
   * @param waitTime seconds the master waited for it after sending parameters
   */
  void used(Result result, double waitTime) {
    long staleness = staleness(result.message());
    master.log().accept(record(result, time(), step + 1, result.source(), waitTime, staleness));
  }

  /**
   * What a result says of its making, as a record.
   *
   * @param time seconds since training started
   * @param masterStep number of the update that it is for
   * @param rank the worker
   * @param waitTime seconds the master waited for it
   * @param staleness updates since its parameters
   */
  static WorkerRecord record(
      Result result, double time, long masterStep, int rank, double waitTime, long staleness) {
    return new WorkerRecord(
        time,
        masterStep,
        rank,
        result.examples(),
        result.partitions(),
        result.isExhausted(),
        result.lastSend(),
        result.lastReceive(),
        result.lastExit(),
        result.sleepTime(),
        result.computeTime(),
        waitTime,
        staleness);
  }

  /** Records a result that no update uses. */
  void dropped(Message message) {
    Result result = message.asResult();
    master
        .log()
        .accept(
            new DropRecord(
                time(),
                step,
                result.source(),
                result.examples(),
                staleness(message),
                result.partitions(),
                result.sleepTime(),
                result.computeTime()));
  }

  /**
   * Records that the results of the next update have come.
   *
   * @param waitTime seconds from the first one's arrival to now
   */
  void collected(int results, double waitTime, long examples) {
    master.log().accept(new CollectRecord(time(), step + 1, results, waitTime, examples));
  }

  /**
   * Records the update just applied, and offers its parameters for evaluation.
   *
   * @throws DivergedException afterwards, if its loss is not finite, or if it is at least the
   *     {@link DivergedException#MAX_EMPTY}th in a row without examples
   */
  void record(double lossSum, double learningRate, long examples, Cost cost) {
    bytes = cost.bytesSent() + cost.bytesReceived();
    master.state().listener().stepEnds(step, time());
    double time = time();
    recorded = time;
    double loss = examples > 0 ? lossSum / examples : Double.NaN;
    empty = examples > 0 ? 0 : empty + 1;
    master
        .log()
        .accept(
            new StepRecord(
                time,
                step,
                loss,
                learningRate,
                examples,
                totalSamples,
                cost.updateTime(),
                cost.sendTime(),
                cost.bytesSent(),
                cost.bytesReceived(),
                metrics));
    metrics.clear();
    readTest();
    master.evaluator().offer(time, step, master.parameters());
    readTest();
    master.state().roundBegins();
    master.state().listener().stepDone(step, time);
    expectProgress(loss, examples);
  }

  private void expectProgress(double loss, long examples) {
    if (examples > 0 && !Double.isFinite(loss)) {
      throw new DivergedException(
          "step %d: expected a finite training loss, found %s".formatted(step, loss), true);
    }
    if (empty >= DivergedException.MAX_EMPTY) {
      throw new DivergedException(
          "step %d: expected a finite result in %d steps, found none"
              .formatted(step, DivergedException.MAX_EMPTY),
          false);
    }
  }

  /** Takes the newest test into account, once. No other one ends before the next offer. */
  private void readTest() {
    EvaluationRecord test = master.evaluator().newest();
    if (test != null && test.step() != tests.step()) {
      tests = tests.with(test, master.schedule().patience());
    }
  }

  /** Whether a stop rule has been reached. */
  boolean over() {
    readTest();
    return master.stop().reached(step, epochs(), start, master.clock().now(), tests)
        || master.stop().budget().share(step, totalSamples, bytes, recorded) >= 1;
  }

  /** Evaluates the last parameters. */
  void finish() {
    end = time();
    master.evaluator().last(end, step, master.parameters());
    master.state().listener().trainingOver();
  }
}
