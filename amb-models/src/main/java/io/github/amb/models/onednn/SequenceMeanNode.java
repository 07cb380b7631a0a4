package io.github.amb.models.onednn;

import io.github.amb.models.graph.KernelWindow;
import io.github.amb.models.graph.Node;
import io.github.amb.models.graph.Shape;
import io.github.amb.models.onednn.primitive.Formats;
import java.util.List;

/** The mean over the positions of a sequence, as that over the pixels of an image. */
record SequenceMeanNode(Node.SequenceMean node) implements PlanNode {

  @Override
  public Value addTo(PlanBuilder plan, List<Value> inputs) {
    Value x = inputs.get(0);
    int n = plan.examples;
    var rows = Formats.rowMajor(node.input().dimensions(n));
    Shape planes = new Shape(node.input().features(), node.input().positions(), 1);
    var format = PatchesNode.pixels(planes, n);
    Value image =
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
    Value mean = pooling.addTo(plan, List.of(image));
    return Value.of(
        mean.tensor(),
        node.shape(),
        inputs,
        delta -> {
          mean.addGradient(delta);
          mean.backward(plan);
          image.backward(plan);
        });
  }
}
