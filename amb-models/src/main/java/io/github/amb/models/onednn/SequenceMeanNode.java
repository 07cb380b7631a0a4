package io.github.amb.models.onednn;

import static org.bytedeco.dnnl.global.dnnl.dnnl_pooling_avg_exclude_padding;

import io.github.amb.models.onednn.primitive.Formats;
import java.util.List;

/** The mean over the positions of a sequence, as that over the pixels of an image. */
record SequenceMeanNode(Shape input) implements Node {

  @Override
  public Shape shape() {
    return Shape.vector(input.features());
  }

  @Override
  public Value addTo(PlanBuilder plan, List<Value> inputs) {
    Value x = inputs.get(0);
    int n = plan.examples;
    var rows = Formats.rowMajor(input.dimensions(n));
    Shape planes = new Shape(input.features(), input.positions(), 1);
    var format = PatchesNode.pixels(planes, n);
    Value image =
        Value.of(
            plan.view(plan.as(x.tensor(), rows), format),
            planes,
            inputs,
            delta -> x.addGradient(plan.view(plan.as(delta, format), rows)));
    Shape one = new Shape(input.features(), 1, 1);
    var pooling =
        new PoolingNode(
            planes, one, shape(), KernelWindow.whole(planes), dnnl_pooling_avg_exclude_padding);
    Value mean = pooling.addTo(plan, List.of(image));
    return Value.of(
        mean.tensor(),
        shape(),
        inputs,
        delta -> {
          mean.addGradient(delta);
          mean.backward(plan);
          image.backward(plan);
        });
  }
}
