package io.github.amb.models.onednn;

import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_DST;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DIFF_SRC;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_DST;
import static org.bytedeco.dnnl.global.dnnl.DNNL_ARG_SRC;
import static org.bytedeco.dnnl.global.dnnl.dnnl_eltwise_backward_desc_init;
import static org.bytedeco.dnnl.global.dnnl.dnnl_eltwise_forward_desc_init;
import static org.bytedeco.dnnl.global.dnnl.dnnl_forward_training;

import java.util.List;
import org.bytedeco.dnnl.dnnl_eltwise_desc_t;
import org.bytedeco.dnnl.dnnl_memory_desc_t;

/** A function of each value by itself. */
record Elementwise(Shape shape, Activation activation) implements Node {

  @Override
  public Value addTo(PlanBuilder plan, List<Value> inputs) {
    Value x = inputs.get(0);
    Tensor result = plan.tensor(x.tensor().format());
    Operation forward = forward(plan, activation, result.format());
    plan.add(forward.with(DNNL_ARG_SRC, x.tensor()).with(DNNL_ARG_DST, result));
    if (!x.isDifferentiable()) {
      return new Value(result, shape, null);
    }
    return new Value(
        result, shape, delta -> x.addGradient(addBackward(plan, activation, result, delta)));
  }

  private static Operation forward(
      PlanBuilder plan, Activation activation, dnnl_memory_desc_t format) {
    var descriptor = new dnnl_eltwise_desc_t();
    int status =
        dnnl_eltwise_forward_desc_init(
            descriptor,
            dnnl_forward_training,
            activation.backward(),
            format,
            0f,
            activation.most());
    OneDnn.check(status, "describe an activation");
    return plan.prepare(descriptor, Activation.IDENTITY, null);
  }

  /**
   * Adds the backward pass of an activation.
   *
   * @param result of the forward pass
   * @param delta gradient by the result, which may be overwritten if no one else uses it
   * @return gradient by the argument, in the result's format; the caller releases it
   */
  static Tensor addBackward(PlanBuilder plan, Activation activation, Tensor result, Tensor delta) {
    if (activation == Activation.IDENTITY) {
      plan.share(delta);
      return delta;
    }
    dnnl_memory_desc_t format = result.format();
    Tensor d = plan.as(delta, format);
    Tensor gradient = plan.tensor(format);
    var descriptor = new dnnl_eltwise_desc_t();
    int status =
        dnnl_eltwise_backward_desc_init(
            descriptor, activation.backward(), format, format, 0f, activation.most());
    OneDnn.check(status, "describe an activation");
    Operation hint = forward(plan, activation, format);
    plan.add(
        plan.prepare(descriptor, Activation.IDENTITY, hint)
            .with(DNNL_ARG_DST, result)
            .with(DNNL_ARG_DIFF_DST, d)
            .with(DNNL_ARG_DIFF_SRC, gradient));
    plan.release(d);
    return gradient;
  }
}
