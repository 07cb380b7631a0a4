package io.github.amb.runtime.evaluate;

import io.github.amb.core.file.Printable;
import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.option.Decimal;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.EvaluatorLog;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import java.io.IOException;
import java.io.PrintStream;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

/** Tests a run's saved parameters, each once; prints the results and appends them to the run. */
final class RunEvaluation implements AutoCloseable {
  private final RunDirectory run;
  private final RunModel model;
  private final EvaluatorLog log;
  private final String groups;
  private final PrintStream out;
  private final PrintStream err;
  private final Set<Long> tried = new HashSet<>();

  /** Tests on as many examples, by step. */
  private final Map<Long, EvaluationRecord> done = new TreeMap<>();

  /**
   * @param run the run's directory
   * @param model not closed with this
   * @param groups of examples whose scores are printed with each test; empty for none
   * @param out receives results
   * @param err receives warnings
   * @throws IOException if the run's {@code evaluator.jsonl} cannot be opened
   */
  RunEvaluation(RunDirectory run, RunModel model, String groups, PrintStream out, PrintStream err)
      throws IOException {
    this.run = run;
    this.model = model;
    this.groups = groups;
    this.out = out;
    this.err = err;
    log = new EvaluatorLog(run);
    for (LogRecord record : run.evaluatorRecords()) {
      if (record instanceof EvaluationRecord test && test.testSize() == model.testSize()) {
        done.put(test.step(), test);
        tried.add(test.step());
      }
    }
  }

  /**
   * Tests all saved parameters that have not been tested on as many examples.
   *
   * @return how many were tested
   */
  int evaluateNew() throws IOException {
    int evaluated = 0;
    for (SavedParameters saved : SavedParameters.of(run)) {
      if (tried.add(saved.step()) && evaluate(saved)) {
        evaluated++;
      }
    }
    return evaluated;
  }

  /**
   * Waits for new checkpoints, and tests them, until the run has ended.
   *
   * @param poll seconds between two checks
   * @param idleLimit seconds without a new checkpoint after which to stop
   */
  void watch(double poll, double idleLimit) throws IOException, InterruptedException {
    long last = System.nanoTime();
    while (true) {
      // Ask first whether it has ended, so that its last checkpoints are not missed.
      boolean ended = run.read().ending() != null;
      if (evaluateNew() > 0) {
        last = System.nanoTime();
      }
      if (ended) {
        return;
      }
      if (System.nanoTime() - last > 1e9 * idleLimit) {
        err.println(
            "amb: %s: stopped, as there was no new checkpoint for %.0f s (--idle-limit); the run has not recorded its end"
                .formatted(run.path(), idleLimit));
        return;
      }
      Thread.sleep(Math.max(1, (long) (1e3 * poll)));
    }
  }

  /**
   * Tests one checkpoint.
   *
   * @return false if it could not be read, as it was removed meanwhile, is damaged, or is of
   *     another run
   */
  boolean evaluate(SavedParameters saved) throws IOException {
    long start = System.nanoTime();
    SavedParameters.Content parameters;
    try {
      parameters = saved.read(model.origin);
    } catch (IOException e) {
      err.println("amb: skipped a checkpoint: " + Printable.printable(e.getMessage()));
      return false;
    }
    Evaluation result = model.evaluate(parameters.values());
    GroupScores details = GroupScores.by(groups, model, parameters.values());
    Map<String, Double> metrics = new LinkedHashMap<>(model.metrics(parameters.values(), result));
    metrics.putAll(details.metrics());
    double duration = (System.nanoTime() - start) / 1e9;
    double time = parameters.seconds();
    EvaluationRecord record =
        new EvaluationRecord(
            Double.isNaN(time) ? recordedTime(saved.step()) : time,
            saved.step(),
            result.loss(),
            result.accuracy(),
            result.examples(),
            duration,
            metrics);
    log.append(record);
    done.put(record.step(), record);
    print(record);
    out.print(details.text());
    return true;
  }

  /**
   * Prints the results of earlier tests on as many examples.
   *
   * @return how many there are
   */
  int repeat() {
    done.values().forEach(this::print);
    return done.size();
  }

  private void print(EvaluationRecord record) {
    out.println(
        Decimal.format(
            "step = %d, time = %.3f s, %s (%d examples, %.3f sec)",
            record.step(), record.time(), record.scores(), record.testSize(), record.duration()));
    out.flush();
  }

  /** Seconds from the start of training to the end of a step; NaN if the step is not recorded. */
  private double recordedTime(long step) throws IOException {
    AtomicReference<Double> time = new AtomicReference<>(step == 0 ? 0.0 : Double.NaN);
    run.masterRecords(
        record -> {
          if (record instanceof StepRecord made && made.step() == step) {
            time.set(made.time());
          }
        });
    return time.get();
  }

  @Override
  public void close() throws IOException {
    log.close();
  }
}
