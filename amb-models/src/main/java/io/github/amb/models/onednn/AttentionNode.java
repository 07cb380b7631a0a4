package io.github.amb.models.onednn;

import static org.bytedeco.dnnl.global.dnnl.*;

import io.github.amb.models.graph.Node;
import io.github.amb.models.graph.Value;
import io.github.amb.models.onednn.primitive.Formats;
import io.github.amb.models.onednn.primitive.OneDnn;
import io.github.amb.models.onednn.primitive.Operation;
import io.github.amb.models.onednn.primitive.Precision;
import io.github.amb.models.onednn.primitive.Tensor;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.dnnl.dnnl_memory_desc;

/**
 * Attention of several heads, {@code softmax(Q Kᵀ / √d + M) V} per example and head (Vaswani et
 * al., 2017). A row of the input has the queries of all heads, then their keys, then their values.
 */
record AttentionNode(Node.Attention node) implements PlanNode {
  private static final int QUERIES = 0;
  private static final int KEYS = 1;
  private static final int VALUES = 2;

  /** The dimension of the softmax. */
  private static final int LAST = 3;

  @Override
  public Value<Tensor> addTo(PlanBuilder plan, List<Value<Tensor>> inputs) {
    return new Pass(plan, inputs.get(0)).result();
  }

  /** Adds the operations to one plan. */
  private final class Pass {
    private final PlanBuilder plan;
    private final int examples;
    private final int positions = node.shape().positions();
    private final int features = node.shape().features();
    private final float factor;
    private final Value<Tensor> x;
    private final Precision precision;
    private final Tensor input;

    Pass(PlanBuilder plan, Value<Tensor> x) {
      this.plan = plan;
      this.x = x;
      examples = plan.examples;
      factor = (float) (1 / Math.sqrt(features / node.heads()));
      precision = plan.precision;
      input = plan.as(x.tensor(), rows(precision, 3));
    }

    /** The format of the rows of all positions with 1 or 3 vectors per head. */
    private dnnl_memory_desc rows(Precision numbers, int vectors) {
      return Formats.rowMajor(numbers, (long) examples * positions, (long) vectors * features);
    }

    Value<Tensor> result() {
      Tensor weights = square();
      Tensor scores = square();
      Tensor mask = node.causal() ? plan.constant(mask(), 1, 1, positions, positions) : null;
      plan.product(factor(QUERIES), transposed(KEYS), scores, factor, mask);
      plan.add(softmax().with(DNNL_ARG_SRC, scores).with(DNNL_ARG_DST, weights));
      plan.mayOverwrite(scores, weights);
      Value<Tensor> softened =
          new Value<>(weights, node.shape(), delta -> addSoftmaxBackward(weights, delta));
      Value<Tensor> kept =
          node.keep() < 1
              ? new DropoutNode(new Node.Dropout(node.shape(), node.keep()))
                  .addTo(plan, List.of(softened))
              : softened;
      Tensor result = plan.tensor(rows(Precision.FP32, 1));
      Tensor shares = plan.as(kept.tensor(), squares(precision, positions, 1));
      plan.product(shares, factor(VALUES), part(Precision.FP32, result, 0, 1), 1, null);
      return Value.of(
          result, node.shape(), List.of(x), delta -> addBackward(softened, kept, shares, delta));
    }

    private Tensor gradient;

    private void addBackward(
        Value<Tensor> softened, Value<Tensor> kept, Tensor shares, Tensor delta) {
      gradient = plan.tensor(rows(Precision.FP32, 3));
      Tensor d = part(precision, plan.as(delta, rows(precision, 1)), 0, 1);
      plan.product(turned(shares), d, gradient(VALUES), 1, null);
      Tensor inner = square();
      plan.product(d, transposed(VALUES), inner, 1, null);
      kept.addGradient(inner);
      kept.backward(plan::sum);
      if (kept != softened) {
        softened.backward(plan::sum);
      }
      x.addGradient(gradient);
    }

    /** oneDNN has it for AVX-512 alone. */
    private void addSoftmaxBackward(Tensor weights, Tensor inner) {
      float[] softmax = new float[positions * positions];
      float[] slopes = new float[positions * positions];
      plan.add(() -> softmaxBackward(weights, inner, softmax, slopes), weights, inner);
      Tensor slopesByScores = plan.as(inner, squares(precision, positions, 1));
      plan.product(slopesByScores, factor(KEYS), gradient(QUERIES), 1, null);
      plan.product(turned(slopesByScores), factor(QUERIES), gradient(KEYS), 1, null);
    }

    private Tensor turned(Tensor squares) {
      return plan.view(squares, squares(precision, 1, positions));
    }

    private Tensor factor(int vector) {
      return part(precision, input, vector, 3);
    }

    private Tensor gradient(int vector) {
      return part(Precision.FP32, gradient, vector, 3);
    }

    /** Replaces the gradient by the softmax, in {@code inner}, by that by the products Q Kᵀ. */
    private void softmaxBackward(Tensor weights, Tensor inner, float[] softmax, float[] slopes) {
      FloatBuffer from = weights.buffer();
      FloatBuffer to = inner.buffer();
      for (int i = 0; i < examples * node.heads(); i++) {
        from.get(i * softmax.length, softmax);
        to.get(i * softmax.length, slopes);
        for (int query = 0; query < positions; query++) {
          int end = node.causal() ? query + 1 : positions;
          softmaxBackward(softmax, slopes, query * positions, query * positions + end);
          Arrays.fill(slopes, query * positions + end, (query + 1) * positions, 0f);
        }
        to.put(i * softmax.length, slopes);
      }
    }

    private void softmaxBackward(float[] softmax, float[] slopes, int from, int end) {
      // Four sums, as the processor adds several at a time.
      float a = 0;
      float b = 0;
      float c = 0;
      float d = 0;
      int i = from;
      for (; i < end - 3; i += 4) {
        a += softmax[i] * slopes[i];
        b += softmax[i + 1] * slopes[i + 1];
        c += softmax[i + 2] * slopes[i + 2];
        d += softmax[i + 3] * slopes[i + 3];
      }
      for (; i < end; i++) {
        a += softmax[i] * slopes[i];
      }
      float mean = a + b + (c + d);
      for (int j = from; j < end; j++) {
        slopes[j] = factor * softmax[j] * (slopes[j] - mean);
      }
    }

    private Operation softmax() {
      dnnl_memory_desc format = squares(Precision.FP32, positions, 1);
      return plan.prepare(
          "a softmax",
          (description, attributes) ->
              dnnl_softmax_forward_primitive_desc_create(
                  description,
                  OneDnn.ENGINE,
                  plan.propagation(),
                  dnnl_softmax_accurate,
                  format,
                  format,
                  LAST,
                  attributes));
    }

    private float[] mask() {
      float[] mask = new float[positions * positions];
      for (int query = 0; query < positions; query++) {
        int start = query * positions;
        Arrays.fill(mask, start + query + 1, start + positions, Float.NEGATIVE_INFINITY);
      }
      return mask;
    }

    /** An array with an entry per query and key of each example and head. */
    private Tensor square() {
      return plan.tensor(squares(Precision.FP32, positions, 1));
    }

    private dnnl_memory_desc squares(Precision numbers, long rowStride, long columnStride) {
      long square = (long) positions * positions;
      return Formats.strided(
          numbers,
          new long[] {examples, node.heads(), positions, positions},
          new long[] {node.heads() * square, square, rowStride, columnStride});
    }

    /** One of the vectors of each head, as matrices [positions, size]. */
    private Tensor part(Precision numbers, Tensor rows, int vector, int vectors) {
      long size = features / node.heads();
      long row = (long) vectors * features;
      return plan.view(
          rows,
          Formats.strided(
              numbers,
              new long[] {examples, node.heads(), positions, size},
              new long[] {row * positions, size, row, 1}),
          (long) vector * features * numbers.bytes());
    }

    private Tensor transposed(int vector) {
      long size = features / node.heads();
      long row = 3L * features;
      return plan.view(
          input,
          Formats.strided(
              precision,
              new long[] {examples, node.heads(), size, positions},
              new long[] {row * positions, size, 1, row}),
          (long) vector * features * precision.bytes());
    }
  }
}
