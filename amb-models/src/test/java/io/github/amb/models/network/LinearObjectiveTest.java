package io.github.amb.models.network;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.amb.core.gradient.Evaluation;
import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.Examples;
import io.github.amb.models.data.example.FloatExamples;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.data.example.Labels;
import io.github.amb.models.data.example.SparseExamples;
import io.github.amb.models.data.example.Targets;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinearObjectiveTest {
  private static final double L2 = 0.01;

  /** Rows of {@code perRow} random features; the class is that of a random weight's sign. */
  private static SparseExamples random(int rows, int features, int perRow, long seed) {
    Random random = new Random(seed);
    double[] truth = random.doubles(features, -2, 2).toArray();
    int[] starts = new int[rows + 1];
    int[] indices = new int[rows * perRow];
    float[] values = new float[indices.length];
    int[] labels = new int[rows];
    float[] targets = new float[rows];
    for (int i = 0; i < rows; i++) {
      int[] own = random.ints(0, features).distinct().limit(perRow).sorted().toArray();
      double product = random.nextGaussian();
      for (int k = 0; k < perRow; k++) {
        indices[i * perRow + k] = own[k];
        values[i * perRow + k] = (float) random.nextGaussian();
        product += truth[own[k]] * values[i * perRow + k];
      }
      starts[i + 1] = (i + 1) * perRow;
      labels[i] = product > 0 ? 1 : 0;
      targets[i] = (float) product;
    }
    return new SparseExamples(starts, indices, values, new Labels(Targets.CLASS, labels, targets));
  }

  private static DataSet set(Examples examples, int features) {
    return new DataSet("made", new ImageShape(1, 1, features), 2, examples, examples);
  }

  private static DataSet dense(SparseExamples sparse, int features) {
    float[] all = new float[sparse.count() * features];
    int[] labels = new int[sparse.count()];
    float[] targets = new float[sparse.count()];
    float[] row = new float[features];
    for (int i = 0; i < labels.length; i++) {
      sparse.copyFeatures(i, row);
      System.arraycopy(row, 0, all, i * features, features);
      labels[i] = sparse.label(i);
      targets[i] = sparse.target(i, 0);
    }
    return set(
        new FloatExamples(FloatBuffer.wrap(all), new Labels(Targets.CLASS, labels, targets)),
        features);
  }

  private static double gradient(GradientSource source, float[] w, float[] gradient) {
    int[] all = IntStream.range(0, source.trainingExamples()).toArray();
    source.begin(w, 1);
    double loss = source.accumulate(all, 0, all.length);
    source.finish(gradient);
    return loss;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "logistic-regression:l2=0.3", "logistic-regression:nonconvex=0.7,l2=0.1",
        "linear-regression:l2=0.3", "linear-regression:nonconvex=0.7"
      })
  void sparseAndDenseHaveTheSameBitsAndTheSlopeOfTheLoss(String network) {
    SparseExamples sparse = random(60, 9, 3, 4);
    try (GradientSource one = Networks.open(network, set(sparse, 9));
        GradientSource two = Networks.open(network, dense(sparse, 9))) {
      Random random = new Random(5);
      float[] w = new float[9];
      IntStream.range(0, 9).forEach(i -> w[i] = random.nextInt(-64, 64) / 32f);
      float[] ofSparse = new float[9];
      float[] ofDense = new float[9];
      assertEquals(gradient(one, w, ofSparse), gradient(two, w, ofDense));
      assertArrayEquals(ofSparse, ofDense);
      Evaluation scores = one.evaluate(w, new int[] {0, 1, 2, 3}, 0, 4);
      assertEquals(scores, two.evaluate(w, new int[] {0, 1, 2, 3}, 0, 4));
      assertEquals(one.metrics(w, scores), two.metrics(w, scores));
      for (int i = 0; i < 9; i++) {
        float h = 1 / 1024f;
        float[] up = w.clone();
        float[] down = w.clone();
        up[i] += h;
        down[i] -= h;
        double slope =
            (gradient(one, up, ofDense) - gradient(one, down, ofDense)) / (2 * (double) h);
        // The third derivatives times h squared are below 1e-4 in 60 examples.
        assertEquals(slope, ofSparse[i], 2e-3);
      }
    }
  }

  /** Newton's method on the regularized logistic loss, written apart from the program's. */
  private static double optimum(Examples examples, int features) {
    double[] w = new double[features];
    double value = 0;
    float[] x = new float[features];
    for (int iteration = 0; iteration < 30; iteration++) {
      value = 0;
      double[] slope = new double[features];
      double[][] hessian = new double[features][features];
      for (int i = 0; i < examples.count(); i++) {
        examples.copyFeatures(i, x);
        double y = examples.label(i) == 1 ? 1 : -1;
        double margin = 0;
        for (int k = 0; k < features; k++) {
          margin += y * w[k] * x[k];
        }
        value += Math.log(1 + Math.exp(-margin)) / examples.count();
        double p = 1 / (1 + Math.exp(margin));
        for (int k = 0; k < features; k++) {
          slope[k] -= p * y * x[k] / examples.count();
          for (int j = 0; x[k] != 0 && j < features; j++) {
            hessian[k][j] += p * (1 - p) * x[k] * x[j] / examples.count();
          }
        }
      }
      for (int k = 0; k < features; k++) {
        value += L2 / 2 * w[k] * w[k];
        slope[k] += L2 * w[k];
        hessian[k][k] += L2;
      }
      double[] step = solved(hessian, slope);
      for (int k = 0; k < features; k++) {
        w[k] -= step[k];
      }
    }
    return value;
  }

  /** Gaussian elimination of a positive definite matrix. */
  private static double[] solved(double[][] matrix, double[] right) {
    int n = right.length;
    double[] x = right.clone();
    for (int k = 0; k < n; k++) {
      for (int i = k + 1; i < n; i++) {
        double factor = matrix[i][k] / matrix[k][k];
        for (int j = k; j < n; j++) {
          matrix[i][j] -= factor * matrix[k][j];
        }
        x[i] -= factor * x[k];
      }
    }
    for (int i = n - 1; i >= 0; i--) {
      for (int j = i + 1; j < n; j++) {
        x[i] -= matrix[i][j] * x[j];
      }
      x[i] /= matrix[i][i];
    }
    return x;
  }

  /** Nesterov's method with the gradients of a source. */
  private static double descended(GradientSource source, double smoothness, int steps) {
    int d = source.layout().size();
    int n = source.trainingExamples();
    float[] at = new float[d];
    double[] before = new double[d];
    float[] gradient = new float[d];
    double ratio = Math.sqrt(L2 / smoothness);
    double momentum = (1 - ratio) / (1 + ratio);
    for (int step = 0; step < steps; step++) {
      gradient(source, at, gradient);
      for (int i = 0; i < d; i++) {
        double next = at[i] - gradient[i] / n / smoothness;
        at[i] = (float) (next + momentum * (next - before[i]));
        before[i] = next;
      }
    }
    return source.metrics(at, new Evaluation(0, 0, 1)).get("objective");
  }

  private static void expectOptimum(DataSet data, double smoothness) {
    try (GradientSource source = Networks.open("logistic-regression:l2=" + L2, data)) {
      double found = descended(source, smoothness, 600);
      assertEquals(optimum(data.train(), data.shape().size()), found, 1e-6);
    }
  }

  @Test
  void descentFindsTheOptimumOfNewtonsMethod() {
    // Half the mean square of a row's norm bounds the curvature.
    expectOptimum(set(random(400, 20, 6, 1), 20), 6);
  }

  /** Needs the real data set: {@code -Damb.test.libsvm=FOLDER} with {@code a9a.libsvm.gz}. */
  @Test
  @Tag("lab")
  void theOptimumOfA9aIsThatOfNewtonsMethod() {
    Path file = Path.of(System.getProperty("amb.test.libsvm", "."), "a9a.libsvm.gz");
    assumeTrue(Files.exists(file), "no " + file);
    expectOptimum(DataSets.load(file.toString(), null, 1), 14 / 4.0);
  }

  /** As many features and rows as rcv1 has, whose dense form is 3.8 GB. */
  @Test
  @Tag("lab")
  void manyFeaturesTakeNoMoreMemoryThanTheyHaveNonzeros() {
    SparseExamples sparse = random(20_000, 47_236, 75, 2);
    try (GradientSource source =
        Networks.open("logistic-regression:l2=1e-4", set(sparse, 47_236))) {
      float[] gradient = new float[47_236];
      gradient(source, new float[47_236], gradient);
      System.gc();
      long used = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
      assertTrue(used < 500_000_000, used + " bytes");
    }
  }

  @Test
  void whatDoesNotFitIsRejected() {
    DataSet digits = DataSets.load("digits", null, 1);
    assertThrows(
        UsageException.class,
        () -> Networks.check(Networks.named("logistic-regression:l2=1"), digits));
    for (String wrong : new String[] {":l2=-1", ":l3=1", ":7"}) {
      assertThrows(UsageException.class, () -> Networks.named("logistic-regression" + wrong));
    }
    assertTrue(Networks.named("logistic-regression").hasLayers());
  }
}
