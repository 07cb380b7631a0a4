package io.github.amb.models.onednn;

import static org.bytedeco.dnnl.global.dnnl.*;

import io.github.amb.models.graph.Node;
import io.github.amb.models.graph.Value;
import io.github.amb.models.onednn.primitive.Formats;
import io.github.amb.models.onednn.primitive.OneDnn;
import io.github.amb.models.onednn.primitive.Operation;
import io.github.amb.models.onednn.primitive.Tensor;
import java.util.List;
import org.bytedeco.dnnl.dnnl_memory_desc;

/**
 * Layer normalization (Ba, Kiros and Hinton, 2016) of each position, multiplied by γ and, if there
 * is one, shifted by β.
 */
record LayerNormalizationNode(Node.LayerNormalization node) implements PlanNode {

  @Override
  public Value<Tensor> addTo(PlanBuilder plan, List<Value<Tensor>> inputs) {
    Value<Tensor> x = inputs.get(0);
    dnnl_memory_desc format = Formats.rowMajor(node.shape().dimensions(plan.examples));
    dnnl_memory_desc statistics = Formats.rowMajor((long) plan.examples * node.shape().positions());
    Tensor source = plan.as(x.tensor(), format);
    Tensor mean = plan.tensor(statistics);
    Tensor variance = plan.tensor(statistics);
    Tensor result = plan.tensor(format);
    Operation forward =
        plan.operation(
            "a layer normalization",
            (description, attributes) ->
                dnnl_layer_normalization_forward_primitive_desc_create(
                    description,
                    OneDnn.ENGINE,
                    dnnl_forward_training,
                    format,
                    format,
                    statistics,
                    node.epsilon(),
                    flags(),
                    attributes));
    bind(plan, forward, source, mean, variance).with(DNNL_ARG_DST, result);
    if (node.shifted()) {
      forward.with(
          DNNL_ARG_SHIFT, plan.parameter(node.offset() + node.shape().features(), perFeature()));
    }
    return new Value<>(
        result,
        node.shape(),
        delta -> {
          Tensor gradient = plan.tensor(format);
          Operation backward =
              plan.operation(
                  "a layer normalization",
                  (description, attributes) ->
                      dnnl_layer_normalization_backward_primitive_desc_create(
                          description,
                          OneDnn.ENGINE,
                          dnnl_backward,
                          format,
                          format,
                          format,
                          statistics,
                          node.epsilon(),
                          flags(),
                          forward.description(),
                          attributes));
          Tensor d = plan.as(delta, format);
          bind(plan, backward, source, mean, variance)
              .with(DNNL_ARG_DIFF_DST, d)
              .with(DNNL_ARG_DIFF_SRC, gradient);
          plan.mayOverwrite(d, gradient);
          plan.addGradient(backward, DNNL_ARG_DIFF_SCALE, node.offset(), perFeature());
          if (node.shifted()) {
            int shift = node.offset() + node.shape().features();
            plan.addGradient(backward, DNNL_ARG_DIFF_SHIFT, shift, perFeature());
          }
          x.addGradient(gradient);
        });
  }

  private int flags() {
    return node.shifted() ? dnnl_use_scale | dnnl_use_shift : dnnl_use_scale;
  }

  private dnnl_memory_desc perFeature() {
    return Formats.rowMajor(node.shape().features());
  }

  private Operation bind(
      PlanBuilder plan, Operation operation, Tensor source, Tensor mean, Tensor variance) {
    return operation
        .with(DNNL_ARG_SRC, source)
        .with(DNNL_ARG_MEAN, mean)
        .with(DNNL_ARG_VARIANCE, variance)
        .with(DNNL_ARG_SCALE, plan.parameter(node.offset(), perFeature()));
  }
}
