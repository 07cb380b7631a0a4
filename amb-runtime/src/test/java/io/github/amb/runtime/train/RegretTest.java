package io.github.amb.runtime.train;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.record.RunDirectory;
import io.github.amb.core.record.StepRecord;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.data.example.Examples;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The regret of Anytime Mini-Batch with dual averaging on the convex problems of its paper: what m
 * examples have cost more than the best fixed parameters would have, {@code R(m) = Σ n (loss − F*)}
 * over the steps' n examples. Its analysis bounds it by C √m (Ferdinand et al., ICLR 2019).
 */
class RegretTest extends VirtualRuns {
  private static final int FEATURES = 100;
  private static final int EPOCH = 50_000;

  /** Beyond 6.5 standard deviations is one run of 1e10. */
  private static final double DEVIATIONS = 6.5;

  /** Standard deviation of an example's loss at the best parameters, at most. */
  private static final double LOSS_DEVIATION = 1;

  /**
   * From 2 epochs to 8, log R over log m. At whole epochs the losses at the best parameters add up
   * to m F*, except those of the examples that other workers have not reached, at most a step's
   * 200.
   */
  @ParameterizedTest
  @CsvSource({"linear, 4", "logistic, 1"})
  @Tag("system")
  void regretGrowsNoFasterThanTheRootOfTheExamples(String data, int k) throws IOException {
    long seed = 1 + Long.getLong("amb.test.seed", 0);
    Examples examples = DataSets.load(data, null, seed).train();
    double best = data.equals("linear") ? least(examples, 2.4) : least(examples, 0.27);
    train(data, command(data, k, seed));
    double early = 0;
    double regret = 0;
    for (StepRecord step : stepRecords(new RunDirectory(directory.resolve(data)))) {
      regret += step.numSamples() * (step.loss() - best);
      early = step.totalSamples() <= 2 * EPOCH ? regret : early;
    }
    double uncertain = DEVIATIONS * LOSS_DEVIATION * Math.sqrt(200);
    double slope = Math.log((regret - uncertain) / (early + uncertain)) / Math.log(4);
    assertTrue(slope <= 0.5, "R(2 epochs) = %s, R(8) = %s".formatted(early, regret));
    assertTrue(early > uncertain, "R(2 epochs) = " + early);
  }

  /** With a constant rate, w₀ − η Σ g is where gradient descent is, but for rounding. */
  @Test
  void dualAveragingTrainsANetworkAsSgdDoes() throws IOException {
    List<Double> sgd = networkLosses("sgd");
    List<Double> found = networkLosses("dual-averaging");
    for (int i = 0; i < sgd.size(); i++) {
      assertEquals(sgd.get(i), found.get(i), 1e-3, "step " + i);
    }
  }

  private List<Double> networkLosses(String rule) throws IOException {
    String options = " --network sigmoid-mlp --learning-rate 0.1 --weight-decay 0 --last-step 20";
    return losses(train(rule, "digits fmb " + rule + " 32" + options + EQUAL));
  }

  private static String command(String data, int k, long seed) {
    return data
        + " amb dual-averaging 40 --amb-time-limit 1 --amb-num-partitions 10 --workers 5"
        + " --engine sim --cost-per-example 0.03 --induce cedar --evaluate last --max-epochs 8"
        + " --lrate-schedule inverse-sqrt --learning-rate 1 --weight-decay 0 --log-freq 1000000"
        + " --lrate-sqrt-k "
        + k
        + " --seed "
        + seed;
  }

  /**
   * The least mean loss, by gradient descent in double precision.
   *
   * @param curvature largest eigenvalue of the mean loss' Hessian, at least; 2 for squared errors
   *     and ¼ for the logistic loss, times (1 + √(features / examples))²
   */
  private static double least(Examples examples, double curvature) {
    boolean linear = curvature > 1;
    double[] w = new double[FEATURES + 1];
    double loss = 0;
    for (int step = 0; step < (linear ? 12 : 40); step++) {
      double[] slope = new double[w.length];
      loss = 0;
      for (int example = 0; example < EPOCH; example++) {
        loss += linear ? squared(examples, example, w, slope) : log(examples, example, w, slope);
      }
      for (int i = 0; i < w.length; i++) {
        w[i] -= slope[i] / EPOCH / curvature;
      }
    }
    return loss / EPOCH;
  }

  private static double squared(Examples examples, int example, double[] w, double[] slope) {
    float[] x = features(examples, example);
    double error = product(w, x) - examples.target(example, 0);
    add(slope, 2 * error, x);
    return error * error;
  }

  private static double log(Examples examples, int example, double[] w, double[] slope) {
    float[] x = features(examples, example);
    int sign = 2 * examples.label(example) - 1;
    double other = 1 / (1 + Math.exp(sign * product(w, x)));
    add(slope, -sign * other, x);
    return -Math.log1p(-other);
  }

  private static float[] features(Examples examples, int example) {
    float[] x = new float[FEATURES + 1];
    examples.copyFeatures(example, x);
    x[FEATURES] = 1;
    return x;
  }

  private static double product(double[] w, float[] x) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      sum += w[i] * x[i];
    }
    return sum;
  }

  private static void add(double[] sum, double factor, float[] x) {
    for (int i = 0; i < x.length; i++) {
      sum[i] += factor * x[i];
    }
  }
}
