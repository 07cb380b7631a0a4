package io.github.amb.core.gradient;

import io.github.amb.core.random.Streams;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/**
 * Multinomial logistic regression on features in memory: {@code P(c | x) ∝ exp(W x + b)_c} with
 * cross-entropy loss. Small enough for tests and demonstrations of schemes.
 *
 * <p>The layout is {@code softmax.W} (classes × features, row by row), then {@code softmax.b}
 * (classes). Accumulating allocates nothing.
 */
public final class SoftmaxRegression implements GradientSource {
  private final Layout layout;
  private final float[][] features;
  private final int[] labels;
  private final int classes;
  private final int width;
  private final int training;
  private final float[] parameters;
  private final float[] sum;
  private final double[] probabilities;

  /**
   * A model of the given examples.
   *
   * @param features one row per example, all of one length, at least 1; not copied, not modified
   * @param labels class of each example, 0 to {@code classes − 1}; not copied, not modified
   * @param classes number of classes, at least 2
   * @param training the first so many examples are for training, the others for testing
   */
  public SoftmaxRegression(float[][] features, int[] labels, int classes, int training) {
    this.features = features;
    this.labels = labels;
    this.classes = classes;
    this.training = training;
    width = features[0].length;
    layout =
        new Layout(
            List.of(
                new Block("softmax.W", Block.Kind.WEIGHT, 0, classes, width),
                new Block("softmax.b", Block.Kind.BIAS, classes * width, classes)));
    parameters = new float[layout.size()];
    sum = new float[layout.size()];
    probabilities = new double[classes];
  }

  /**
   * A model of Gaussian blobs. Class centers are standard normal, an example is its class's center
   * plus standard normal noise, and classes are drawn uniformly. The result depends on the
   * arguments alone.
   *
   * @param classes number of classes, at least 2
   * @param features number of features, at least 1; the more, the better classes separate
   * @param train number of training examples, at least 1
   * @param test number of test examples
   * @param seed seed of all random draws
   */
  public static SoftmaxRegression blobs(int classes, int features, int train, int test, long seed) {
    UniformRandomProvider random = new Streams(seed).stream("blobs", 0, 0);
    var normal = ZigguratSampler.NormalizedGaussian.of(random);
    double[][] centers = new double[classes][features];
    for (double[] center : centers) {
      Arrays.setAll(center, i -> normal.sample());
    }
    float[][] examples = new float[train + test][features];
    int[] labels = new int[train + test];
    for (int k = 0; k < labels.length; k++) {
      labels[k] = random.nextInt(classes);
      for (int i = 0; i < features; i++) {
        examples[k][i] = (float) (centers[labels[k]][i] + normal.sample());
      }
    }
    return new SoftmaxRegression(examples, labels, classes, train);
  }

  @Override
  public Layout layout() {
    return layout;
  }

  @Override
  public int trainingExamples() {
    return training;
  }

  @Override
  public int testExamples() {
    return features.length - training;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Weights are uniform within {@code ±√(6 / (features + classes))}, biases are 0 (X. Glorot and
   * Y. Bengio, "Understanding the difficulty of training deep feedforward neural networks", AISTATS
   * 2010).
   */
  @Override
  public void initialize(long seed, float[] parameters) {
    UniformRandomProvider random = new Streams(seed).stream("softmax", 0, 0);
    double bound = Math.sqrt(6.0 / (width + classes));
    int weights = classes * width;
    for (int i = 0; i < weights; i++) {
      parameters[i] = (float) (bound * (2 * random.nextDouble() - 1));
    }
    Arrays.fill(parameters, weights, weights + classes, 0);
  }

  @Override
  public void begin(FloatBuffer parameters, long drawSeed) {
    parameters.get(0, this.parameters);
    Arrays.fill(sum, 0);
  }

  @Override
  public double accumulate(int[] examples, int from, int to) {
    double loss = 0;
    for (int k = from; k < to; k++) {
      int example = examples[k];
      float[] x = features[example];
      int label = labels[example];
      loss += predict(parameters, x, label);
      probabilities[label] -= 1;
      addOuterProduct(x);
    }
    return loss;
  }

  private void addOuterProduct(float[] x) {
    int biases = classes * width;
    for (int c = 0; c < classes; c++) {
      float error = (float) probabilities[c];
      int row = c * width;
      for (int i = 0; i < width; i++) {
        sum[row + i] += error * x[i];
      }
      sum[biases + c] += error;
    }
  }

  /**
   * Sets {@link #probabilities} to the probabilities of the classes for features {@code x}.
   *
   * @return the loss, −log P(label | x)
   */
  private double predict(float[] w, float[] x, int label) {
    double highest = Double.NEGATIVE_INFINITY;
    for (int c = 0; c < classes; c++) {
      double logit = w[classes * width + c];
      int row = c * width;
      for (int i = 0; i < width; i++) {
        logit += (double) w[row + i] * x[i];
      }
      probabilities[c] = logit;
      highest = Math.max(highest, logit);
    }
    double labelLogit = probabilities[label];
    double total = 0;
    for (int c = 0; c < classes; c++) {
      probabilities[c] = StrictMath.exp(probabilities[c] - highest);
      total += probabilities[c];
    }
    for (int c = 0; c < classes; c++) {
      probabilities[c] /= total;
    }
    return StrictMath.log(total) + highest - labelLogit;
  }

  @Override
  public void finish(FloatBuffer gradient) {
    gradient.put(0, sum);
  }

  @Override
  public Evaluation evaluate(float[] parameters, int[] examples, int from, int to) {
    double loss = 0;
    int right = 0;
    for (int k = from; k < to; k++) {
      int example = training + examples[k];
      loss += predict(parameters, features[example], labels[example]);
      if (mostProbable() == labels[example]) {
        right++;
      }
    }
    return new Evaluation(loss / (to - from), (double) right / (to - from), to - from);
  }

  private int mostProbable() {
    int best = 0;
    for (int c = 1; c < classes; c++) {
      if (probabilities[c] > probabilities[best]) {
        best = c;
      }
    }
    return best;
  }

  /** Numbers that are wrong if made of a part of the examples. */
  @Override
  public Map<String, Double> metrics(float[] parameters, Evaluation scores) {
    return Map.of("perplexity", Math.exp(scores.loss()));
  }

  @Override
  public void close() {
    // The model holds heap memory only.
  }
}
