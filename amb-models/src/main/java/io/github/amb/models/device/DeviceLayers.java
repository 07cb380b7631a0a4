package io.github.amb.models.device;

import io.github.amb.models.device.DevicePlan.Slot;
import io.github.amb.models.graph.Activation;
import io.github.amb.models.graph.KernelWindow;
import io.github.amb.models.graph.Node;
import io.github.amb.models.graph.Shape;
import io.github.amb.models.graph.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Adds the kernels of each kind of {@link Node} to a plan. Arrays are row-major. */
final class DeviceLayers {
  /**
   * Maximum number of words of the unfolded values of a convolution, unless an example has more.
   */
  private static final long UNFOLDED = 1 << 24;

  /** Number of groups beyond which a sum is not split for the sake of more groups. */
  private static final int GROUPS = 512;

  private static final int TILE = 32;
  private static final int NONE = -1;

  private final DevicePlan plan;
  private final int examples;

  DeviceLayers(DevicePlan plan) {
    this.plan = plan;
    examples = plan.examples;
  }

  /**
   * Adds the kernels of the forward pass.
   *
   * @return the result, which can add the kernels of the backward pass
   * @throws DeviceException if there is no kernel for the node
   */
  Value<Slot> add(Node node, List<Value<Slot>> inputs) {
    Value<Slot> x = inputs.get(0);
    if (node instanceof Node.Dense dense) {
      return dense(dense, x);
    } else if (node instanceof Node.Elementwise function) {
      return elementwise(function, x);
    } else if (node instanceof Node.Convolution convolution) {
      return convolution.depthwise() ? depthwise(convolution, x) : convolution(convolution, x);
    } else if (node instanceof Node.Pooling pooling) {
      return pooling(pooling, x);
    } else if (node instanceof Node.Normalization normalization) {
      return batchNormalization(normalization, x);
    } else if (node instanceof Node.GroupNormalization normalization) {
      return groupNormalization(normalization, x);
    } else if (node instanceof Node.LayerNormalization normalization) {
      return layerNormalization(normalization, x);
    } else if (node instanceof Node.Sum sum) {
      return sum(sum, inputs);
    } else if (node instanceof Node.Concatenation all) {
      return concatenation(all, inputs);
    } else if (node instanceof Node.Padding padding) {
      return padding(padding, x);
    } else if (node instanceof Node.Dropout dropout) {
      return dropout(dropout, x);
    } else if (node instanceof Node.Scale scale) {
      return scale(scale, x);
    } else if (node instanceof Node.Embedding embedding) {
      return new DeviceSequences(plan, this).embedding(embedding, x);
    } else if (node instanceof Node.Patches patches) {
      return new DeviceSequences(plan, this).patches(patches, x);
    } else if (node instanceof Node.SequenceMean mean) {
      return new DeviceSequences(plan, this).mean(mean, x);
    } else if (node instanceof Node.Attention attention) {
      return new DeviceSequences(plan, this).attention(attention, x);
    }
    throw new DeviceException(
        "expected a layer that a device computes, found %s; leave out --device",
        node.getClass().getSimpleName());
  }

  /** Adds the sum of two arrays. */
  Slot sum(Slot a, Slot b) {
    return sum(a, b, a.words(), Activation.IDENTITY);
  }

  private Slot sum(Slot a, Slot b, long count, Activation after) {
    Slot sum = plan.slot(count);
    plan.perItem("add", count, a, b, sum, (int) count, after.ordinal());
    return sum;
  }

  /** Number of values of all examples. */
  private long count(Shape shape) {
    return (long) examples * shape.size();
  }

  private static int plane(Shape shape) {
    return shape.size() / shape.channels();
  }

  /** Adds the derivative of an activation, of which {@code kept} is the result. */
  private Slot slope(Activation activation, Slot kept, Slot delta) {
    if (activation == Activation.IDENTITY) {
      return delta;
    }
    Slot inner = plan.slot(delta.words());
    int count = (int) delta.words();
    plan.perItem("activation_backward", count, kept, delta, inner, count, activation.ordinal());
    return inner;
  }

  private Value<Slot> elementwise(Node.Elementwise node, Value<Slot> x) {
    int count = (int) count(node.shape());
    Slot result = plan.slot(count);
    Activation function = node.activation();
    plan.perItem("activation", count, x.tensor(), result, count, function.ordinal());
    Slot kept = function.hasDerivativeOfResult() ? result : x.tensor();
    return Value.of(
        result, node.shape(), List.of(x), delta -> x.addGradient(slope(function, kept, delta)));
  }

  /**
   * A matrix, or several of them, in an array.
   *
   * @param array a slot, a part of one, or an array of the device
   * @param row entries from a row to the next
   * @param column entries from a column to the next; 1 for a result
   * @param outer entries from a matrix to the next of the outer count
   * @param inner entries from a matrix to the next of the inner count
   * @param sum entries from a matrix to the next of those whose products are summed
   */
  record Matrix(Object array, int row, int column, int outer, int inner, int sum) {
    Matrix(Object array, int row, int column) {
      this(array, row, column, 0, 0, 0);
    }

    static Matrix rows(Object array, int columns) {
      return new Matrix(array, columns, 1);
    }

    static Matrix turned(Object array, int rows) {
      return new Matrix(array, 1, rows);
    }

    Matrix each(int outer, int inner) {
      return new Matrix(array, row, column, outer, inner, sum);
    }

    Matrix summed(int step) {
      return new Matrix(array, row, column, outer, inner, step);
    }
  }

  /**
   * How many products there are.
   *
   * @param sums how many of them are summed to one
   */
  record Count(int outer, int inner, int sums) {
    static final Count ONE = new Count(1, 1, 1);
  }

  /** Adds {@code c = factor a b}, or {@code c += factor a b}; c has m rows and n columns. */
  void product(
      int m, int n, int k, Matrix a, Matrix b, Matrix c, Count count, float factor, boolean adds) {
    plan.perGroup(
        "product",
        (long) count.outer * count.inner * tiles(m, n),
        a.array,
        b.array,
        c.array,
        m,
        n,
        k,
        count.inner,
        count.sums,
        a.row,
        a.column,
        a.outer,
        a.inner,
        a.sum,
        b.row,
        b.column,
        b.outer,
        b.inner,
        b.sum,
        c.row,
        c.outer,
        c.inner,
        factor,
        adds ? 1f : 0f);
  }

  private static long tiles(int m, int n) {
    return (long) ((m + TILE - 1) / TILE) * ((n + TILE - 1) / TILE);
  }

  private void biasAndActivation(
      Slot result, int bias, int channels, int plane, Activation activation) {
    if (bias >= 0 || activation != Activation.IDENTITY) {
      plan.perItem(
          "bias_activation",
          result.words(),
          result,
          plan.parameter(Math.max(0, bias)),
          (int) result.words(),
          channels,
          plane,
          bias >= 0 ? 1 : 0,
          activation.ordinal());
    }
  }

  private void addBiasGradient(Slot delta, int bias, int outer, int channels, int plane) {
    if (bias >= 0) {
      addSums(delta, bias, outer, channels, plane);
    }
  }

  /** Adds sums per channel of [outer, channels, plane] to a part of the gradient. */
  void addSums(Object array, int offset, int outer, int channels, int plane) {
    plan.perGroup("sums", channels, array, plan.gradient(offset), outer, channels, plane);
  }

  private Value<Slot> dense(Node.Dense node, Value<Slot> x) {
    int rows = examples * node.input().positions();
    int in = node.input().features();
    int out = node.outputs();
    Slot result = plan.slot((long) rows * out);
    Matrix source = Matrix.rows(x.tensor(), in);
    Object weights = plan.parameter(node.weights());
    Matrix turned = Matrix.turned(weights, in);
    product(rows, out, in, source, turned, Matrix.rows(result, out), Count.ONE, 1, false);
    biasAndActivation(result, node.bias(), out, 1, node.activation());
    return new Value<>(
        result,
        node.shape(),
        delta -> {
          Slot inner = slope(node.activation(), result, delta);
          Matrix sum = Matrix.rows(plan.gradient(node.weights()), in);
          product(out, in, rows, Matrix.turned(inner, out), source, sum, Count.ONE, 1, true);
          addBiasGradient(inner, node.bias(), rows, out, 1);
          if (x.isDifferentiable()) {
            Slot gradient = plan.slot((long) rows * in);
            Matrix d = Matrix.rows(inner, out);
            Matrix to = Matrix.rows(gradient, in);
            product(rows, in, out, d, Matrix.rows(weights, in), to, Count.ONE, 1, false);
            x.addGradient(gradient);
          }
        });
  }

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
      places = plane(node.shape());
      out = node.shape().channels();
      plain = depth == node.input().channels() && places == plane(node.input()) && isUnpadded();
    }

    private boolean isUnpadded() {
      return Arrays.stream(node.window().before()).allMatch(rows -> rows == 0);
    }

    /** For each example alone, or several if they are small, from the first to the last. */
    void forChunks(ChunkAction action) {
      long words = (long) depth * places;
      int most = plain ? examples : (int) Math.max(1, Math.min(examples, UNFOLDED / words));
      Slot unfolded = plain ? null : plan.slot(words * most);
      for (int first = 0; first < examples; first += most) {
        action.add(unfolded, first, Math.min(most, examples - first));
      }
    }

    Object source(Slot x, Slot unfolded, int first, int count) {
      if (plain) {
        return x;
      }
      int items = count * depth * places;
      Object from = x.at((long) first * node.input().size());
      plan.perItem("unfold", items, with(window, from, unfolded, items));
      return unfolded;
    }

    void addForward(Slot x, Slot result) {
      Matrix weights = Matrix.rows(plan.parameter(node.weights()), depth);
      forChunks(
          (unfolded, first, count) -> {
            Object source = source(x, unfolded, first, count);
            Matrix to = Matrix.rows(result.at((long) first * node.shape().size()), places);
            product(
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
            product(
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
              addSums(partial, node.weights(), parts, out * depth, 1);
            }
          });
    }

    private int parts(int count) {
      long groups = tiles(out, depth);
      int parts = 1;
      for (int i = 2; i <= count && i * groups <= GROUPS; i++) {
        if (count % i == 0 && (long) i * out * depth <= UNFOLDED) {
          parts = i;
        }
      }
      return parts;
    }

    Slot inputGradient(Slot delta) {
      Slot gradient = plan.slot(count(node.input()));
      Matrix weights = Matrix.turned(plan.parameter(node.weights()), depth);
      forChunks(
          (unfolded, first, count) -> {
            Object to = plain ? gradient : unfolded;
            Object d = delta.at((long) first * node.shape().size());
            product(
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
              plan.perItem("fold", items, with(window, unfolded, part, items));
            }
          });
      return gradient;
    }
  }

  /** Adds what computes some examples of a convolution. */
  private interface ChunkAction {
    void add(Slot unfolded, int first, int count);
  }

  private Value<Slot> convolution(Node.Convolution node, Value<Slot> x) {
    var unfolded = new Unfolded(node);
    Slot result = plan.slot(count(node.shape()));
    int out = node.shape().channels();
    int places = plane(node.shape());
    unfolded.addForward(x.tensor(), result);
    biasAndActivation(result, node.bias(), out, places, node.activation());
    return new Value<>(
        result,
        node.shape(),
        delta -> {
          Slot inner = slope(node.activation(), result, delta);
          unfolded.addWeightGradient(x.tensor(), inner);
          addBiasGradient(inner, node.bias(), examples, out, places);
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
    Slot result = plan.slot(count(node.shape()));
    int count = (int) result.words();
    Object[] forward = {x.tensor(), weights, result, count, channels, multiple};
    plan.perItem("depthwise", count, with(window, forward));
    biasAndActivation(result, node.bias(), out, plane(node.shape()), node.activation());
    return new Value<>(
        result,
        node.shape(),
        delta -> {
          Slot inner = slope(node.activation(), result, delta);
          Object sum = plan.gradient(node.weights());
          long kernel = node.window().kernel()[0] * node.window().kernel()[1];
          Object[] byWeights = {x.tensor(), inner, sum, examples, channels, multiple};
          plan.perGroup("depthwise_weights", kernel * out, with(window, byWeights));
          addBiasGradient(inner, node.bias(), examples, out, plane(node.shape()));
          if (x.isDifferentiable()) {
            Slot gradient = plan.slot(count(node.input()));
            int items = (int) gradient.words();
            Object[] byInput = {inner, weights, gradient, items, channels, multiple};
            plan.perItem("depthwise_backward", items, with(window, byInput));
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

  private static Object[] with(Object[] last, Object... first) {
    Object[] all = Arrays.copyOf(first, first.length + last.length);
    System.arraycopy(last, 0, all, first.length, last.length);
    return all;
  }

  private Value<Slot> pooling(Node.Pooling node, Value<Slot> x) {
    Object[] window = window(node.input(), node.inner(), node.window());
    Slot result = plan.slot(count(node.inner()));
    int count = (int) result.words();
    boolean maximum = node.kind() == Node.Pooling.Kind.MAX;
    Slot places = maximum ? plan.slot(count) : null;
    int padded = node.kind() == Node.Pooling.Kind.MEAN_WITH_PADDING ? 1 : 0;
    if (maximum) {
      plan.perItem("maximum", count, with(window, x.tensor(), result, places, count));
    } else {
      plan.perItem("mean", count, with(window, x.tensor(), result, count, padded));
    }
    return Value.of(
        result,
        node.shape(),
        List.of(x),
        delta -> {
          Slot gradient = plan.slot(count(node.input()));
          int items = (int) gradient.words();
          if (maximum) {
            plan.perItem("maximum_backward", items, with(window, places, delta, gradient, items));
          } else {
            plan.perItem("mean_backward", items, with(window, delta, gradient, items, padded));
          }
          x.addGradient(gradient);
        });
  }

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

  private static Activation relu(boolean relu) {
    return relu ? Activation.RELU : Activation.IDENTITY;
  }

  private Value<Slot> batchNormalization(Node.Normalization node, Value<Slot> x) {
    int channels = node.shape().channels();
    int plane = plane(node.shape());
    var normal =
        new Normal(
            examples,
            channels,
            plane,
            channels,
            plane,
            node.scaled() ? node.offset() : NONE,
            node.scaled(),
            (float) node.epsilon(),
            relu(node.relu()));
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
        (float) examples,
        share);
    Value<Slot> result = normalized(normal, node.shape(), x, statistics);
    return node.scaled() || x.isDifferentiable()
        ? result
        : new Value<>(result.tensor(), node.shape(), null);
  }

  private Value<Slot> groupNormalization(Node.GroupNormalization node, Value<Slot> x) {
    var normal =
        new Normal(
            1,
            examples * node.groups(),
            node.shape().size() / node.groups(),
            node.shape().channels(),
            plane(node.shape()),
            node.offset(),
            true,
            (float) node.epsilon(),
            relu(node.relu()));
    return normalized(normal, node.shape(), x, statistics(normal, x.tensor()));
  }

  private Value<Slot> layerNormalization(Node.LayerNormalization node, Value<Slot> x) {
    int features = node.shape().features();
    int rows = examples * node.shape().positions();
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
    Slot result = plan.slot(count(shape));
    int count = (int) result.words();
    Object scales = plan.parameter(Math.max(0, normal.scale));
    int scaled = normal.scaled();
    int shifted = normal.shifted ? 1 : 0;
    Object[] forward = {
      x.tensor(), statistics, scales, result, count, scaled, shifted, normal.after.ordinal()
    };
    plan.perItem("normal", count, with(normal.shape(), forward));
    return new Value<>(
        result,
        shape,
        delta -> {
          Slot d = slope(normal.after, result, delta);
          if (scaled == 1) {
            int outer = count / normal.scales / normal.plane;
            Object sum = plan.gradient(normal.scale);
            Object[] byScales = {x.tensor(), d, statistics, sum, outer, shifted};
            plan.perGroup("normalization_scales", normal.scales, with(normal.shape(), byScales));
          }
          if (x.isDifferentiable()) {
            Slot means = plan.slot(2L * normal.channels);
            Object[] sums = {x.tensor(), d, statistics, scales, means, normal.outer, scaled};
            plan.perGroup("normalization_means", normal.channels, with(normal.shape(), sums));
            Slot gradient = plan.slot(count);
            Object[] byInput = {x.tensor(), d, statistics, scales, means, gradient, count, scaled};
            plan.perItem("normalization_backward", count, with(normal.shape(), byInput));
            x.addGradient(gradient);
          }
        });
  }

  private Value<Slot> sum(Node.Sum node, List<Value<Slot>> inputs) {
    Slot a = inputs.get(0).tensor();
    Slot result = sum(a, inputs.get(1).tensor(), count(node.shape()), node.activation());
    return Value.of(
        result,
        node.shape(),
        inputs,
        delta -> {
          Slot inner = slope(node.activation(), result, delta);
          inputs.forEach(summand -> summand.addGradient(inner));
        });
  }

  private Value<Slot> concatenation(Node.Concatenation node, List<Value<Slot>> inputs) {
    int all = node.shape().size();
    Slot result = plan.slot(count(node.shape()));
    List<Integer> places = new ArrayList<>();
    int first = 0;
    for (Value<Slot> input : inputs) {
      int length = input.shape().size();
      int count = examples * length;
      Object to = result.at(first);
      plan.perItem("copy_rows", count, input.tensor(), to, count, length, length, all);
      places.add(first);
      first += length;
    }
    return Value.of(
        result,
        node.shape(),
        inputs,
        delta -> {
          for (int i = 0; i < places.size(); i++) {
            Value<Slot> input = inputs.get(i);
            if (input.isDifferentiable()) {
              int length = input.shape().size();
              int count = examples * length;
              Slot gradient = plan.slot(count);
              Object from = delta.at(places.get(i));
              plan.perItem("copy_rows", count, from, gradient, count, length, all, length);
              input.addGradient(gradient);
            }
          }
        });
  }

  private Value<Slot> padding(Node.Padding node, Value<Slot> x) {
    Slot result = shifted(x.tensor(), node.input(), node.shape(), node.top(), node.left());
    return Value.of(
        result,
        node.shape(),
        List.of(x),
        delta ->
            x.addGradient(shifted(delta, node.shape(), node.input(), -node.top(), -node.left())));
  }

  private Slot shifted(Slot from, Shape before, Shape after, int top, int left) {
    Slot result = plan.slot(count(after));
    int count = (int) result.words();
    plan.perItem(
        "shift",
        count,
        from,
        result,
        count,
        before.height(),
        before.width(),
        after.height(),
        after.width(),
        top,
        left);
    return result;
  }

  private Value<Slot> dropout(Node.Dropout node, Value<Slot> x) {
    return plan.training ? dropped(x, node.keep()) : x;
  }

  /** Values that dropout keeps, and divides by the share that it keeps. */
  Value<Slot> dropped(Value<Slot> x, double keep) {
    int count = (int) x.tensor().words();
    Slot mask = plan.slot(count);
    float[] values = new float[count];
    plan.action(
        () -> {
          plan.random().mask(values, count, keep);
          plan.write(values, mask, count);
        },
        mask);
    return Value.of(
        product(x.tensor(), mask),
        x.shape(),
        List.of(x),
        delta -> x.addGradient(product(delta, mask)));
  }

  private Slot product(Slot a, Slot b) {
    Slot product = plan.slot(a.words());
    plan.perItem("multiply", a.words(), a, b, product, (int) a.words());
    return product;
  }

  private Value<Slot> scale(Node.Scale node, Value<Slot> x) {
    Slot result = scaled(x.tensor(), node.factor());
    return node.factor() == 0
        ? new Value<>(result, node.shape(), null)
        : Value.of(
            result, node.shape(), List.of(x), delta -> x.addGradient(scaled(delta, node.factor())));
  }

  private Slot scaled(Slot x, float factor) {
    Slot result = plan.slot(x.words());
    plan.perItem("scale", x.words(), x, result, (int) x.words(), factor);
    return result;
  }
}
