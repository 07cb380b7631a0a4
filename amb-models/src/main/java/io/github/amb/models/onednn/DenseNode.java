package io.github.amb.models.onednn;

import static org.bytedeco.dnnl.global.dnnl.*;

import io.github.amb.models.graph.Node;
import io.github.amb.models.graph.Value;
import io.github.amb.models.onednn.primitive.Formats;
import io.github.amb.models.onednn.primitive.OneDnn;
import io.github.amb.models.onednn.primitive.Operation;
import io.github.amb.models.onednn.primitive.Precision;
import io.github.amb.models.onednn.primitive.Primitives;
import io.github.amb.models.onednn.primitive.Tensor;
import java.util.List;
import org.bytedeco.dnnl.dnnl_memory_desc;

/**
 * A fully connected layer on the values of each example, planes one after the other, or of each
 * position of a sequence.
 */
record DenseNode(Node.Dense node) implements PlanNode {
  /**
   * Minimum number of rows for which oneDNN's own choice, which copies the weights, pays off. For 8
   * rows of 784 values the plain matrix product takes 0.6 of its time. For sequences of 64 rows and
   * more of 128 to 512 values it takes 0.8 on AVX2.
   */
  private static final int PACKED_ROWS = 16;

  @Override
  public Value<Tensor> addTo(PlanBuilder plan, List<Value<Tensor>> inputs) {
    Value<Tensor> x = inputs.get(0);
    int n = rows(plan);
    dnnl_memory_desc whole =
        Formats.rowMajor(plan.precision, node.input().dimensions(plan.examples));
    Tensor source = plan.as(x.tensor(), whole);
    Tensor rows = plan.view(source, Formats.rowMajor(plan.precision, n, node.input().features()));
    Tensor result = plan.tensor(Formats.rowMajor(n, node.outputs()));
    Operation forward = forward(plan);
    Tensor matrix = matrix(plan, forward.format(dnnl_query_weights_md));
    forward.with(DNNL_ARG_SRC, rows).with(DNNL_ARG_WEIGHTS, matrix).with(DNNL_ARG_DST, result);
    if (node.bias() >= 0) {
      forward.with(DNNL_ARG_BIAS, plan.parameter(node.bias(), Formats.rowMajor(node.outputs())));
    }
    plan.add(forward);
    return new Value<>(
        result,
        node.shape(),
        delta -> {
          Tensor exact = Elementwise.addBackward(plan, node.activation(), result, delta);
          Tensor inner = plan.as(exact, Formats.rowMajor(plan.precision, n, node.outputs()));
          addWeightGradient(plan, rows, inner);
          if (x.isDifferentiable()) {
            x.addGradient(inputGradient(plan, forward, inner));
          }
        });
  }

  private int rows(PlanBuilder plan) {
    return plan.examples * node.input().positions();
  }

  private dnnl_memory_desc matrixFormat(Precision precision) {
    return Formats.rowMajor(precision, node.outputs(), node.input().features());
  }

  private Tensor matrix(PlanBuilder plan, dnnl_memory_desc wanted) {
    return plan.parameter(node.weights(), matrixFormat(Precision.FP32), wanted);
  }

  private Operation forward(PlanBuilder plan) {
    int n = rows(plan);
    boolean packed =
        n >= PACKED_ROWS && !node.input().isSequence() && plan.precision == Precision.FP32;
    Primitives.Description call =
        (description, attributes) ->
            dnnl_inner_product_forward_primitive_desc_create(
                description,
                OneDnn.ENGINE,
                plan.propagation(),
                Formats.rowMajor(plan.precision, n, node.input().features()),
                packed
                    ? Formats.any(node.outputs(), node.input().features())
                    : matrixFormat(plan.precision),
                node.bias() < 0 ? null : Formats.rowMajor(node.outputs()),
                Formats.rowMajor(n, node.outputs()),
                attributes);
    return plan.prepare("a dense layer", node.activation(), packed ? call : product(plan, call));
  }

  /** In bfloat16 oneDNN's own choice is a product without copies, and one copy serves both ways. */
  private static Primitives.Description product(PlanBuilder plan, Primitives.Description call) {
    return plan.precision == Precision.FP32 ? call.asMatrixProduct() : call;
  }

  private void addWeightGradient(PlanBuilder plan, Tensor rows, Tensor delta) {
    var pending =
        plan.memory
            .gradient()
            .rows(node.weights(), node.bias(), node.input().features(), node.outputs());
    int n = rows(plan);
    plan.add(() -> pending.add(rows, delta, n), rows, delta);
  }

  private Tensor inputGradient(PlanBuilder plan, Operation forward, Tensor delta) {
    int n = rows(plan);
    Primitives.Description call =
        (description, attributes) ->
            dnnl_inner_product_backward_data_primitive_desc_create(
                description,
                OneDnn.ENGINE,
                Formats.rowMajor(n, node.input().features()),
                matrixFormat(plan.precision),
                Formats.rowMajor(plan.precision, n, node.outputs()),
                forward.description(),
                attributes);
    Operation backward = plan.operation("a dense layer", product(plan, call));
    Tensor gradient = plan.tensor(Formats.rowMajor(node.input().dimensions(plan.examples)));
    Tensor rows = plan.view(gradient, backward.format(dnnl_query_diff_src_md));
    backward
        .with(DNNL_ARG_DIFF_DST, delta)
        .with(DNNL_ARG_WEIGHTS, matrix(plan, matrixFormat(plan.precision)))
        .with(DNNL_ARG_DIFF_SRC, rows);
    return gradient;
  }
}
