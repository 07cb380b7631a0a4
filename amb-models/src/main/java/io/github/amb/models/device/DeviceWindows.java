package io.github.amb.models.device;

import io.github.amb.models.device.DeviceLayers.Count;
import io.github.amb.models.device.DeviceLayers.Matrix;
import io.github.amb.models.device.DevicePlan.Slot;
import io.github.amb.models.graph.KernelWindow;
import io.github.amb.models.graph.Node;
import io.github.amb.models.graph.Shape;
import io.github.amb.models.graph.Value;
import java.util.Arrays;
import java.util.List;

/** Adds the kernels of nodes with a window that moves over planes. */
record DeviceWindows(DevicePlan plan, DeviceLayers layers) {
  /**
   * Maximum number of words of the unfolded values of a convolution, unless an example has more.
   */
  private static final long UNFOLDED = 1 << 24;

  /** Number of groups beyond which a sum is not split for the sake of more groups. */
  private static final int GROUPS = 512;

  /** A convolution as products of its weights and the values under each place of its window. */
  private final class Unfolded {
    private final Node.Convolution node;
    private final Object[] window;
    private final int depth;
    private final int places;
    private final int out;
    private final boolean plain;

    Unfolded(Node.Convolution node) {
      this.node = node;
      KernelWindow window = node.window();
      this.window = window(node.input(), node.shape(), window);
      depth = Math.toIntExact(node.input().channels() * window.kernel()[0] * window.kernel()[1]);
      places = DeviceLayers.plane(node.shape());
      out = node.shape().channels();
      plain =
          depth == node.input().channels()
              && places == DeviceLayers.plane(node.input())
              && isUnpadded();
    }

    private boolean isUnpadded() {
      return Arrays.stream(node.window().before()).allMatch(rows -> rows == 0);
    }

    /** For each example alone, or several if they are small, from the first to the last. */
    void forChunks(ChunkAction action) {
      long words = (long) depth * places;
      int most =
          plain ? plan.examples : (int) Math.max(1, Math.min(plan.examples, UNFOLDED / words));
      Slot unfolded = plain ? null : plan.slot(words * most);
      for (int first = 0; first < plan.examples; first += most) {
        action.add(unfolded, first, Math.min(most, plan.examples - first));
      }
    }

    Object source(Slot x, Slot unfolded, int first, int count) {
      if (plain) {
        return x;
      }
      int items = count * depth * places;
      Object from = x.at((long) first * node.input().size());
      plan.perItem("unfold", items, DeviceLayers.with(window, from, unfolded, items));
      return unfolded;
    }

    void addForward(Slot x, Slot result) {
      Matrix weights = Matrix.rows(plan.parameter(node.weights()), depth);
      forChunks(
          (unfolded, first, count) -> {
            Object source = source(x, unfolded, first, count);
            Matrix to = Matrix.rows(result.at((long) first * node.shape().size()), places);
            layers.product(
                out,
                places,
                depth,
                weights,
                Matrix.rows(source, places).each(0, depth * places),
                to.each(0, out * places),
                new Count(1, count, 1),
                1,
                false);
          });
    }

    /** Adds sums over all examples, in parts if there would be few groups otherwise. */
    void addWeightGradient(Slot x, Slot delta) {
      Object sum = plan.gradient(node.weights());
      forChunks(
          (unfolded, first, count) -> {
            Object source = source(x, unfolded, first, count);
            int parts = parts(count);
            int each = count / parts;
            Slot partial = parts == 1 ? null : plan.slot((long) parts * out * depth);
            Object d = delta.at((long) first * node.shape().size());
            layers.product(
                out,
                depth,
                places,
                Matrix.rows(d, places).each(0, each * out * places).summed(out * places),
                Matrix.turned(source, places).each(0, each * depth * places).summed(depth * places),
                Matrix.rows(parts == 1 ? sum : partial, depth).each(0, out * depth),
                new Count(1, parts, each),
                1,
                parts == 1);
            if (parts > 1) {
              layers.addSums(partial, node.weights(), parts, out * depth, 1);
            }
          });
    }

    private int parts(int count) {
      long groups = DeviceLayers.tiles(out, depth);
      int parts = 1;
      for (int i = 2; i <= count && i * groups <= GROUPS; i++) {
        if (count % i == 0 && (long) i * out * depth <= UNFOLDED) {
          parts = i;
        }
      }
      return parts;
    }

    Slot inputGradient(Slot delta) {
      Slot gradient = plan.slot(layers.count(node.input()));
      Matrix weights = Matrix.turned(plan.parameter(node.weights()), depth);
      forChunks(
          (unfolded, first, count) -> {
            Object to = plain ? gradient : unfolded;
            Object d = delta.at((long) first * node.shape().size());
            layers.product(
                depth,
                places,
                out,
                weights,
                Matrix.rows(d, places).each(0, out * places),
                Matrix.rows(to, places).each(0, depth * places),
                new Count(1, count, 1),
                1,
                false);
            if (!plain) {
              int items = count * node.input().size();
              Object part = gradient.at((long) first * node.input().size());
              plan.perItem("fold", items, DeviceLayers.with(window, unfolded, part, items));
            }
          });
      return gradient;
    }
  }

  /** Adds what computes some examples of a convolution. */
  private interface ChunkAction {
    void add(Slot unfolded, int first, int count);
  }

  Value<Slot> convolution(Node.Convolution node, Value<Slot> x) {
    return node.depthwise() ? depthwise(node, x) : dense(node, x);
  }

  private Value<Slot> dense(Node.Convolution node, Value<Slot> x) {
    var unfolded = new Unfolded(node);
    Slot result = plan.slot(layers.count(node.shape()));
    int out = node.shape().channels();
    int places = DeviceLayers.plane(node.shape());
    unfolded.addForward(x.tensor(), result);
    layers.biasAndActivation(result, node.bias(), out, places, node.activation());
    return new Value<>(
        result,
        node.shape(),
        delta -> {
          Slot inner = layers.slope(node.activation(), result, delta);
          unfolded.addWeightGradient(x.tensor(), inner);
          layers.addBiasGradient(inner, node.bias(), plan.examples, out, places);
          if (x.isDifferentiable()) {
            x.addGradient(unfolded.inputGradient(inner));
          }
        });
  }

  private Value<Slot> depthwise(Node.Convolution node, Value<Slot> x) {
    int channels = node.input().channels();
    int out = node.shape().channels();
    int multiple = out / channels;
    Object weights = plan.parameter(node.weights());
    Object[] window = window(node.input(), node.shape(), node.window());
    Slot result = plan.slot(layers.count(node.shape()));
    int count = (int) result.words();
    Object[] forward = {x.tensor(), weights, result, count, channels, multiple};
    plan.perItem("depthwise", count, DeviceLayers.with(window, forward));
    layers.biasAndActivation(
        result, node.bias(), out, DeviceLayers.plane(node.shape()), node.activation());
    return new Value<>(
        result,
        node.shape(),
        delta -> {
          Slot inner = layers.slope(node.activation(), result, delta);
          Object sum = plan.gradient(node.weights());
          long kernel = node.window().kernel()[0] * node.window().kernel()[1];
          Object[] byWeights = {x.tensor(), inner, sum, plan.examples, channels, multiple};
          plan.perGroup("depthwise_weights", kernel * out, DeviceLayers.with(window, byWeights));
          layers.addBiasGradient(
              inner, node.bias(), plan.examples, out, DeviceLayers.plane(node.shape()));
          if (x.isDifferentiable()) {
            Slot gradient = plan.slot(layers.count(node.input()));
            int items = (int) gradient.words();
            Object[] byInput = {inner, weights, gradient, items, channels, multiple};
            plan.perItem("depthwise_backward", items, DeviceLayers.with(window, byInput));
            x.addGradient(gradient);
          }
        });
  }

  /** The arguments of a window, which come last. */
  private static Object[] window(Shape input, Shape result, KernelWindow window) {
    return new Object[] {
      input.height(),
      input.width(),
      result.height(),
      result.width(),
      (int) window.kernel()[0],
      (int) window.kernel()[1],
      (int) window.stride()[0],
      (int) window.stride()[1],
      (int) window.before()[0],
      (int) window.before()[1]
    };
  }

  Value<Slot> pooling(Node.Pooling node, Value<Slot> x) {
    Object[] window = window(node.input(), node.inner(), node.window());
    Slot result = plan.slot(layers.count(node.inner()));
    int count = (int) result.words();
    boolean maximum = node.kind() == Node.Pooling.Kind.MAX;
    Slot places = maximum ? plan.slot(count) : null;
    int padded = node.kind() == Node.Pooling.Kind.MEAN_WITH_PADDING ? 1 : 0;
    if (maximum) {
      plan.perItem("maximum", count, DeviceLayers.with(window, x.tensor(), result, places, count));
    } else {
      plan.perItem("mean", count, DeviceLayers.with(window, x.tensor(), result, count, padded));
    }
    return Value.of(
        result,
        node.shape(),
        List.of(x),
        delta -> {
          Slot gradient = plan.slot(layers.count(node.input()));
          int items = (int) gradient.words();
          if (maximum) {
            plan.perItem(
                "maximum_backward",
                items,
                DeviceLayers.with(window, places, delta, gradient, items));
          } else {
            plan.perItem(
                "mean_backward", items, DeviceLayers.with(window, delta, gradient, items, padded));
          }
          x.addGradient(gradient);
        });
  }
}
