package io.github.amb.models.device;

import io.github.amb.models.device.DevicePlan.Slot;
import io.github.amb.models.graph.Activation;
import io.github.amb.models.graph.Node;
import io.github.amb.models.graph.Shape;
import io.github.amb.models.graph.Value;

/** Adds the kernels of normalizations. */
record DeviceNormalizations(DevicePlan plan, DeviceLayers layers) {
  private static final int NONE = -1;

  /**
   * A normalization of [outer, channels, inner] by each channel's statistics, and scales of [..,
   * scales, plane].
   *
   * @param scale place of the scales; −1 for none
   * @param shifted whether shifts follow them
   */
  private record Normal(
      int outer,
      int channels,
      int inner,
      int scales,
      int plane,
      int scale,
      boolean shifted,
      float epsilon,
      Activation after) {

    Object[] shape() {
      return new Object[] {channels, inner, scales, plane};
    }

    int scaled() {
      return scale < 0 ? 0 : 1;
    }
  }

  Value<Slot> batch(Node.Normalization node, Value<Slot> x) {
    int channels = node.shape().channels();
    int plane = DeviceLayers.plane(node.shape());
    var normal =
        new Normal(
            plan.examples,
            channels,
            plane,
            channels,
            plane,
            node.scaled() ? node.offset() : NONE,
            node.scaled(),
            (float) node.epsilon(),
            node.activation());
    Object running = plan.parameter(node.statistics());
    if (!plan.training) {
      Slot statistics = plan.slot(3L * channels);
      plan.perItem("running", channels, running, statistics, channels, normal.epsilon);
      return normalized(normal, node.shape(), x, statistics);
    }
    Slot statistics = statistics(normal, x.tensor());
    Object updates = plan.gradient(node.statistics());
    float share = (float) (1 - node.decay());
    plan.perItem(
        "running_update",
        channels,
        statistics,
        running,
        updates,
        channels,
        (float) plan.examples,
        share);
    Value<Slot> result = normalized(normal, node.shape(), x, statistics);
    return node.scaled() || x.isDifferentiable()
        ? result
        : new Value<>(result.tensor(), node.shape(), null);
  }

  Value<Slot> group(Node.GroupNormalization node, Value<Slot> x) {
    var normal =
        new Normal(
            1,
            plan.examples * node.groups(),
            node.shape().size() / node.groups(),
            node.shape().channels(),
            DeviceLayers.plane(node.shape()),
            node.offset(),
            true,
            (float) node.epsilon(),
            node.activation());
    return normalized(normal, node.shape(), x, statistics(normal, x.tensor()));
  }

  Value<Slot> layer(Node.LayerNormalization node, Value<Slot> x) {
    int features = node.shape().features();
    int rows = plan.examples * node.shape().positions();
    var normal =
        new Normal(
            1,
            rows,
            features,
            features,
            1,
            node.offset(),
            node.shifted(),
            node.epsilon(),
            Activation.IDENTITY);
    return normalized(normal, node.shape(), x, statistics(normal, x.tensor()));
  }

  private Slot statistics(Normal normal, Slot x) {
    Slot statistics = plan.slot(3L * normal.channels);
    plan.perGroup(
        "statistics",
        normal.channels,
        x,
        statistics,
        normal.outer,
        normal.channels,
        normal.inner,
        normal.epsilon);
    return statistics;
  }

  private Value<Slot> normalized(Normal normal, Shape shape, Value<Slot> x, Slot statistics) {
    Slot result = plan.slot(layers.count(shape));
    int count = (int) result.words();
    Object scales = plan.parameter(Math.max(0, normal.scale));
    int scaled = normal.scaled();
    int shifted = normal.shifted ? 1 : 0;
    Object[] forward = {
      x.tensor(), statistics, scales, result, count, scaled, shifted, normal.after.ordinal()
    };
    plan.perItem("normal", count, DeviceLayers.with(normal.shape(), forward));
    return new Value<>(
        result,
        shape,
        delta -> {
          Slot d = layers.slope(normal.after, result, delta);
          if (scaled == 1) {
            int outer = count / normal.scales / normal.plane;
            Object sum = plan.gradient(normal.scale);
            Object[] byScales = {x.tensor(), d, statistics, sum, outer, shifted};
            plan.perGroup(
                "normalization_scales", normal.scales, DeviceLayers.with(normal.shape(), byScales));
          }
          if (x.isDifferentiable()) {
            Slot means = plan.slot(2L * normal.channels);
            Object[] sums = {x.tensor(), d, statistics, scales, means, normal.outer, scaled};
            plan.perGroup(
                "normalization_means", normal.channels, DeviceLayers.with(normal.shape(), sums));
            Slot gradient = plan.slot(count);
            Object[] byInput = {x.tensor(), d, statistics, scales, means, gradient, count, scaled};
            plan.perItem(
                "normalization_backward", count, DeviceLayers.with(normal.shape(), byInput));
            x.addGradient(gradient);
          }
        });
  }
}
