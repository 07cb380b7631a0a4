package io.github.amb.models.network;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.amb.core.gradient.GradientSource;
import io.github.amb.core.option.UsageException;
import io.github.amb.models.data.SmoothedLabels;
import io.github.amb.models.data.example.DataSet;
import io.github.amb.models.data.example.FloatExamples;
import io.github.amb.models.data.example.ImageShape;
import io.github.amb.models.data.example.Labels;
import io.github.amb.models.data.example.Targets;
import io.github.amb.models.dl4j.Loss;
import java.nio.FloatBuffer;
import org.junit.jupiter.api.Test;

class LossOptionTest {
  private static final int FEATURES = 4;

  private static DataSet set(Targets targets, int outputs) {
    float[] numbers = new float[2 * outputs];
    numbers[0] = 1;
    Labels labels =
        targets == Targets.CLASS
            ? Labels.of(new int[] {0, outputs - 1})
            : Labels.of(targets, numbers, 2);
    float[] features = {1, 2, 3, 4, 5, 6, 7, 8};
    var all = new FloatExamples(FloatBuffer.wrap(features), labels);
    return new DataSet("made", new ImageShape(1, 1, FEATURES), outputs, all, all);
  }

  private static NetworkOptions loss(Loss loss) {
    return new NetworkOptions(null, null, null, null, loss);
  }

  /** Of the network without hidden layers, weights and a bias for each output. */
  private static long outputs(String network, Loss loss, DataSet data) {
    NetworkDefinition definition = Networks.named(network);
    Networks.check(definition, data);
    try (GradientSource source = Networks.open(definition, loss(loss), data)) {
      float[] w = new float[source.layout().size()];
      source.initialize(1, w);
      source.begin(w, 1);
      assertTrue(Double.isFinite(source.accumulate(new int[] {0, 1}, 0, 2)));
      source.finish(new float[w.length]);
    }
    return Networks.parameters(definition, loss(loss), data.form()) / (FEATURES + 1);
  }

  @Test
  void aNetworkHasAnOutputForEachThingToPredict() {
    assertEquals(3, outputs("logistic-regression", null, set(Targets.CLASS, 3)));
    assertEquals(3, outputs("logistic-regression", null, set(Targets.LABELS, 3)));
    assertEquals(3, outputs("linear-regression", null, set(Targets.NUMBERS, 3)));
    assertEquals(1, outputs("linear-regression", null, set(Targets.CLASS, 3)));
    assertEquals(1, outputs("logistic-regression", Loss.HINGE, set(Targets.CLASS, 2)));
    assertEquals(1, outputs("logistic-regression", Loss.XENT, set(Targets.CLASS, 2)));
    assertEquals(3, outputs("logistic-regression", Loss.SQUARED_HINGE, set(Targets.CLASS, 3)));
    assertEquals(2, outputs("logistic-regression", Loss.MSE, set(Targets.CLASS, 2)));
    assertEquals(300, outputs("logistic-regression", null, set(Targets.CLASS, 300)));
    Networks.check(Networks.named("mlp:5"), set(Targets.NUMBERS, 2));
    Networks.check(Networks.named("vit:1,1,4,1"), set(Targets.LABELS, 2));
  }

  private static void assertProblem(String expected, String network, Loss loss, DataSet data) {
    String problem =
        assertThrows(UsageException.class, () -> outputs(network, loss, data)).getMessage();
    assertTrue(problem.contains(expected), problem);
  }

  @Test
  void whatDoesNotFitIsRejected() {
    DataSet numbers = set(Targets.NUMBERS, 2);
    assertProblem("loss hinge, found numbers", "mlp", Loss.HINGE, numbers);
    assertProblem("choose linear-regression", "logistic-regression", null, numbers);
    assertProblem("expected 2 classes, found 2 numbers", "logistic-regression:l2=1", null, numbers);
    assertProblem("expected one number", "linear-regression:l2=1", null, numbers);
    assertProblem("found linear-regression, which has mse", "linear-regression", Loss.MAE, numbers);
    DataSet smoothed = SmoothedLabels.of(set(Targets.LABELS, 2), 0.1, null);
    assertProblem("--label-smoothing", "mlp", null, smoothed);
  }
}
