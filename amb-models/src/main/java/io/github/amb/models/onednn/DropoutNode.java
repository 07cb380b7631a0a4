package io.github.amb.models.onednn;

import static org.bytedeco.dnnl.global.dnnl.*;

import io.github.amb.models.onednn.primitive.OneDnn;
import io.github.amb.models.onednn.primitive.Tensor;
import java.util.List;

/**
 * In training, keeps each value with probability {@code keep} and divides it by that, and sets it
 * to 0 otherwise.
 */
record DropoutNode(Shape shape, double keep) implements Node {

  @Override
  public Value addTo(PlanBuilder plan, List<Value> inputs) {
    Value x = inputs.get(0);
    if (!plan.isTraining()) {
      return x;
    }
    Tensor mask = plan.tensor(x.tensor().format());
    int length = (int) (Tensor.bytes(mask.format()) / Float.BYTES);
    float[] values = new float[length];
    DropoutRandom random = plan.memory().random();
    plan.add(
        () -> {
          random.mask(values, length, keep);
          mask.data().put(values, 0, length);
        },
        mask);
    Tensor result = product(plan, x.tensor(), mask);
    return Value.of(
        result,
        shape,
        x,
        delta -> {
          Tensor d = plan.as(delta, mask.format());
          x.addGradient(product(plan, d, mask));
        });
  }

  private static Tensor product(PlanBuilder plan, Tensor a, Tensor b) {
    Tensor result = plan.tensor(a.format());
    plan.operation(
            "a product",
            (description, attributes) ->
                dnnl_binary_primitive_desc_create(
                    description,
                    OneDnn.ENGINE,
                    dnnl_binary_mul,
                    a.format(),
                    b.format(),
                    result.format(),
                    attributes))
        .with(DNNL_ARG_SRC_0, a)
        .with(DNNL_ARG_SRC_1, b)
        .with(DNNL_ARG_DST, result);
    return result;
  }
}
