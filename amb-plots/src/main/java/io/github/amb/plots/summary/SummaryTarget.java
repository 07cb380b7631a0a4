package io.github.amb.plots.summary;

import io.github.amb.core.option.UsageException;
import io.github.amb.core.record.EvaluationRecord;
import io.github.amb.core.record.RunInfo;
import io.github.amb.plots.run.Run;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What runs are measured to: a test accuracy, or a test loss.
 *
 * @param value accuracy, 0 to 1, or loss; empty for none
 * @param given whether the user chose it; else it is the highest round accuracy that all runs
 *     reached
 * @param ofLoss whether it is a loss, which is to be at most the value
 * @param interpolates whether it is reached on the straight line between two tests, not at the
 *     second one
 */
public record SummaryTarget(
    OptionalDouble value, boolean given, boolean ofLoss, boolean interpolates) {
  /** Without a target of the user: the highest round accuracy that all runs reached. */
  public static final SummaryTarget USUAL = accuracy(OptionalDouble.empty());

  private static final double[] CANDIDATES = {
    0.99, 0.98, 0.97, 0.95, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01
  };

  /**
   * When a run reached the target.
   *
   * @param time seconds; NaN if it did not
   * @param apart seconds since the test before, or the start; NaN if it did not
   */
  record Reached(double time, double apart) {
    static final Reached NEVER = new Reached(Double.NaN, Double.NaN);
  }

  /** An accuracy; empty for the highest round one that all runs reached. */
  public static SummaryTarget accuracy(OptionalDouble value) {
    return new SummaryTarget(value, value.isPresent(), false, false);
  }

  /**
   * What the user asks for.
   *
   * @param accuracy above 0, at most 1; empty for none
   * @param loss empty for none
   * @throws UsageException if both are given, or the accuracy is out of range
   */
  public static SummaryTarget of(
      OptionalDouble accuracy, OptionalDouble loss, boolean interpolates) {
    if (accuracy.isPresent() && loss.isPresent()) {
      throw new UsageException("expected --target-accuracy or --target-loss, found both");
    }
    boolean ofLoss = loss.isPresent();
    return new SummaryTarget(
        ofLoss ? loss : accuracy, ofLoss || accuracy.isPresent(), ofLoss, interpolates);
  }

  /** Checks the accuracy. */
  public SummaryTarget {
    if (!ofLoss && value.isPresent() && !(value.getAsDouble() > 0 && value.getAsDouble() <= 1)) {
      throw new UsageException(
          "--target-accuracy: expected a share above 0, at most 1, found " + value.getAsDouble());
    }
  }

  /** This target, or the highest candidate that every run with evaluations reached, if any. */
  SummaryTarget orReachedByAll(List<Run> runs) {
    List<Run> evaluated =
        runs.stream()
            .filter(run -> !run.evaluations().isEmpty())
            .filter(run -> run.info().state() != RunInfo.State.DIVERGED)
            .toList();
    if (given || evaluated.isEmpty()) {
      return this;
    }
    OptionalDouble reached =
        Arrays.stream(CANDIDATES)
            .filter(
                target ->
                    evaluated.stream()
                            .flatMap(
                                run ->
                                    run.evaluations().stream()
                                        .filter(test -> test.accuracy() >= target)
                                        .limit(1))
                            .count()
                        == evaluated.size())
            .findFirst();
    return new SummaryTarget(reached, false, false, interpolates);
  }

  /** As a heading has it: the accuracy, or the loss with its name; empty for none. */
  String text() {
    return value.isEmpty() ? "" : (ofLoss ? "loss " : "") + value.getAsDouble();
  }

  /** When the first test reached the target. */
  Reached reached(List<EvaluationRecord> evaluations) {
    if (value.isEmpty()) {
      return Reached.NEVER;
    }
    EvaluationRecord before = null;
    for (EvaluationRecord test :
        evaluations.stream().sorted(Comparator.comparingDouble(EvaluationRecord::time)).toList()) {
      double target = value.getAsDouble();
      if (ofLoss ? test.testLoss() <= target : test.accuracy() >= target) {
        double apart = test.time() - (before == null ? 0 : before.time());
        double late = interpolates && before != null ? 1 - share(before, test) : 0;
        return new Reached(test.time() - late * apart, apart);
      }
      before = test;
    }
    return Reached.NEVER;
  }

  /** How far it is from one test to the next where the target is reached; 1 if that is unknown. */
  private double share(EvaluationRecord before, EvaluationRecord test) {
    double from = ofLoss ? before.testLoss() : before.accuracy();
    double to = ofLoss ? test.testLoss() : test.accuracy();
    double share = (value.getAsDouble() - from) / (to - from);
    return Double.isNaN(share) ? 1 : share;
  }
}
