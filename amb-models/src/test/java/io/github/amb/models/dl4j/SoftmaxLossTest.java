package io.github.amb.models.dl4j;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.amb.models.ModelSeeds;
import io.github.amb.models.data.DataSets;
import io.github.amb.models.data.SmoothedLabels;
import io.github.amb.models.data.example.FloatExamples;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SoftmaxLossTest {
  private static final int CLASSES = 7;
  private static final int ROWS = 50;

  private final Random random = new Random(ModelSeeds.of(1));
  private final byte[] labels = new byte[ROWS];
  private final float[] logits = new float[ROWS * CLASSES];
  private final int[] examples = new int[ROWS];

  SoftmaxLossTest() {
    for (int i = 0; i < ROWS; i++) {
      labels[i] = (byte) random.nextInt(CLASSES);
      examples[i] = i;
    }
    for (int i = 0; i < logits.length; i++) {
      logits[i] = (float) (5 * random.nextGaussian());
    }
  }

  /** Probability of a class: PyTorch's target of CrossEntropyLoss(label_smoothing=ε). */
  private double target(int row, int c, double smoothing) {
    return (labels[row] == c ? 1 - smoothing : 0) + smoothing / CLASSES;
  }

  private double logSoftmax(int row, int c) {
    double sum = 0;
    for (int j = 0; j < CLASSES; j++) {
      sum += Math.exp(logits[row * CLASSES + j]);
    }
    return logits[row * CLASSES + c] - Math.log(sum);
  }

  /**
   * An entry of the gradient, of magnitude at most 1, is rounded to float when the exponential, the
   * quotient, ε's complement and their difference are: four times 2⁻²⁴. The loss is in double
   * precision but for the differences of logits to the largest, each of at most 64.
   */
  @Tag("numerical")
  @ParameterizedTest
  @ValueSource(doubles = {0, 0.1, 0.9})
  void lossAndGradientAreTheFormulas(double smoothing) {
    var smoothed =
        new SmoothedLabels(new FloatExamples(new float[ROWS], labels), smoothing, List.of());
    double expected = 0;
    float[] rows = logits.clone();
    double loss = new SoftmaxLoss(CLASSES).lossAndGradient(rows, smoothed, examples, 0, ROWS);
    for (int row = 0; row < ROWS; row++) {
      for (int c = 0; c < CLASSES; c++) {
        double y = target(row, c, smoothing);
        expected -= y * logSoftmax(row, c);
        double slope = Math.exp(logSoftmax(row, c)) - y;
        assertEquals(slope, rows[row * CLASSES + c], 4 * 0x1p-24);
      }
    }
    assertEquals(expected, loss, ROWS * 64 * 0x1p-24);
  }

  @Test
  void testLabelsAreNotSmoothed() {
    var data = SmoothedLabels.of(DataSets.load("digits", null, 1), 0.1, null);
    assertEquals(0.1, data.train().smoothing());
    assertEquals(0, data.test().smoothing());
  }
}
