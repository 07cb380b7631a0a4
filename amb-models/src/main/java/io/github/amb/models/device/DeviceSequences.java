package io.github.amb.models.device;

import io.github.amb.models.device.DeviceLayers.Count;
import io.github.amb.models.device.DeviceLayers.Matrix;
import io.github.amb.models.device.DevicePlan.Slot;
import io.github.amb.models.graph.Node;
import io.github.amb.models.graph.Shape;
import io.github.amb.models.graph.Value;
import java.util.Arrays;
import java.util.List;

/** Adds the kernels of nodes that sequences alone have. */
record DeviceSequences(DevicePlan plan, DeviceLayers layers) {
  Value<Slot> embedding(Node.Embedding node, Value<Slot> x) {
    int positions = node.shape().positions();
    int features = node.shape().features();
    int rows = plan.examples * positions;
    Slot result = plan.slot((long) rows * features);
    Slot starts = plan.slot(node.vocabulary() + 1L);
    Slot order = plan.slot(rows);
    plan.action(() -> sort(node, rows, starts, order), starts, order);
    plan.perItem(
        "embedding",
        result.words(),
        x.tensor(),
        plan.parameter(node.tokens()),
        plan.parameter(node.places()),
        result,
        (int) result.words(),
        positions,
        features);
    return new Value<>(
        result,
        node.shape(),
        delta -> {
          int count = node.vocabulary() * features;
          Object sum = plan.gradient(node.tokens());
          plan.perItem("embedding_backward", count, delta, starts, order, sum, count, features);
          layers.addSums(delta, node.places(), plan.examples, positions * features, 1);
        });
  }

  /** Lists the rows of each token, which the input has, and checks the tokens. */
  private void sort(Node.Embedding node, int rows, Slot starts, Slot order) {
    int[] start = new int[node.vocabulary() + 1];
    for (int i = 0; i < rows; i++) {
      start[node.token(plan.values[i]) + 1]++;
    }
    Arrays.parallelPrefix(start, Integer::sum);
    int[] next = start.clone();
    int[] sorted = new int[rows];
    for (int i = 0; i < rows; i++) {
      sorted[next[(int) plan.values[i]]++] = i;
    }
    plan.write(start, starts, start.length);
    plan.write(sorted, order, rows);
  }

  Value<Slot> patches(Node.Patches node, Value<Slot> x) {
    int channels = node.planes().channels();
    int positions = node.shape().positions();
    Slot result = turned(x.tensor(), channels, positions, plan.parameter(node.places()), 1);
    return new Value<>(
        result,
        node.shape(),
        delta -> {
          layers.addSums(delta, node.places(), plan.examples, positions * channels, 1);
          x.addGradient(turned(delta, positions, channels, plan.parameter(0), 0));
        });
  }

  private Slot turned(Slot x, int rows, int columns, Object summand, int added) {
    Slot result = plan.slot(x.words());
    int count = (int) x.words();
    plan.perItem("turn", count, x, summand, result, count, rows, columns, added);
    return result;
  }

  Value<Slot> mean(Node.SequenceMean node, Value<Slot> x) {
    int positions = node.input().positions();
    int features = node.input().features();
    Slot result = plan.slot((long) plan.examples * features);
    int count = (int) result.words();
    plan.perItem("position_mean", count, x.tensor(), result, count, positions, features);
    return Value.of(
        result,
        node.shape(),
        List.of(x),
        delta -> {
          Slot gradient = plan.slot((long) plan.examples * node.input().size());
          int all = (int) gradient.words();
          plan.perItem("position_mean_backward", all, delta, gradient, all, positions, features);
          x.addGradient(gradient);
        });
  }

  Value<Slot> attention(Node.Attention node, Value<Slot> x) {
    return new Attention(node, x).result();
  }

  /** The products of attention; a row of x has queries, keys and values. */
  private final class Attention {
    private final Node.Attention node;
    private final Value<Slot> x;
    private final int positions;
    private final int features;
    private final int size;
    private final int causal;
    private final float factor;
    private final Count heads;

    Attention(Node.Attention node, Value<Slot> x) {
      this.node = node;
      this.x = x;
      positions = node.shape().positions();
      features = node.shape().features();
      size = features / node.heads();
      causal = node.causal() ? 1 : 0;
      factor = (float) (1 / Math.sqrt(size));
      heads = new Count(plan.examples, node.heads(), 1);
    }

    /** The matrices [positions, size] of one of the vectors of each head. */
    private Matrix rows(Slot array, int vector, int vectors) {
      int row = vectors * features;
      return Matrix.rows(array.at((long) vector * features), row).each(positions * row, size);
    }

    private Matrix turned(Slot array, int vector, int vectors) {
      int row = vectors * features;
      return Matrix.turned(array.at((long) vector * features), row).each(positions * row, size);
    }

    /** The matrices [positions, positions] of each head. */
    private Matrix squares(Slot array) {
      int square = positions * positions;
      return Matrix.rows(array, positions).each(node.heads() * square, square);
    }

    private Matrix turnedSquares(Slot array) {
      int square = positions * positions;
      return Matrix.turned(array, positions).each(node.heads() * square, square);
    }

    private Slot square() {
      return plan.slot((long) plan.examples * node.heads() * positions * positions);
    }

    /** Adds the product of two vectors of each head, for all pairs of positions. */
    private void pairs(Matrix a, Matrix b, Slot result, float factor) {
      layers.product(positions, positions, size, a, b, squares(result), heads, factor, false);
    }

    /** Adds the sums of vectors, weighted by a square. */
    private void weighted(Matrix square, Matrix vectors, Matrix result) {
      layers.product(positions, size, positions, square, vectors, result, heads, 1, false);
    }

    Value<Slot> result() {
      Slot weights = square();
      int rows = plan.examples * node.heads() * positions;
      pairs(rows(x.tensor(), 0, 3), turned(x.tensor(), 1, 3), weights, factor);
      plan.perGroup("softmax", rows, weights, positions, causal);
      Value<Slot> softened =
          new Value<>(
              weights,
              Shape.vector(node.heads() * positions * positions),
              delta ->
                  plan.perGroup(
                      "softmax_backward", rows, weights, delta, positions, causal, factor));
      boolean drops = plan.training && node.keep() < 1;
      Value<Slot> kept = drops ? layers.dropped(softened, node.keep()) : softened;
      Slot result = plan.slot((long) plan.examples * positions * features);
      weighted(squares(kept.tensor()), rows(x.tensor(), 2, 3), rows(result, 0, 1));
      return Value.of(
          result, node.shape(), List.of(x), delta -> addBackward(softened, kept, delta));
    }

    private void addBackward(Value<Slot> softened, Value<Slot> kept, Slot delta) {
      Slot gradient = plan.slot(x.tensor().words());
      weighted(turnedSquares(kept.tensor()), rows(delta, 0, 1), rows(gradient, 2, 3));
      Slot inner = square();
      pairs(rows(delta, 0, 1), turned(x.tensor(), 2, 3), inner, 1);
      kept.addGradient(inner);
      kept.backward(layers::sum);
      if (kept != softened) {
        inner = softened.gradients().get(0);
        softened.backward(layers::sum);
      }
      weighted(squares(inner), rows(x.tensor(), 1, 3), rows(gradient, 0, 3));
      weighted(turnedSquares(inner), rows(x.tensor(), 0, 3), rows(gradient, 1, 3));
      x.addGradient(gradient);
    }
  }
}
