package io.github.amb.models.data;

import io.github.amb.models.data.example.Examples;

/** A linear classifier trained by stochastic gradient descent, example by example. */
final class LinearClassifier {
  private final int classes;
  private final float[][] weights;
  private final float[] bias;
  private final float[] features;
  private final double[] probabilities;

  LinearClassifier(int features, int classes) {
    this.classes = classes;
    this.weights = new float[classes][features];
    this.bias = new float[classes];
    this.features = new float[features];
    this.probabilities = new double[classes];
  }

  /** One pass over the examples in order. */
  void train(Examples examples, double learningRate) {
    for (int i = 0; i < examples.count(); i++) {
      predict(examples, i);
      for (int c = 0; c < classes; c++) {
        double error = probabilities[c] - (c == examples.label(i) ? 1 : 0);
        float step = (float) (learningRate * error);
        float[] row = weights[c];
        for (int j = 0; j < row.length; j++) {
          row[j] -= step * features[j];
        }
        bias[c] -= step;
      }
    }
  }

  double accuracy(Examples examples) {
    int correct = 0;
    for (int i = 0; i < examples.count(); i++) {
      predict(examples, i);
      int best = 0;
      for (int c = 1; c < classes; c++) {
        best = probabilities[c] > probabilities[best] ? c : best;
      }
      correct += best == examples.label(i) ? 1 : 0;
    }
    return (double) correct / examples.count();
  }

  private void predict(Examples examples, int example) {
    examples.copyFeatures(example, features);
    double max = Double.NEGATIVE_INFINITY;
    for (int c = 0; c < classes; c++) {
      float sum = bias[c];
      float[] row = weights[c];
      for (int j = 0; j < row.length; j++) {
        sum += row[j] * features[j];
      }
      probabilities[c] = sum;
      max = Math.max(max, sum);
    }
    double total = 0;
    for (int c = 0; c < classes; c++) {
      probabilities[c] = Math.exp(probabilities[c] - max);
      total += probabilities[c];
    }
    for (int c = 0; c < classes; c++) {
      probabilities[c] /= total;
    }
  }
}
