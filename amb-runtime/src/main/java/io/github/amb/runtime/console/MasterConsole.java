package io.github.amb.runtime.console;

import static io.github.amb.core.option.Decimal.format;

import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.LogRecord;
import io.github.amb.core.record.MembershipRecord;
import io.github.amb.core.record.SlowRecord;
import io.github.amb.core.record.StepRecord;
import io.github.amb.core.record.WorkerRecord;
import java.io.PrintStream;
import java.util.function.Consumer;

/**
 * Writes the lines of the master's log, in the form of the predecessor program AMB. From the second
 * line on, a line has the seconds since the line before, followed by rates, the workers and the
 * slowest one. Evaluations arrive from another thread; a line has the newest one, with its step.
 */
public final class MasterConsole implements Consumer<LogRecord> {
  private final PrintStream out;
  private final int workers;
  private final int every;
  private final Consumer<String> warnings;
  private int alive;
  private double lastTime = -1;
  private double slowestTime;
  private int slowest;
  private boolean told;
  private EvaluationRecord evaluation;

  /**
   * @param out the log
   * @param workers number of workers; 0 for local training
   * @param every steps between two lines
   * @param warnings receives remarks for the user
   */
  public MasterConsole(PrintStream out, int workers, int every, Consumer<String> warnings) {
    this.warnings = warnings;
    this.out = out;
    this.workers = workers;
    alive = workers;
    this.every = every;
  }

  @Override
  public synchronized void accept(LogRecord record) {
    if (record instanceof WorkerRecord worker) {
      worked(worker);
    } else if (record instanceof EvaluationRecord evaluated) {
      evaluation = evaluated;
    } else if (record instanceof MembershipRecord membership) {
      alive = membership.workers().size();
      out.println(
          format(
              "generation %d: %d of %d workers after step %d: %s",
              membership.generation(), alive, workers, membership.step(), membership.cause()));
    } else if (record instanceof SlowRecord slow) {
      out.println(slow);
    } else if (record instanceof StepRecord step) {
      stepped(step);
    }
  }

  private void worked(WorkerRecord worker) {
    if (worker.computeTime() > slowestTime) {
      slowestTime = worker.computeTime();
      slowest = worker.rank();
    }
    if (worker.exhausted() && !told) {
      told = true;
      warnings.accept(
          "rank %d has used its batch before the time limit: raise BATCH-SIZE, or lower a time limit that you have given"
              .formatted(worker.rank()));
    }
  }

  private void stepped(StepRecord step) {
    if (step.step() % every == 0) {
      out.println(line(step));
      lastTime = step.time();
    }
    slowestTime = 0;
  }

  private String line(StepRecord step) {
    StringBuilder line = new StringBuilder();
    line.append("step = ").append(step.step());
    if (!Double.isNaN(step.loss())) {
      line.append(format(", loss = %.6g, learning_rate = %.4g", step.loss(), step.learningRate()));
    }
    step.metrics().forEach((name, value) -> line.append(format(", %s = %.6g", name, value)));
    if (evaluation != null) {
      line.append(", ").append(evaluation.scores()).append(" of step ").append(evaluation.step());
    }
    if (lastTime >= 0) {
      line.append(format(" (%.3f sec)", step.time() - lastTime));
    }
    if (step.time() > 0) {
      line.append(
          format(
              " | %.2f steps/s, %.0f examples/s",
              step.step() / step.time(), step.totalSamples() / step.time()));
    }
    if (workers > 0) {
      line.append(
          format(", %d/%d workers, slowest %d (%.3f s)", alive, workers, slowest, slowestTime));
    }
    return line.toString();
  }
}
