package io.github.amb.models.onednn;

import io.github.amb.models.graph.Activation;
import io.github.amb.models.graph.Node;
import io.github.amb.models.graph.Value;
import io.github.amb.models.onednn.primitive.Formats;
import io.github.amb.models.onednn.primitive.Tensor;
import java.util.List;
import org.bytedeco.dnnl.dnnl_memory_desc;

/**
 * Group normalization (Wu and He, 2018): each example's channels are normalized in groups,
 * multiplied by γ and shifted by β.
 *
 * <p>oneDNN does not have it, but has batch normalization. A group of an example is treated as a
 * channel of one example. Scale and shift are a batch normalization with mean 0 and variance 1.
 */
record GroupNormalizationNode(Node.GroupNormalization node) implements PlanNode {

  /** The format with examples and channels, row-major. */
  private dnnl_memory_desc planes(int examples) {
    return node.shape().isVector()
        ? Formats.rowMajor(examples, node.shape().channels(), 1, 1)
        : Formats.rowMajor(node.shape().dimensions(examples));
  }

  /** The format of the same memory in which each group is a channel of one example. */
  private dnnl_memory_desc groups(int examples) {
    return Formats.rowMajor(
        1, (long) examples * node.groups(), node.shape().size() / node.groups(), 1);
  }

  @Override
  public Value<Tensor> addTo(PlanBuilder plan, List<Value<Tensor>> inputs) {
    Value<Tensor> x = inputs.get(0);
    int n = plan.examples;
    Tensor rows = plan.as(x.tensor(), Formats.rowMajor(node.shape().dimensions(n)));
    Tensor normal = plan.tensor(planes(n));
    var normalize =
        new Normalization(
            plan,
            new Normalization.Options((float) node.epsilon(), false, -1, false),
            plan.view(rows, groups(n)),
            plan.tensor(Formats.rowMajor((long) n * node.groups())),
            plan.tensor(Formats.rowMajor((long) n * node.groups())),
            plan.view(normal, groups(n)));
    Tensor result = plan.tensor(Formats.rowMajor(node.shape().dimensions(n)));
    int channels = node.shape().channels();
    var scale =
        new Normalization(
            plan,
            new Normalization.Options(
                0f, true, node.offset(), node.activation() == Activation.RELU),
            normal,
            plan.constant(channels, 0f),
            plan.constant(channels, 1f),
            plan.view(result, planes(n)));
    return new Value<>(
        result, node.shape(), delta -> addBackward(plan, x, normalize, scale, delta));
  }

  private void addBackward(
      PlanBuilder plan,
      Value<Tensor> x,
      Normalization normalize,
      Normalization scale,
      Tensor delta) {
    int n = plan.examples;
    Tensor d = plan.as(delta, Formats.rowMajor(node.shape().dimensions(n)));
    Tensor inner = plan.tensor(planes(n));
    scale.addBackward(plan.view(d, planes(n)), inner);
    if (x.isDifferentiable()) {
      Tensor gradient = plan.tensor(Formats.rowMajor(node.shape().dimensions(n)));
      normalize.addBackward(plan.view(inner, groups(n)), plan.view(gradient, groups(n)));
      x.addGradient(gradient);
    }
  }
}
