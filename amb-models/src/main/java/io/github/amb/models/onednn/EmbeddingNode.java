package io.github.amb.models.onednn;

import io.github.amb.models.graph.Node;
import io.github.amb.models.graph.Value;
import io.github.amb.models.onednn.primitive.Formats;
import io.github.amb.models.onednn.primitive.Tensor;
import java.nio.FloatBuffer;
import java.util.List;

/** The sum of a vector per token and one per position. The input has tokens as numbers. */
record EmbeddingNode(Node.Embedding node) implements PlanNode {

  @Override
  public Value<Tensor> addTo(PlanBuilder plan, List<Value<Tensor>> inputs) {
    Tensor input = inputs.get(0).tensor();
    Tensor result = plan.tensor(Formats.rowMajor(node.shape().dimensions(plan.examples)));
    Pass pass = new Pass(plan);
    plan.add(() -> pass.forward(input, result), input, result);
    return new Value<>(
        result, node.shape(), delta -> plan.add(() -> pass.backward(input, delta), input, delta));
  }

  private final class Pass {
    private final int rows;
    private final int features = node.shape().features();
    private final float[] ids;
    private final float[] row;
    private final float[] place;
    private final Tensor tokenVectors;
    private final Tensor placeVectors;
    private final PendingRows tokenGradient;
    private final GradientVector.Part placeGradient;

    Pass(PlanBuilder plan) {
      int positions = node.shape().positions();
      rows = plan.examples * positions;
      ids = new float[rows];
      row = new float[features];
      place = new float[positions * features];
      tokenVectors = plan.parameter(node.tokens(), Formats.rowMajor(node.vocabulary(), features));
      var format = Formats.rowMajor(node.context(), features);
      placeVectors = plan.parameter(node.places(), format);
      var gradient = plan.memory.gradient();
      tokenGradient = gradient.rows(node.tokens(), -1, features, node.vocabulary());
      placeGradient = gradient.part(node.places(), format, format);
    }

    void forward(Tensor input, Tensor result) {
      input.data().get(ids, 0, rows);
      placeVectors.data().get(place, 0, place.length);
      FloatBuffer from = tokenVectors.buffer();
      FloatBuffer to = result.buffer();
      for (int i = 0; i < rows; i++) {
        from.get(node.token(ids[i]) * features, row);
        add(place, i * features % place.length, row, 0);
        to.put(i * features, row);
      }
    }

    void backward(Tensor input, Tensor delta) {
      input.data().get(ids, 0, rows);
      FloatBuffer from = delta.buffer();
      FloatBuffer sum = placeGradient.added();
      FloatBuffer tokenSum = tokenGradient.added();
      sum.get(0, place);
      for (int i = 0; i < rows; i++) {
        from.get(i * features, row);
        add(row, 0, place, i * features % place.length);
        addRow(tokenSum, node.token(ids[i]) * features);
      }
      sum.put(0, place);
    }

    /** Adds the row to a part of a vector. */
    private void addRow(FloatBuffer sum, int at) {
      for (int j = 0; j < features; j++) {
        sum.put(at + j, sum.get(at + j) + row[j]);
      }
    }

    private void add(float[] from, int start, float[] to, int target) {
      for (int j = 0; j < features; j++) {
        to[target + j] += from[start + j];
      }
    }
  }
}
