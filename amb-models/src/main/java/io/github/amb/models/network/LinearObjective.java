package io.github.amb.models.network;

import io.github.amb.core.gradient.Block;
import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.gradient.Layout;
import io.github.amb.core.gradient.SizedSource;
import io.github.amb.core.option.UsageException;
import io.github.amb.core.plugin.EntryArguments;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.ExampleForm;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.data.example.SparseExamples;
import io.github.amb.models.data.example.Targets;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Linear models with one weight per feature, and no other, in double precision: the mean over
 * examples of log(1 + e^(−y⟨w, x⟩)) or ½(⟨w, x⟩ − y)², plus (l2/2) Σw² + nonconvex Σw²/(1 + w²).
 * Only features that are not zero cost time. The loss of an example in training has the
 * regularizers, that of a test has not.
 */
final class LinearObjective extends SizedSource {
  static final String USAGE = "[:l2=0][,nonconvex=0]";

  private final Kind kind;
  private final DataSet data;
  private final Examples train;
  private final Examples test;
  private final double[] weights;
  private final double[] sum;
  private final float[] dense;
  private double penalty;
  private long count;

  /**
   * What the user chose.
   *
   * @param logistic whether labels are two classes, else numbers
   * @param l2 factor of half the sum of squares, from 0
   * @param nonconvex factor of Σw²/(1 + w²), from 0
   */
  record Kind(boolean logistic, double l2, double nonconvex) implements Objective {
    /** The objective that arguments describe; null if there are none. */
    static Kind of(boolean logistic, EntryArguments given) {
      double l2 = given.factor("l2", Double.NaN);
      double other = given.factor("nonconvex", Double.NaN);
      boolean none = Double.isNaN(l2) && Double.isNaN(other);
      return none ? null : new Kind(logistic, orZero(l2), orZero(other));
    }

    private static double orZero(double value) {
      return Double.isNaN(value) ? 0 : value;
    }

    @Override
    public Layout layout(ExampleForm form) {
      boolean one = form.classes() == 1 || form.targets() == Targets.CLASS;
      if (!logistic && !one) {
        throw new UsageException(
            "network linear-regression with arguments: expected one number to predict, found %d in"
                + " data set %s; leave the arguments out",
            form.classes(), form.dataSet());
      }
      if (logistic && (form.classes() != 2 || form.targets() != Targets.CLASS)) {
        throw new UsageException(
            "network logistic-regression with arguments: expected 2 classes, found %d %s in data set"
                + " %s; leave the arguments out for a softmax of all classes",
            form.classes(), form.predicted(), form.dataSet());
      }
      return new Layout(List.of(new Block("w", Block.Kind.WEIGHT, 0, form.shape().size())));
    }

    @Override
    public GradientSource open(DataSet data) {
      return new LinearObjective(this, layout(data.form()), data);
    }

    double loss(double product, double y) {
      double error = product - y;
      double margin = y * product;
      return !logistic
          ? error * error / 2
          : StrictMath.log1p(StrictMath.exp(-Math.abs(margin))) + Math.max(0, -margin);
    }

    /** The derivative of {@link #loss} by the product. */
    double slope(double product, double y) {
      return logistic ? -y / (1 + StrictMath.exp(y * product)) : product - y;
    }

    double penalty(double w) {
      return l2 / 2 * w * w + nonconvex * w * w / (1 + w * w);
    }

    double penaltySlope(double w) {
      double square = 1 + w * w;
      return l2 * w + nonconvex * 2 * w / (square * square);
    }
  }

  private LinearObjective(Kind kind, Layout layout, DataSet data) {
    super(layout, data.train().count(), data.test().count());
    this.kind = kind;
    this.data = data;
    train = data.train();
    test = data.test();
    weights = new double[layout.size()];
    sum = new double[layout.size()];
    dense = new float[layout.size()];
  }

  @Override
  public void initialize(long seed, float[] parameters) {
    Arrays.fill(parameters, 0, weights.length, 0);
  }

  @Override
  public void begin(FloatBuffer parameters, long drawSeed) {
    begin(parameters);
  }

  private void begin(FloatBuffer parameters) {
    penalty = 0;
    for (int i = 0; i < weights.length; i++) {
      weights[i] = parameters.get(i);
      penalty += kind.penalty(weights[i]);
    }
    Arrays.fill(sum, 0);
    count = 0;
  }

  @Override
  public double accumulate(int[] examples, int from, int to) {
    double loss = (to - from) * penalty;
    for (int i = from; i < to; i++) {
      loss += add(examples[i]);
    }
    count += to - from;
    return loss;
  }

  private double add(int example) {
    double y = y(train, example);
    double product = product(train, example);
    double weight = train.weight(train.label(example));
    double slope = weight * kind.slope(product, y);
    if (train instanceof SparseExamples sparse) {
      for (int i = sparse.start(example); i < sparse.start(example + 1); i++) {
        sum[sparse.index(i)] += slope * sparse.value(i);
      }
    } else {
      for (int i = 0; i < dense.length; i++) {
        if (dense[i] != 0) {
          sum[i] += slope * dense[i];
        }
      }
    }
    return weight * kind.loss(product, y);
  }

  private double y(Examples examples, int example) {
    return kind.logistic ? 2 * examples.label(example) - 1 : examples.target(example, 0);
  }

  /** Of dense examples, it leaves the features in {@code dense}. */
  private double product(Examples examples, int example) {
    double product = 0;
    if (examples instanceof SparseExamples sparse) {
      for (int i = sparse.start(example); i < sparse.start(example + 1); i++) {
        product += weights[sparse.index(i)] * sparse.value(i);
      }
      return product;
    }
    examples.copyFeatures(example, dense);
    for (int i = 0; i < dense.length; i++) {
      product += dense[i] == 0 ? 0 : weights[i] * dense[i];
    }
    return product;
  }

  @Override
  public void finish(FloatBuffer gradient) {
    for (int i = 0; i < sum.length; i++) {
      gradient.put(i, (float) (sum[i] + count * kind.penaltySlope(weights[i])));
    }
  }

  @Override
  public Evaluation evaluate(float[] parameters, int[] examples, int from, int to) {
    begin(FloatBuffer.wrap(parameters));
    double loss = 0;
    int right = 0;
    for (int i = from; i < to; i++) {
      double y = y(test, examples[i]);
      double product = product(test, examples[i]);
      loss += kind.loss(product, y);
      boolean near = Math.abs(product - y) < 0.5;
      right += (kind.logistic ? product > 0 == y > 0 : near) ? 1 : 0;
    }
    int tested = to - from;
    return data.scores(new Evaluation(loss / tested, (double) right / tested, tested));
  }

  /** Value and squared norm of the gradient of the objective over all training examples. */
  @Override
  public Map<String, Double> metrics(float[] parameters, Evaluation scores) {
    begin(FloatBuffer.wrap(parameters));
    double loss = 0;
    for (int example = 0; example < train.count(); example++) {
      loss += add(example);
    }
    double norm = 0;
    for (int i = 0; i < sum.length; i++) {
      double slope = sum[i] / train.count() + kind.penaltySlope(weights[i]);
      norm += slope * slope;
    }
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("objective", loss / train.count() + penalty);
    metrics.put("squared_gradient_norm", norm);
    return metrics;
  }
}
