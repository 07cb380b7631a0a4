package io.github.amb.models.onednn;

import io.github.amb.models.graph.KernelWindow;
import io.github.amb.models.graph.Node;
import io.github.amb.models.graph.Shape;
import io.github.amb.models.graph.Value;
import io.github.amb.models.onednn.primitive.Formats;
import io.github.amb.models.onednn.primitive.Tensor;
import java.util.List;

/** The mean over the positions of a sequence, as that over the pixels of an image. */
record SequenceMeanNode(Node.SequenceMean node) implements PlanNode {

  @Override
  public Value<Tensor> addTo(PlanBuilder plan, List<Value<Tensor>> inputs) {
    Value<Tensor> x = inputs.get(0);
    int n = plan.examples;
    var rows = Formats.rowMajor(node.input().dimensions(n));
    Shape planes = new Shape(node.input().features(), node.input().positions(), 1);
    var format = PatchesNode.pixels(planes, n);
    Value<Tensor> image =
        Value.of(
            plan.view(plan.as(x.tensor(), rows), format),
            planes,
            inputs,
            delta -> x.addGradient(plan.view(plan.as(delta, format), rows)));
    Shape one = new Shape(node.input().features(), 1, 1);
    var pooling =
        new PoolingNode(
            new Node.Pooling(
                planes, one, node.shape(), KernelWindow.whole(planes), Node.Pooling.Kind.MEAN));
    Value<Tensor> mean = pooling.addTo(plan, List.of(image));
    return Value.of(
        mean.tensor(),
        node.shape(),
        inputs,
        delta -> {
          mean.addGradient(delta);
          mean.backward(plan::sum);
          image.backward(plan::sum);
        });
  }
}
